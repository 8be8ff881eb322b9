// RUN: weave-opt %s -weave-infer-placement -weave-hoist-partition -canonicalize -cse -loop-invariant-code-motion -split-input-file 2>/dev/null | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
#row = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// One region around the scan, one exchange in it, and a worker draws its own
// rows of the noise only. The keys are made in the region.
// CHECK-LABEL: func @es
// CHECK-SAME: %[[X0:.*]]: tensor<10xf32>, %[[KEY:.*]]: tensor<2xi32>, %[[N:.*]]: index
func.func @es(%x0: tensor<10xf32>, %key: tensor<2xi32>, %n: index) -> (tensor<10xf32>, tensor<?x10xf32>) {
  %zero = arith.constant dense<0.0> : tensor<10xf32>
  %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
  // CHECK-NOT: weave.random.split
  // CHECK: weave.spmd steps(%[[N]]) inits(%[[X0]], %{{.*}} : tensor<10xf32>, tensor<?x10xf32>)
  // CHECK-NEXT: ^bb0(%[[TEAM:.*]]: !weave.team, %[[FIRST:.*]]: index, %[[LAST:.*]]: index, %[[X:.*]]: tensor<10xf32>, %[[XS:.*]]: tensor<?x10xf32>):
  // CHECK: %[[KEYS:.*]] = weave.random.split %[[KEY]]
  // CHECK: %[[LO:.*]], %[[SIZE:.*]] = weave.shard_range %[[TEAM]] of %c4
  // CHECK: weave.scan carry(%[[C:.*]] = %[[X]] : tensor<10xf32>) xs(%[[K:.*]] = %[[KEYS]] : tensor<?x2xi32>) range(%[[FIRST]] to %[[LAST]]) into(%[[XS]] : tensor<?x10xf32>) store_if(%{{.*}})
  %x, %xs = weave.scan carry(%c = %x0 : tensor<10xf32>) xs(%k = %keys : tensor<?x2xi32>) {
    // CHECK: %[[ZS:.*]] = weave.random.normal %[[K]] offset(%{{.*}}) sizes(%[[SIZE]]) strides [10, 1] : tensor<2xi32> -> tensor<?x10xf32>
    %zs = weave.random.normal %k : tensor<2xi32> -> tensor<4x10xf32>
    // CHECK: %[[YS:.*]] = weave.pmap {{.*}}%[[ZS]] : tensor<?x10xf32>) lanes(%[[SIZE]])
    %ys = weave.pmap %i (%z = %zs : tensor<4x10xf32>) {
      %c0 = arith.constant 0 : index
      %y = tensor.extract %z[%c0] : tensor<10xf32>
      weave.yield %y : f32
    } -> tensor<4xf32>
    // CHECK: %[[ROWS:.*]] = weave.partial_reduce <add> {{.*}} ins(%[[YS]], %[[ZS]] : tensor<?xf32>, tensor<?x10xf32>)
    // CHECK: weave.all_reduce <add> %[[TEAM]] rows(%[[ROWS]] : tensor<?x10xf32>)
    // CHECK-NOT: weave.all_reduce
    // CHECK-NOT: weave.gather_shards
    %g = weave.reduce <add> maps [#row, #both, #col] iterators ["reduction", "parallel"]
        ins(%ys, %zs : tensor<4xf32>, tensor<4x10xf32>) init(%zero : tensor<10xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %r = math.fma %a, %b, %acc : f32
        weave.yield %r : f32
    } -> tensor<10xf32>
    %next = arith.addf %c, %g : tensor<10xf32>
    weave.yield carry(%next : tensor<10xf32>) ys(%c : tensor<10xf32>)
  } -> tensor<10xf32>, tensor<?x10xf32>
  // CHECK: weave.finish {{.*}} replicated, {{.*}} in_place
  return %x, %xs : tensor<10xf32>, tensor<?x10xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// State that never leaves its worker: a sharded carry and its stacked output,
// of a dynamic number of lanes. A scalar carry travels as a tensor of rank 0.
// CHECK-LABEL: func @sharded
func.func @sharded(%p0: tensor<?x3xf32>, %n: index) -> (tensor<?x3xf32>, f32, tensor<?x?x3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant 1.0 : f32
  // CHECK: weave.spmd steps(%{{.*}}) inits({{.*}} : tensor<?x3xf32>, tensor<f32>, tensor<?x?x3xf32>)
  // CHECK: %[[P:.*]] = tensor.extract_slice %{{.*}}[%[[LO:.*]], 0] [%[[SIZE:.*]], 3] [1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  // CHECK: %[[DEST:.*]] = tensor.extract_slice %[[YS:.*]][0, %[[LO2:.*]], 0]
  // CHECK: %[[SCAN:.*]]:3 = weave.scan carry(%{{.*}} = %[[P]] : tensor<?x3xf32>, %{{.*}} : f32)
  // CHECK-SAME: into(%[[DEST]] : tensor<?x?x3xf32>) store_if(%true)
  // CHECK-NOT: weave.gather_shards
  %p, %m, %ys = weave.scan carry(%c = %p0 : tensor<?x3xf32>, %m = %one : f32) length(%n) {
    %q, %e = weave.pmap %i (%v = %c : tensor<?x3xf32>) {
      %c0 = arith.constant 0 : index
      %w = tensor.splat %m : tensor<3xf32>
      %s = arith.addf %v, %w : tensor<3xf32>
      %r = tensor.extract %s[%c0] : tensor<3xf32>
      weave.yield %s, %r : tensor<3xf32>, f32
    } -> tensor<?x3xf32>, tensor<?xf32>
    // CHECK: weave.all_reduce <add> {{.*}} : tensor<f32>
    %f = weave.reduce <add> maps [#id, #scalar] iterators ["reduction"]
        ins(%e : tensor<?xf32>) init(%zero : tensor<f32>) {
      ^bb0(%a: f32, %acc: f32):
        %r = arith.addf %acc, %a : f32
        weave.yield %r : f32
    } -> tensor<f32>
    %fm = tensor.extract %f[] : tensor<f32>
    weave.yield carry(%q, %fm : tensor<?x3xf32>, f32) ys(%q : tensor<?x3xf32>)
  } -> tensor<?x3xf32>, f32, tensor<?x?x3xf32>
  // CHECK: tensor.insert_slice %[[SCAN]]#2 into %[[YS]][0, %[[LO2]], 0]
  // CHECK: weave.finish {{.*}} sharded(0), {{.*}} replicated, {{.*}} in_place
  return %p, %m, %ys : tensor<?x3xf32>, f32, tensor<?x?x3xf32>
}

// -----

// Glue that needs all lanes gathers them, once; a map whose input doesn't
// change from step to step runs once.
// CHECK-LABEL: func @glue
func.func @glue(%a0: tensor<13xf32>, %t: tensor<3xf64>) -> (tensor<13xf32>, tensor<7x3xf64>) {
  %n = arith.constant 7 : index
  // CHECK: weave.pmap {{.*}} tensor<?xf64>) lanes(
  // CHECK: weave.scan
  %a, %w = weave.scan carry(%a = %a0 : tensor<13xf32>) length(%n) {
    %y = weave.pmap %i (%x = %a : tensor<13xf32>) {
      %r = arith.mulf %x, %x : f32
      weave.yield %r : f32
    } -> tensor<13xf32>
    %z = weave.pmap %i (%x = %t : tensor<3xf64>) {
      %r = arith.mulf %x, %x : f64
      weave.yield %r : f64
    } -> tensor<3xf64>
    // CHECK: %[[ALL:.*]] = weave.gather_shards
    // CHECK: tensor.extract %[[ALL]]
    // CHECK: tensor.extract %[[ALL]]
    // CHECK-NOT: weave.gather_shards
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %s = tensor.extract %y[%c2] : tensor<13xf32>
    %s3 = tensor.extract %y[%c3] : tensor<13xf32>
    %s5 = arith.addf %s, %s3 : f32
    %sv = tensor.splat %s5 : tensor<13xf32>
    %y2 = arith.addf %y, %sv : tensor<13xf32>
    weave.yield carry(%y2 : tensor<13xf32>) ys(%z : tensor<3xf64>)
  } -> tensor<13xf32>, tensor<7x3xf64>
  return %a, %w : tensor<13xf32>, tensor<7x3xf64>
}

// -----

// A pmap outside of any scan, with captured values and its lanes' numbers,
// which count all workers' lanes.
// CHECK-LABEL: func @map
func.func @map(%x: tensor<5xf32>, %n: index) -> tensor<?x5xf32> {
  // CHECK: weave.spmd inits(
  // CHECK: %[[LO:.*]], %[[SIZE:.*]] = weave.shard_range
  // CHECK: weave.pmap %[[I:.*]] lanes(%[[SIZE]])
  %y = weave.pmap %i lanes(%n) {
    // CHECK: %[[LANE:.*]] = weave.axis_index %[[I]]
    // CHECK: arith.addi %[[LANE]], %[[LO]]
    %lane = weave.axis_index %i : index
    %k = arith.index_cast %lane : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = tensor.splat %f : tensor<5xf32>
    %r = arith.mulf %x, %s : tensor<5xf32>
    weave.yield %r : tensor<5xf32>
  } -> tensor<?x5xf32>
  // CHECK: weave.finish {{.*}} sharded(0)
  return %y : tensor<?x5xf32>
}

// -----

// The lanes of the inner scan's map are counted in the outer step, so its
// stacked output is gathered, not lost.
// CHECK-LABEL: func @counted_inside
func.func @counted_inside(%m: tensor<7xindex>) -> tensor<7xf32> {
  %one = arith.constant 1.0 : f32
  %n = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  // CHECK: weave.scan
  %ys = weave.scan xs(%lanes = %m : tensor<7xindex>) {
    // CHECK: weave.scan
    %zs = weave.scan xs(%l = %m : tensor<7xindex>) {
      %y = weave.pmap %i lanes(%l) {
        weave.yield %one : f32
      } -> tensor<?xf32>
      // CHECK: weave.gather_shards
      weave.yield ys(%y : tensor<?xf32>)
    } -> tensor<7x?xf32>
    %z = tensor.extract %zs[%c0, %c0] : tensor<7x?xf32>
    weave.yield ys(%z : f32)
  } -> tensor<7xf32>
  return %ys : tensor<7xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// Outside of scans, maps share a region with the reduction between them and
// with the draw before them; what else uses a map's result comes after it.
// CHECK-LABEL: func @pool
func.func @pool(%k: tensor<2xi32>, %n: index) -> (tensor<?xf32>, f32, tensor<?xf32>) {
  // CHECK-NOT: weave.random
  // CHECK: %[[POOL:.*]]:2 = weave.spmd
  // CHECK: weave.random.uniform {{.*}} offset(
  %u = weave.random.uniform %k sizes(%n) : tensor<2xi32> -> tensor<?xf32>
  // CHECK: math.sqrt
  %a = math.sqrt %u : tensor<?xf32>
  // CHECK: weave.pmap
  %y = weave.pmap %i (%x = %a : tensor<?xf32>) {
    %r = arith.mulf %x, %x : f32
    weave.yield %r : f32
  } -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %first = tensor.extract %y[%c0] : tensor<?xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  // CHECK: weave.all_reduce
  %f = weave.reduce <add> maps [#id, #scalar] iterators ["reduction"]
      ins(%y : tensor<?xf32>) init(%zero : tensor<f32>) {
    ^bb0(%p: f32, %acc: f32):
      %r = arith.addf %acc, %p : f32
      weave.yield %r : f32
  } -> tensor<f32>
  %m = tensor.extract %f[] : tensor<f32>
  // CHECK: weave.pmap
  %z = weave.pmap %i (%x = %y : tensor<?xf32>) {
    %r = arith.subf %x, %m : f32
    weave.yield %r : f32
  } -> tensor<?xf32>
  // CHECK: weave.finish %{{.*}} sharded(0), %{{.*}} sharded(0)
  // CHECK-NOT: weave.spmd
  // CHECK: tensor.extract %[[POOL]]#0
  return %y, %first, %z : tensor<?xf32>, f32, tensor<?xf32>
}
