// RUN: weave-opt %s -split-input-file -convert-weave-to-openmp | FileCheck %s

// What a launch hands over lies in a struct on the stack: numbers, and buffers
// as address and dynamic sizes. The runtime calls the chunk function.
// CHECK-LABEL: func.func @launch(
// CHECK-SAME: %[[N:.*]]: index, %[[STD:.*]]: f32, %[[X:.*]]: memref<10xf32>, %[[YS:.*]]: memref<?x10xf32>)
// CHECK: %[[STATE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, ptr, ptr, i64)>
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[STATE]][0, 0]
// CHECK: llvm.store %[[STD]], %[[FIELD]]
// CHECK: %[[F:.*]] = constant @worker_chunk
// CHECK: %[[FP:.*]] = builtin.unrealized_conversion_cast %[[F]]
// CHECK: %[[STEPS:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[ROW:.*]] = arith.constant 40 : i64
// CHECK: call @scanweave_run(%[[FP]], %[[STATE]], %[[STEPS]], %[[ROW]])
func.func @launch(%n: index, %std: f32, %x: memref<10xf32>, %ys: memref<?x10xf32>) {
  weave.launch @worker steps(%n) ins(%std : f32) inits(%x, %ys : memref<10xf32>, memref<?x10xf32>)
  return
}

// A worker keeps noalias on the addresses it is handed.
// CHECK-LABEL: func.func private @worker(
// CHECK-SAME: %[[TEAM:.*]]: !llvm.ptr, %{{.*}}: index, %{{.*}}: index, %{{.*}}: f32, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: index)
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]
func.func private @worker(%team: !weave.team, %first: index, %last: index, %std: f32,
                          %x: memref<10xf32> {llvm.noalias}, %ys: memref<?x10xf32> {llvm.noalias}) {
  %n = arith.constant 4 : index
  %rows = memref.alloc() : memref<4x10xf32>
  %cast = memref.cast %rows : memref<4x10xf32> to memref<?x10xf32>
  // CHECK: call @scanweave_all_reduce(%[[TEAM]], %{{.*}}) : (!llvm.ptr, i32, i32, !llvm.ptr, i64, i64, !llvm.ptr) -> ()
  weave.all_reduce <add> %team rows(%cast : memref<?x10xf32>) extent(%n) into(%x : memref<10xf32>)
  // CHECK: call @scanweave_barrier(%[[TEAM]])
  weave.barrier %team
  memref.dealloc %rows : memref<4x10xf32>
  return
}

// CHECK-LABEL: func.func private @worker_chunk(
// CHECK-SAME: %[[S:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64, %[[THREADS:.*]]: i32, %[[T:.*]]: !llvm.ptr)
// CHECK: omp.parallel num_threads(%[[THREADS]] : i32) {
// CHECK: %[[SELF:.*]] = func.call @scanweave_worker_begin(%[[T]])
// CHECK: %[[A:.*]] = arith.index_cast %[[FIRST]]
// CHECK: %[[B:.*]] = arith.index_cast %[[LAST]]
// CHECK: func.call @worker(%[[SELF]], %[[A]], %[[B]],
// CHECK: func.call @scanweave_worker_end(%[[SELF]])
// CHECK: omp.terminator

// -----

// Team queries: fields of the worker, loaded once at the entry, and the
// arithmetic of the standard partition.
// CHECK-LABEL: func.func @queries(
// CHECK-SAME: %[[TEAM:.*]]: !llvm.ptr
// CHECK-DAG: llvm.getelementptr %[[TEAM]][0, 0]
// CHECK-DAG: llvm.getelementptr %[[TEAM]][0, 1]
// CHECK: math.ctlz
// CHECK: arith.divui
// CHECK: arith.divui
// CHECK-NOT: llvm.load
func.func @queries(%team: !weave.team, %n: index) -> (index, index, index, index, index) {
  %w = weave.worker %team : index
  %size = weave.team_size %team : index
  %lo, %part = weave.shard_range %team of %n : index, index
  %g = weave.grain %n : index
  return %w, %size, %lo, %part, %g : index, index, index, index, index
}

// -----

// A launch without steps runs once; buffers that are not contiguous go through
// a copy, allocated outside of the loop.
// CHECK-LABEL: func.func @strided(
// CHECK: %[[MINUS1:.*]] = arith.constant -1 : i64
// CHECK: call @scanweave_run(%{{.*}}, %{{.*}}, %[[MINUS1]], %{{.*}})
func.func @strided(%x: memref<8x3xf64>) {
  weave.launch @strided_worker inits(%x : memref<8x3xf64>)
  return
}
// CHECK-LABEL: func.func private @strided_worker(
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: scf.for
// CHECK: memref.copy %{{.*}}, %[[COPY]]
// CHECK: call @scanweave_gather_shards(
// CHECK: memref.dealloc %[[COPY]]
func.func private @strided_worker(%team: !weave.team, %x: memref<8x3xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %lo, %size = weave.shard_range %team of %n : index, index
  %all = memref.alloc() : memref<8xf64>
  scf.for %i = %c0 to %n step %c1 {
    %part = memref.subview %x[%lo, 1] [%size, 1] [1, 1] : memref<8x3xf64> to memref<?x1xf64, strided<[3, 1], offset: ?>>
    %column = memref.subview %part[0, 0] [%size, 1] [1, 1] : memref<?x1xf64, strided<[3, 1], offset: ?>> to memref<?xf64, strided<[3], offset: ?>>
    weave.gather_shards %team shard(%column : memref<?xf64, strided<[3], offset: ?>>) dim(0) into(%all : memref<8xf64>)
  }
  memref.dealloc %all : memref<8xf64>
  return
}

// -----

// The runtime has no bf16: rows are gathered, and each worker combines them in
// the fixed tree.
// CHECK-LABEL: func.func private @bf16_worker(
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<128x2xbf16>
// CHECK: call @scanweave_gather_shards(
// CHECK: scf.while
// CHECK: arith.addf {{.*}} : bf16
// CHECK: scf.if
// CHECK: arith.select
func.func @bf16(%x: memref<2xbf16>) {
  weave.launch @bf16_worker inits(%x : memref<2xbf16>)
  return
}
func.func private @bf16_worker(%team: !weave.team, %x: memref<2xbf16>) {
  %n = arith.constant 1000 : index
  %rows = memref.alloc(%n) : memref<?x2xbf16>
  weave.all_reduce <add> %team rows(%rows : memref<?x2xbf16>) extent(%n) into(%x : memref<2xbf16>)
  memref.dealloc %rows : memref<?x2xbf16>
  return
}
