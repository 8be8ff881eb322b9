// RUN: weave-opt %s --weave-hoist-allocas="max-bytes=64" | FileCheck %s

// One buffer for all steps.
// CHECK-LABEL: func.func @loop
//  CHECK-NEXT:   %[[B:.*]] = memref.alloca() : memref<4xf32>
//       CHECK:   scf.for
//   CHECK-NOT:     memref.alloc
//       CHECK:     memref.store %{{.*}}, %[[B]]
func.func @loop(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloca() : memref<4xf32>
    memref.store %x, %b[%c0] : memref<4xf32>
  }
  return
}

// What is too large together is allocated once a call.
// CHECK-LABEL: func.func @large
//   CHECK-DAG:   memref.alloca() : memref<8xf64>
//   CHECK-DAG:   %[[B:.*]] = memref.alloc() : memref<3xi8>
//       CHECK:   scf.for
//   CHECK-NOT:     memref.alloc
//       CHECK:   memref.dealloc %[[B]]
//  CHECK-NEXT:   return
func.func @large(%n: index, %x: f64, %y: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<8xf64>
    %b = memref.alloca() : memref<3xi8>
    memref.store %x, %a[%c0] : memref<8xf64>
    memref.store %y, %b[%c0] : memref<3xi8>
  }
  return
}

// A dynamic size is not known at the beginning.
// CHECK-LABEL: func.func @dynamic
//       CHECK:   scf.for
//       CHECK:     memref.alloca(%{{.*}})
func.func @dynamic(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloca(%i) : memref<?xf32>
    memref.store %x, %b[%c0] : memref<?xf32>
  }
  return
}
