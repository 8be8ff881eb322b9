// RUN: weave-opt %s -canonicalize -cse -loop-invariant-code-motion -canonicalize -cse | FileCheck %s

// Upstream passes know what may move, merge and go.

// Work that is the same in each lane or step moves out; a collective never
// leaves its map, equal ones are one, and an unused one goes.
// CHECK-LABEL: func @maps
// CHECK-SAME: %[[X:[^:]+]]: tensor<?xf32>, %[[S:[^:]+]]: f32, %[[KEY:[^:]+]]: tensor<2xi32>
// CHECK-DAG: %[[Z:.*]] = weave.random.normal %[[KEY]]
// CHECK-DAG: %[[SQ:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK: weave.pmap %[[I:.*]] (%[[A:.*]] = %[[X]] : tensor<?xf32>) {
// CHECK-NEXT: %[[SUM:.*]] = weave.psum %[[SQ]] over %[[I]] : f32
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[SUM]], %[[SUM]]
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[A]], %[[T]]
// CHECK-NEXT: %[[B:.*]] = tensor.splat %[[A]]
// CHECK-NEXT: %[[W:.*]] = arith.addf %[[Z]], %[[B]]
// CHECK-NEXT: weave.yield %[[Y]], %[[W]]
func.func @maps(%x: tensor<?xf32>, %s: f32, %key: tensor<2xi32>, %n: index) -> (tensor<?xf32>, tensor<?x3xf32>) {
  %r:2 = weave.pmap %i (%a = %x : tensor<?xf32>) {
    %sq = arith.mulf %s, %s : f32
    %s0 = weave.psum %sq over %i : f32
    %s1 = weave.psum %sq over %i : f32
    %unused = weave.pmax %a over %i : f32
    %t = arith.addf %s0, %s1 : f32
    %y = arith.mulf %a, %t : f32
    %z = weave.random.normal %key : tensor<2xi32> -> tensor<3xf32>
    %b = tensor.splat %a : tensor<3xf32>
    %w = arith.addf %z, %b : tensor<3xf32>
    weave.yield %y, %w : f32, tensor<3xf32>
  } -> tensor<?xf32>, tensor<?x3xf32>
  return %r#0, %r#1 : tensor<?xf32>, tensor<?x3xf32>
}

