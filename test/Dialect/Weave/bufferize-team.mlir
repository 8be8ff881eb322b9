// RUN: weave-opt %s -split-input-file -canonicalize \
// RUN:   -one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" \
// RUN:   -canonicalize | FileCheck %s

// Exchanges write their dest, launches their inits, in place.
// CHECK-LABEL: func.func private @in_place(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>
// CHECK-NOT: memref.copy
// CHECK: weave.all_reduce <add> %{{.*}} rows(%[[ROWS:.*]] : memref<?x4xf32>) extent(%{{.*}}) into(%[[X]] : memref<4xf32>)
// CHECK: weave.gather_shards %{{.*}} shard(%{{.*}} : memref<?xf32>) dim(0) into(%{{.*}} : memref<8xf32>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func private @in_place(%team: !weave.team, %x: memref<4xf32>, %n: index, %v: f32) {
  %rows = tensor.empty(%n) : tensor<?x4xf32>
  %part = tensor.empty(%n) : tensor<?xf32>
  %filled = linalg.fill ins(%v : f32) outs(%rows : tensor<?x4xf32>) -> tensor<?x4xf32>
  %filled_part = linalg.fill ins(%v : f32) outs(%part : tensor<?xf32>) -> tensor<?xf32>
  %c8 = arith.constant 8 : index
  %dest = bufferization.to_tensor %x restrict writable : memref<4xf32> to tensor<4xf32>
  %all = tensor.empty() : tensor<8xf32>
  %g = weave.all_reduce <add> %team rows(%filled : tensor<?x4xf32>) extent(%c8) into(%dest : tensor<4xf32>) -> tensor<4xf32>
  %h = weave.gather_shards %team shard(%filled_part : tensor<?xf32>) dim(0) into(%all : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.extract %h[%n] : tensor<8xf32>
  %r = tensor.insert %y into %g[%n] : tensor<4xf32>
  bufferization.materialize_in_destination %r in writable %x : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// What is handed over twice, once to be written, is copied before.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>)
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK: memref.copy %[[X]], %[[COPY]]
// CHECK: weave.launch @worker ins(%[[X]] : memref<4xf32>) inits(%[[COPY]] : memref<4xf32>)
// CHECK: return %[[COPY]]
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = weave.launch @worker ins(%x : tensor<4xf32>) inits(%x : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @worker(%team: !weave.team, %in: memref<4xf32>, %out: memref<4xf32>) {
  return
}

// -----

// A part of a larger buffer goes through a row-major copy and comes back.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[X:.*]]: memref<8x4xf32>
// CHECK: %[[PART:.*]] = memref.subview %[[X]]
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}: memref<8xf32>
// CHECK: memref.copy %[[PART]], %[[COPY]]
// CHECK: weave.launch @part_worker inits(%[[COPY]] : memref<8xf32>)
// CHECK: memref.copy %[[COPY]], %[[PART]]
func.func @part(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %column = tensor.extract_slice %x[0, 1] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8xf32>
  %r = weave.launch @part_worker inits(%column : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.insert_slice %r into %x[0, 1] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
func.func private @part_worker(%team: !weave.team, %out: memref<8xf32>) {
  return
}
