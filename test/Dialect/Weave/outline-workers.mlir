// RUN: weave-opt %s -split-input-file -weave-outline-workers | FileCheck %s

// A replicated value is stored by worker 0 once all are here; one that is
// written in place is not stored again.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: index, %[[STD:.*]]: f32)
// CHECK: %[[DEST:.*]] = tensor.empty
// CHECK: %[[R:.*]]:2 = weave.launch @main_worker_0 steps(%[[N]]) ins(%[[STD]] : f32) inits(%[[X]], %[[DEST]] : tensor<4xf32>, tensor<?x4xf32>)
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK-LABEL: func.func private @main_worker_0(
// CHECK-SAME: %[[TEAM:.*]]: !weave.team, %[[FIRST:.*]]: index, %[[LAST:.*]]: index, %[[STDW:.*]]: f32,
// CHECK-SAME: %[[XM:.*]]: memref<4xf32> {llvm.noalias}, %[[DM:.*]]: memref<?x4xf32> {llvm.noalias})
// CHECK-DAG: %[[C:.*]] = bufferization.to_tensor %[[XM]] restrict : memref<4xf32>
// CHECK-DAG: %[[D:.*]] = bufferization.to_tensor %[[DM]] restrict writable : memref<?x4xf32>
// CHECK: %[[F:.*]]:2 = scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] {{.*}} iter_args(%{{.*}} = %[[C]], %{{.*}} = %[[D]])
// CHECK: bufferization.materialize_in_destination %[[F]]#1 in writable %[[DM]]
// CHECK: weave.barrier %[[TEAM]]
// CHECK: %[[W:.*]] = weave.worker %[[TEAM]]
// CHECK: %[[IS0:.*]] = arith.cmpi eq, %[[W]], %{{.*}}
// CHECK: scf.if %[[IS0]] {
// CHECK-NEXT: bufferization.materialize_in_destination %[[F]]#0 in writable %[[XM]]
func.func @main(%x: tensor<4xf32>, %n: index, %std: f32) -> (tensor<4xf32>, tensor<?x4xf32>) {
  %c1 = arith.constant 1 : index
  %dest = tensor.empty(%n) : tensor<?x4xf32>
  %r:2 = weave.spmd steps(%n) inits(%x, %dest : tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<4xf32>, %d: tensor<?x4xf32>):
    %f:2 = scf.for %i = %first to %last step %c1 iter_args(%a = %c, %b = %d) -> (tensor<4xf32>, tensor<?x4xf32>) {
      %b1 = tensor.insert_slice %a into %b[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<?x4xf32>
      %a1 = tensor.insert %std into %a[%c1] : tensor<4xf32>
      scf.yield %a1, %b1 : tensor<4xf32>, tensor<?x4xf32>
    }
    weave.finish %f#0 replicated, %f#1 in_place : tensor<4xf32>, tensor<?x4xf32>
  } -> tensor<4xf32>, tensor<?x4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<?x4xf32>
}

// -----

// Constants, empty tensors and fills are cloned to their uses, extents passed
// as numbers; a captured tensor is read-only.
// CHECK-LABEL: func.func @captures(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: weave.launch @captures_worker_0 ins(%[[N]], %[[Y]] : index, tensor<?xf32>) inits(%{{.*}} : tensor<2xf32>)
// CHECK-LABEL: func.func private @captures_worker_0(
// CHECK-SAME: !weave.team, %{{.*}}: index, %[[YM:[a-z0-9]+]]: memref<?xf32> {llvm.noalias}, %{{.*}}: memref<2xf32> {llvm.noalias})
// CHECK: bufferization.to_tensor %[[YM]] restrict :
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[EMPTY:.*]] = tensor.empty() : tensor<2xf32>
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
// CHECK: tensor.insert %{{.*}} into %[[FILL]]
func.func @captures(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %r = weave.spmd inits(%fill : tensor<2xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<2xf32>):
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    %last = arith.subi %n, %c0 : index
    %e = tensor.extract %y[%last] : tensor<?xf32>
    %v = tensor.insert %e into %fill[%c0] : tensor<2xf32>
    weave.finish %v replicated : tensor<2xf32>
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// A worker that touches only its own shard works on it in place.
// CHECK-LABEL: func.func private @own_shard_worker_0(
// CHECK-SAME: %[[TEAM:.*]]: !weave.team, %[[M:.*]]: memref<7x2xf32> {llvm.noalias}
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[M]] restrict writable
// CHECK: %[[LO:.*]], %[[SIZE:.*]] = weave.shard_range
// CHECK: tensor.extract_slice %[[T]][%[[LO]], 0] [%[[SIZE]], 2]
// CHECK: %[[PART:.*]] = memref.subview %[[M]][%[[LO]], 0] [%[[SIZE]], 2] [1, 1]
// CHECK: bufferization.materialize_in_destination %{{.*}} in writable %[[PART]]
// CHECK-NOT: weave.barrier
// CHECK: return
func.func @own_shard(%x: tensor<7x2xf32>) -> tensor<7x2xf32> {
  %c7 = arith.constant 7 : index
  %r = weave.spmd inits(%x : tensor<7x2xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<7x2xf32>):
    %lo, %size = weave.shard_range %team of %c7 : index, index
    %mine = tensor.extract_slice %c[%lo, 0] [%size, 2] [1, 1] : tensor<7x2xf32> to tensor<?x2xf32>
    %twice = linalg.add ins(%mine, %mine : tensor<?x2xf32>, tensor<?x2xf32>) outs(%mine : tensor<?x2xf32>) -> tensor<?x2xf32>
    weave.finish %twice sharded(0) : tensor<?x2xf32>
  } -> tensor<7x2xf32>
  return %r : tensor<7x2xf32>
}