// A collective in a scan in a map may leave the scan, but not the map.
// CHECK-LABEL: func @collective_leaves_the_scan
// CHECK: weave.pmap %[[I:.*]] (
// CHECK-NEXT: weave.psum %{{.*}} over %[[I]] : f32
// CHECK-NEXT: weave.scan
func.func @collective_leaves_the_scan(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = weave.pmap %i (%a = %x : tensor<4xf32>) {
    %y = weave.scan carry(%c = %a : f32) length(%n) {
      %s = weave.psum %a over %i : f32
      %c1 = arith.mulf %c, %s : f32
      weave.yield carry(%c1 : f32)
    } -> f32
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A division that may trap is not moved out of a scan that may have no steps.
// CHECK-LABEL: func @no_speculation
// CHECK: weave.scan
// CHECK: arith.divsi
func.func @no_speculation(%a: i32, %b: i32, %n: index) -> i32 {
  %r = weave.scan carry(%c = %a : i32) length(%n) {
    %d = arith.divsi %a, %b : i32
    %c1 = arith.addi %c, %d : i32
    weave.yield carry(%c1 : i32)
  } -> i32
  return %r : i32
}

// Equal maps are one map.
// CHECK-LABEL: func @equal_maps
// CHECK: %[[Y:.*]] = weave.vmap
// CHECK-NOT: weave.vmap
// CHECK: return %[[Y]], %[[Y]]
func.func @equal_maps(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = weave.vmap %i (%a = %x : tensor<4xf32>) {
    %t = arith.mulf %a, %a : f32
    weave.yield %t : f32
  } -> tensor<4xf32>
  %1 = weave.vmap %i (%a = %x : tensor<4xf32>) {
    %t = arith.mulf %a, %a : f32
    weave.yield %t : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Exchanges stay where they are, each of them, in their order, used or not;
// what they don't depend on moves out of the scan around them.
// CHECK-LABEL: func @exchanges
// CHECK: weave.spmd
// CHECK: %[[E:.*]] = arith.mulf
// CHECK: weave.scan
// CHECK: weave.all_reduce <add>
// CHECK-NEXT: weave.all_reduce <add>
// CHECK-NEXT: weave.gather_shards
// CHECK-NEXT: weave.barrier
// CHECK-NEXT: arith.addf %{{.*}}, %[[E]]
// CHECK-NEXT: weave.yield
func.func @exchanges(%x: tensor<3xf32>, %rows: tensor<?x3xf32>, %part: tensor<?xf32>, %n: index, %s: tensor<3xf32>) -> tensor<3xf32> {
  %r = weave.spmd steps(%n) inits(%x : tensor<3xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c0: tensor<3xf32>):
    %y = weave.scan carry(%c = %c0 : tensor<3xf32>) range(%first to %last) {
      %e = arith.mulf %s, %s : tensor<3xf32>
      %0 = weave.all_reduce <add> %team rows(%rows : tensor<?x3xf32>) extent(%n) into(%c : tensor<3xf32>) -> tensor<3xf32>
      %1 = weave.all_reduce <add> %team rows(%rows : tensor<?x3xf32>) extent(%n) into(%c : tensor<3xf32>) -> tensor<3xf32>
      %2 = weave.gather_shards %team shard(%part : tensor<?xf32>) dim(0) into(%c0 : tensor<3xf32>) -> tensor<3xf32>
      weave.barrier %team
      %3 = arith.addf %0, %e : tensor<3xf32>
      weave.yield carry(%3 : tensor<3xf32>)
    } -> tensor<3xf32>
    weave.finish %y replicated : tensor<3xf32>
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// An exchange under a condition is not pulled out of it, nor one pushed in.
// CHECK-LABEL: func @conditions
// CHECK: weave.all_reduce
// CHECK: scf.if
// CHECK-NEXT: scf.yield
// CHECK: scf.if
// CHECK-NEXT: weave.all_reduce
func.func @conditions(%x: tensor<3xf32>, %rows: tensor<?x3xf32>, %n: index, %b: i1, %d: i1) -> tensor<3xf32> {
  %r = weave.spmd inits(%x : tensor<3xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<3xf32>):
    %0 = weave.all_reduce <add> %team rows(%rows : tensor<?x3xf32>) extent(%n) into(%c : tensor<3xf32>) -> tensor<3xf32>
    %1 = scf.if %b -> tensor<3xf32> {
      scf.yield %0 : tensor<3xf32>
    } else {
      %s = arith.addf %x, %x : tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    %2 = scf.if %d -> tensor<3xf32> {
      %3 = weave.all_reduce <max> %team rows(%rows : tensor<?x3xf32>) extent(%n) into(%c : tensor<3xf32>) -> tensor<3xf32>
      scf.yield %3 : tensor<3xf32>
    } else {
      %4 = arith.mulf %1, %x : tensor<3xf32>
      scf.yield %4 : tensor<3xf32>
    }
    weave.finish %2 replicated : tensor<3xf32>
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// Launches on tensors are values: unused ones go. On buffers they stay.
// CHECK-LABEL: func @launches
// CHECK-NEXT: weave.launch @work inits(%{{.*}} : memref<3xf32>)
// CHECK-NEXT: return
func.func private @work(!weave.team, memref<3xf32>)
func.func @launches(%x: tensor<3xf32>, %m: memref<3xf32>) {
  %r = weave.launch @work inits(%x : tensor<3xf32>) -> tensor<3xf32>
  weave.launch @work inits(%m : memref<3xf32>)
  return
}
