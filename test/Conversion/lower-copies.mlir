// RUN: weave-opt %s --weave-lower-copies | FileCheck %s

// A copy is a loop of the program's, not a call into a library.
// CHECK-LABEL: func.func @copy
//       CHECK:   linalg.copy ins(%{{.*}} : memref<4xf32>) outs(%{{.*}} : memref<4xf32, strided<[1], offset: ?>>)
//   CHECK-NOT:   memref.copy
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32, strided<[1], offset: ?>>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