// -----

// A worker that also reads the others' shards must not see their new content.
// CHECK-LABEL: func.func private @foreign_shard_worker_0(
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<7xf32>)
// CHECK: bufferization.to_tensor %[[M]] restrict :
// CHECK: weave.barrier
// CHECK: %[[PART:.*]] = memref.subview %[[M]][
// CHECK: bufferization.materialize_in_destination %{{.*}} in writable %[[PART]]
func.func @foreign_shard(%x: tensor<7xf32>) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %r = weave.spmd inits(%x : tensor<7xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<7xf32>):
    %lo, %size = weave.shard_range %team of %c7 : index, index
    %mine = tensor.extract_slice %c[%lo] [%size] [1] : tensor<7xf32> to tensor<?xf32>
    %other = tensor.extract %c[%c0] : tensor<7xf32>
    %new = linalg.fill ins(%other : f32) outs(%mine : tensor<?xf32>) -> tensor<?xf32>
    weave.finish %new sharded(0) : tensor<?xf32>
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// A shard of an init whose content nobody reads may be computed in place.
// CHECK-LABEL: func.func private @fresh_shard_worker_0(
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable
func.func @fresh_shard(%n: index, %v: f32) -> tensor<?xf32> {
  %dest = tensor.empty(%n) : tensor<?xf32>
  %r = weave.spmd inits(%dest : tensor<?xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<?xf32>):
    %lo, %size = weave.shard_range %team of %n : index, index
    %e = tensor.empty(%size) : tensor<?xf32>
    %new = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    weave.finish %new sharded(0) : tensor<?xf32>
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Values that swap their inits are copied before either is overwritten.
// CHECK-LABEL: func.func private @swap_worker_0(
// CHECK-SAME: %[[AM:[a-z0-9]+]]: memref<4xf32> {llvm.noalias}, %[[BM:[a-z0-9]+]]: memref<4xf32>
// CHECK: %[[A:.*]] = bufferization.to_tensor %[[AM]]
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[BM]]
// CHECK: %[[B1:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK: %[[A1:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: materialize_in_destination %[[B1]] in writable %[[AM]]
// CHECK: materialize_in_destination %[[A1]] in writable %[[BM]]
func.func @swap(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = weave.spmd inits(%a, %b : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>, %d: tensor<4xf32>):
    weave.finish %d replicated, %c replicated : tensor<4xf32>, tensor<4xf32>
  } -> tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
