// RUN: weave-opt %s --verify-roundtrip | FileCheck %s
// RUN: weave-opt %s --mlir-print-op-generic | weave-opt | FileCheck %s

// Every op, with every part that it may have.

// A scan with carries, inputs and outputs; slices of vectors are scalars.
// CHECK-LABEL: func @scan
// CHECK: weave.scan carry(%[[C:.*]] = %{{.*}} : tensor<10xf32>) xs(%[[X:.*]] = %{{.*}} : tensor<?xf32>, %[[K:.*]] = %{{.*}} : tensor<?x2xi32>) {
// CHECK:   weave.yield carry(%[[C]] : tensor<10xf32>) ys(%[[X]], %[[K]] : f32, tensor<2xi32>)
// CHECK: } -> tensor<10xf32>, tensor<?xf32>, tensor<?x2xi32>
func.func @scan(%x0: tensor<10xf32>, %xs: tensor<?xf32>, %keys: tensor<?x2xi32>) {
  %r:3 = weave.scan carry(%c = %x0 : tensor<10xf32>) xs(%x = %xs : tensor<?xf32>, %k = %keys : tensor<?x2xi32>) {
    weave.yield carry(%c : tensor<10xf32>) ys(%x, %k : f32, tensor<2xi32>)
  } -> tensor<10xf32>, tensor<?xf32>, tensor<?x2xi32>
  return
}

