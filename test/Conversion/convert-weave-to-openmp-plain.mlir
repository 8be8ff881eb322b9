// RUN: weave-opt %s -convert-weave-to-openmp=exchange=omp | FileCheck %s

// The plain form: workers write down where their part is, wait, copy all
// parts, wait; then each combines the rows in the fixed tree.
// CHECK-LABEL: func.func private @worker(
// CHECK-SAME: %[[TEAM:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[SHARED:.*]]: !llvm.ptr)
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<128xf32>
// CHECK: %[[MINE:.*]] = llvm.getelementptr %[[SHARED]][%{{.*}}]
// CHECK: llvm.store %{{.*}}, %[[MINE]] : !llvm.ptr
// CHECK: omp.barrier
// CHECK: scf.for
// CHECK: %[[OTHER:.*]] = llvm.getelementptr %[[SHARED]][%{{.*}}]
// CHECK: llvm.load %[[OTHER]]
// CHECK: "llvm.intr.memcpy"
// CHECK: omp.barrier
// CHECK: scf.while
// CHECK: arith.maximumf
// CHECK-NOT: call @scanweave_
// CHECK: return
func.func private @worker(%team: !weave.team, %x: memref<1xf32>) {
  %n = arith.constant 4 : index
  %rows = memref.alloc(%n) : memref<?xf32>
  %dest = memref.alloc() : memref<f32>
  weave.all_reduce <max> %team rows(%rows : memref<?xf32>) extent(%n) into(%dest : memref<f32>)
  weave.barrier %team
  memref.dealloc %rows : memref<?xf32>
  memref.dealloc %dest : memref<f32>
  return
}

// CHECK-LABEL: func.func private @worker_chunk(
// CHECK-SAME: %[[THREADS:[a-z0-9]+]]: i32
// CHECK: %[[ARRAY:.*]] = llvm.alloca %[[THREADS]] x !llvm.ptr
// CHECK: omp.parallel
// CHECK: func.call @worker(%{{.*}}, %{{.*}}, %[[ARRAY]])
func.func @launch(%x: memref<1xf32>) {
  weave.launch @worker inits(%x : memref<1xf32>)
  return
}
