// RUN: weave-opt %s -allow-unregistered-dialect -weave-merge-slices | FileCheck %s

// Equal slices become one, slices of slices too; others, and slices that don't
// dominate, stay.
// CHECK-LABEL: func.func @merge(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[I:.*]]: index, %[[C:.*]]: i1)
// CHECK: %[[A:.*]] = tensor.extract_slice %[[X]][%[[I]], 0]
// CHECK: %[[B:.*]] = tensor.extract_slice %[[A]][2]
// CHECK-NOT: tensor.extract_slice
// CHECK: "test.use"(%[[A]], %[[A]], %[[B]], %[[B]])
// CHECK: %[[D:.*]] = tensor.extract_slice %[[X]][%[[I]], 1]
// CHECK: "test.use"(%[[D]])
// CHECK: scf.if
// CHECK: tensor.extract_slice %[[X]][0, 0]
// CHECK: else
// CHECK: tensor.extract_slice %[[X]][0, 0]
func.func @merge(%x: tensor<4x8xf32>, %i: index, %c: i1) {
  %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %a2 = tensor.extract_slice %a[2] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %b = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %b2 = tensor.extract_slice %b[2] [2] [1] : tensor<8xf32> to tensor<2xf32>
  "test.use"(%a, %b, %a2, %b2) : (tensor<8xf32>, tensor<8xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
  %d = tensor.extract_slice %x[%i, 1] [1, 7] [1, 1] : tensor<4x8xf32> to tensor<7xf32>
  "test.use"(%d) : (tensor<7xf32>) -> ()
  scf.if %c {
    %e = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    "test.use"(%e) : (tensor<8xf32>) -> ()
  } else {
    %e = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    "test.use"(%e) : (tensor<8xf32>) -> ()
  }
  return
}