// Carries may have any type, also none at all.
// CHECK-LABEL: func @scan_lengths
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : i1, %{{.*}} = %{{.*}} : vector<4xf16>) length(%{{.*}}) {
// CHECK: weave.scan length(%{{.*}}) reverse {
// CHECK-NEXT: weave.yield ys(%{{.*}} : index)
// CHECK: weave.scan xs(%{{.*}} = %{{.*}} : tensor<7xi8>) length(%{{.*}}) unroll(4) attributes {note = "hint"} {
// CHECK-NEXT: weave.yield
// CHECK-NEXT: }
func.func @scan_lengths(%n: index, %b: i1, %v: vector<4xf16>, %xs: tensor<7xi8>) {
  %r:2 = weave.scan carry(%c = %b : i1, %d = %v : vector<4xf16>) length(%n) {
    weave.yield carry(%c, %d : i1, vector<4xf16>)
  } -> i1, vector<4xf16>
  %ys = weave.scan length(%n) reverse {
    weave.yield ys(%n : index)
  } -> tensor<?xindex>
  weave.scan xs(%x = %xs : tensor<7xi8>) length(%n) unroll(4) attributes {note = "hint"} {
    weave.yield
  }
  return
}

// A chunk of a scan, whose outputs go into a worker's destinations.
// CHECK-LABEL: func @scan_chunk
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : f64) xs(%{{.*}} = %{{.*}} : tensor<?xi64>) range(%{{.*}} to %{{.*}}) into(%{{.*}}, %{{.*}} : tensor<?xi64>, tensor<9xf64>) store_if(%{{.*}}, %{{.*}}) reverse {
func.func @scan_chunk(%x0: f64, %xs: tensor<?xi64>, %first: index, %last: index, %mine: i1,
                      %d0: tensor<?xi64>, %d1: tensor<9xf64>) {
  %r:3 = weave.scan carry(%c = %x0 : f64) xs(%x = %xs : tensor<?xi64>) range(%first to %last)
      into(%d0, %d1 : tensor<?xi64>, tensor<9xf64>) store_if(%mine, %mine) reverse {
    weave.yield carry(%c : f64) ys(%x, %c : i64, f64)
  } -> f64, tensor<?xi64>, tensor<9xf64>
  return
}

// Maps over any axes, with static, dynamic, no and one lane, and nested.
// CHECK-LABEL: func @maps
// CHECK: weave.pmap %[[I:.*]] (%[[X:.*]] = %{{.*}} : tensor<4x10xf32>, %{{.*}} = %{{.*}} : tensor<3x4xbf16>) in_axes [0, 1] out_axes [1, 0] schedule(dynamic) {
// CHECK:   weave.yield %[[X]], %{{.*}} : tensor<10xf32>, tensor<3xbf16>
// CHECK: } -> tensor<10x4xf32>, tensor<4x3xbf16>
// CHECK: weave.vmap %{{.*}} lanes(%{{.*}}) {
// CHECK:   weave.pmap %{{.*}} lanes(%{{.*}}) attributes {note = 1 : i64} {
// CHECK: weave.pmap %{{.*}} (%{{.*}} = %{{.*}} : tensor<0xf32>) {
// CHECK: weave.vmap %{{.*}} lanes(%{{.*}}) {
// CHECK-NEXT: weave.yield
// CHECK-NEXT: }
func.func @maps(%x: tensor<4x10xf32>, %y: tensor<3x4xbf16>, %z: tensor<0xf32>, %n: index) {
  %r:2 = weave.pmap %i (%a = %x : tensor<4x10xf32>, %b = %y : tensor<3x4xbf16>)
      in_axes [0, 1] out_axes [1, 0] schedule(dynamic) {
    weave.yield %a, %b : tensor<10xf32>, tensor<3xbf16>
  } -> tensor<10x4xf32>, tensor<4x3xbf16>
  %one = arith.constant 1 : index
  %s = weave.vmap %i lanes(%n) {
    %t = weave.pmap %j lanes(%one) attributes {note = 1 : i64} {
      weave.yield %n : index
    } -> tensor<1xindex>
    weave.yield %t : tensor<1xindex>
  } -> tensor<?x1xindex>
  %u = weave.pmap %i (%a = %z : tensor<0xf32>) {
    weave.yield %a : f32
  } -> tensor<0xf32>
  weave.vmap %i lanes(%n) {
    weave.yield
  }
  return
}

// CHECK-LABEL: func @collectives
// CHECK: weave.pmap %[[I:.*]] (
// CHECK: weave.vmap %[[J:.*]] (
// CHECK: weave.psum %{{.*}} over %[[I]] : tensor<3xf32>
// CHECK: weave.psum %{{.*}} over %[[J]] : i1
// CHECK: weave.pmean %{{.*}} over %[[J]] : i8
// CHECK: weave.pmax %{{.*}} over %[[I]] : tensor<3xf32>
// CHECK: weave.pmin %{{.*}} over %[[J]] : i8
// CHECK: weave.all_gather %{{.*}} over %[[J]] : i8 -> tensor<5xi8>
// CHECK: weave.all_gather %{{.*}} over %[[I]] dim(1) : tensor<3xf32> -> tensor<3x?xf32>
// CHECK: weave.axis_index %[[I]] : index
// CHECK: weave.axis_size %[[J]] : index
func.func @collectives(%x: tensor<?x3xf32>, %y: tensor<5xi8>, %b: i1) {
  weave.pmap %i (%v = %x : tensor<?x3xf32>) {
    weave.vmap %j (%w = %y : tensor<5xi8>) {
      %0 = weave.psum %v over %i : tensor<3xf32>
      %1 = weave.psum %b over %j : i1
      %2 = arith.addi %1, %1 : i32
      %3 = weave.pmean %w over %j : i8
      %4 = arith.addf %3, %3 : f32
      %5 = weave.pmax %v over %i : tensor<3xf32>
      %6 = weave.pmin %w over %j : i8
      %7 = weave.all_gather %w over %j : i8 -> tensor<5xi8>
      %8 = weave.all_gather %v over %i dim(1) : tensor<3xf32> -> tensor<3x?xf32>
      %9 = weave.axis_index %i : index
      %10 = weave.axis_size %j : index
      weave.yield
    }
    weave.yield
  }
  return
}

// CHECK-LABEL: func @random
// CHECK: weave.random.key %{{.*}} : i32 -> tensor<2xi32>
// CHECK: weave.random.key %{{.*}} : i64 -> tensor<2xi32>
// CHECK: weave.random.fold_in %{{.*}}, %{{.*}} : tensor<2xi32>, i32 -> tensor<2xi32>
// CHECK: weave.random.fold_in %{{.*}}, %{{.*}} : tensor<2xi32>, tensor<?xindex> -> tensor<?x2xi32>
// CHECK: weave.random.split %{{.*}} : tensor<2xi32> -> tensor<3x4x2xi32>
// CHECK: weave.random.split %{{.*}} offset(%{{.*}}) sizes(%{{.*}}) : tensor<2xi32> -> tensor<?x2xi32>
// CHECK: weave.random.bits %{{.*}} : tensor<2xi32> -> tensor<i64>
// CHECK: weave.random.uniform %{{.*}} sizes(%{{.*}}) : tensor<?x2xi32> -> tensor<?x5xf64>
// CHECK: weave.random.normal %{{.*}} offset(%{{.*}}) sizes(%{{.*}}, %{{.*}}) strides [10, 1] : tensor<2xi32> -> tensor<?x?xf32>
func.func @random(%a: i32, %b: i64, %n: index, %many: tensor<?xindex>) {
  %k = weave.random.key %a : i32 -> tensor<2xi32>
  %l = weave.random.key %b : i64 -> tensor<2xi32>
  %0 = weave.random.fold_in %k, %a : tensor<2xi32>, i32 -> tensor<2xi32>
  %1 = weave.random.fold_in %k, %many : tensor<2xi32>, tensor<?xindex> -> tensor<?x2xi32>
  %2 = weave.random.split %k : tensor<2xi32> -> tensor<3x4x2xi32>
  %3 = weave.random.split %k offset(%n) sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
  %4 = weave.random.bits %k : tensor<2xi32> -> tensor<i64>
  %5 = weave.random.uniform %1 sizes(%n) : tensor<?x2xi32> -> tensor<?x5xf64>
  %6 = weave.random.normal %k offset(%n) sizes(%n, %n) strides [10, 1] : tensor<2xi32> -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func @reductions
// CHECK: weave.reduce <add> maps [#{{.*}}, #{{.*}}, #{{.*}}] iterators ["reduction", "parallel"] ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4x10xf32>) init(%{{.*}} : tensor<10xf32>) attributes {note} {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: } -> tensor<10xf32>
// CHECK: weave.reduce <xor> maps [#{{.*}}, #{{.*}}] iterators ["reduction"] ins(%{{.*}} : tensor<?xi1>) init(%{{.*}} : tensor<i1>) {
// CHECK: weave.partial_reduce <add> maps [#{{.*}}, #{{.*}}, #{{.*}}] iterators ["reduction", "parallel"] extent(%{{.*}}) ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4x10xf32>) {
// CHECK: } -> tensor<?x10xf32>
// CHECK: weave.tree_reduce <umax> %{{.*}} : tensor<?x10xi16> -> tensor<10xi16>
#lane = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>
#element = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @reductions(%y: tensor<4xf32>, %z: tensor<4x10xf32>, %g: tensor<10xf32>, %b: tensor<?xi1>,
                      %p: tensor<i1>, %n: index, %rows: tensor<?x10xi16>) {
  %0 = weave.reduce <add> maps [#lane, #both, #element] iterators ["reduction", "parallel"]
      ins(%y, %z : tensor<4xf32>, tensor<4x10xf32>) init(%g : tensor<10xf32>) attributes {note} {
  ^bb0(%u: f32, %v: f32, %acc: f32):
    %r = math.fma %u, %v, %acc : f32
    weave.yield %r : f32
  } -> tensor<10xf32>
  %1 = weave.reduce <xor> maps [#id, #none] iterators ["reduction"]
      ins(%b : tensor<?xi1>) init(%p : tensor<i1>) {
  ^bb0(%u: i1, %acc: i1):
    %r = arith.xori %u, %acc : i1
    weave.yield %r : i1
  } -> tensor<i1>
  %2 = weave.partial_reduce <add> maps [#lane, #both, #element] iterators ["reduction", "parallel"] extent(%n)
      ins(%y, %z : tensor<4xf32>, tensor<4x10xf32>) {
  ^bb0(%u: f32, %v: f32, %acc: f32):
    %r = math.fma %u, %v, %acc : f32
    weave.yield %r : f32
  } -> tensor<?x10xf32>
  %3 = weave.tree_reduce <umax> %rows : tensor<?x10xi16> -> tensor<10xi16>
  return
}

// CHECK-LABEL: func @team
// CHECK: weave.spmd steps(%{{.*}}) inits(%{{.*}}, %{{.*}}, %{{.*}} : tensor<10xf32>, tensor<?x3xf32>, tensor<?xf32>) {
// CHECK-NEXT: ^bb0(%[[TEAM:.*]]: !weave.team, %{{.*}}: index, %{{.*}}: index, %{{.*}}: tensor<10xf32>, %{{.*}}: tensor<?x3xf32>, %{{.*}}: tensor<?xf32>):
// CHECK: weave.worker %[[TEAM]] : index
// CHECK: weave.team_size %[[TEAM]] : index
// CHECK: weave.shard_range %[[TEAM]] of %{{.*}} : index, index
// CHECK: weave.grain %{{.*}} : index
// CHECK: weave.all_reduce <add> %[[TEAM]] rows(%{{.*}} : tensor<?x10xf32>) extent(%{{.*}}) into(%{{.*}} : tensor<10xf32>) -> tensor<10xf32>
// CHECK: weave.gather_shards %[[TEAM]] shard(%{{.*}} : tensor<?xf32>) dim(0) into(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: weave.barrier %[[TEAM]]
// CHECK: weave.finish %{{.*}} replicated, %{{.*}} sharded(0), %{{.*}} in_place : tensor<10xf32>, tensor<?x3xf32>, tensor<?xf32>
// CHECK: } -> tensor<10xf32>, tensor<?x3xf32>, tensor<?xf32>
// CHECK: weave.spmd {
// CHECK-NEXT: ^bb0(%{{.*}}: !weave.team):
// CHECK-NEXT: weave.finish
func.func @team(%n: index, %x: tensor<10xf32>, %s: tensor<?x3xf32>, %y: tensor<?xf32>, %rows: tensor<?x10xf32>) {
  %r:3 = weave.spmd steps(%n) inits(%x, %s, %y : tensor<10xf32>, tensor<?x3xf32>, tensor<?xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<10xf32>, %d: tensor<?x3xf32>, %e: tensor<?xf32>):
    %w = weave.worker %team : index
    %size = weave.team_size %team : index
    %lo, %m = weave.shard_range %team of %n : index, index
    %g = weave.grain %n : index
    %0 = weave.all_reduce <add> %team rows(%rows : tensor<?x10xf32>) extent(%n) into(%c : tensor<10xf32>) -> tensor<10xf32>
    %1 = weave.gather_shards %team shard(%e : tensor<?xf32>) dim(0) into(%e : tensor<?xf32>) -> tensor<?xf32>
    weave.barrier %team
    weave.finish %0 replicated, %d sharded(0), %1 in_place : tensor<10xf32>, tensor<?x3xf32>, tensor<?xf32>
  } -> tensor<10xf32>, tensor<?x3xf32>, tensor<?xf32>
  weave.spmd {
  ^bb0(%team: !weave.team):
    weave.finish
  }
  return
}

// On buffers, exchanges and launches have no results.
// CHECK-LABEL: func @buffers
// CHECK: weave.all_reduce <max> %{{.*}} rows(%{{.*}} : memref<?x10xf32>) extent(%{{.*}}) into(%{{.*}} : memref<10xf32>)
// CHECK: weave.gather_shards %{{.*}} shard(%{{.*}} : memref<10x?xf32>) dim(1) into(%{{.*}} : memref<10x4xf32>)
func.func @buffers(%team: !weave.team, %n: index, %rows: memref<?x10xf32>, %dest: memref<10xf32>,
                   %shard: memref<10x?xf32>, %whole: memref<10x4xf32>) {
  weave.all_reduce <max> %team rows(%rows : memref<?x10xf32>) extent(%n) into(%dest : memref<10xf32>)
  weave.gather_shards %team shard(%shard : memref<10x?xf32>) dim(1) into(%whole : memref<10x4xf32>)
  return
}

// CHECK-LABEL: func @launches
// CHECK: weave.launch @nothing
// CHECK: weave.launch @work steps(%{{.*}}) ins(%{{.*}} : f32) inits(%{{.*}} : tensor<10xf32>) -> tensor<10xf32>
// CHECK: weave.launch @work steps(%{{.*}}) ins(%{{.*}} : f32) inits(%{{.*}} : memref<10xf32>) {note}
func.func private @nothing(!weave.team)
func.func private @work(!weave.team, index, index, f32, memref<10xf32>)
func.func @launches(%n: index, %std: f32, %x: tensor<10xf32>, %m: memref<10xf32>) {
  weave.launch @nothing
  %r = weave.launch @work steps(%n) ins(%std : f32) inits(%x : tensor<10xf32>) -> tensor<10xf32>
  weave.launch @work steps(%n) ins(%std : f32) inits(%m : memref<10xf32>) {note}
  return
}

// Attributes of a program's arguments and results, and placements.
// CHECK-LABEL: func @main
// CHECK-SAME: weave.default = {{[0-9.e-]+}} : f32, weave.help = "noise", weave.name = "std"
// CHECK-SAME: weave.default = true
// CHECK-SAME: weave.default = 7 : i32, weave.name = "seed", weave.unsigned
// CHECK-SAME: -> (i32 {weave.help = "what comes out", weave.name = "y", weave.unsigned})
// CHECK: weave.placement = [#weave.placement<replicated>, #weave.placement<sharded(1)>, #weave.placement<partial>, #weave.placement<in_place>]
func.func @main(%std: f32 {weave.name = "std", weave.default = 1.0e-2 : f32, weave.help = "noise"},
                %flags: tensor<4xi1> {weave.default = true},
                %seed: i32 {weave.name = "seed", weave.default = 7 : i32, weave.unsigned})
    -> (i32 {weave.name = "y", weave.help = "what comes out", weave.unsigned}) {
  %y = arith.addi %seed, %seed {weave.placement = [#weave.placement<replicated>, #weave.placement<sharded(1)>,
                                                   #weave.placement<partial>, #weave.placement<in_place>]} : i32
  return %y : i32
}
