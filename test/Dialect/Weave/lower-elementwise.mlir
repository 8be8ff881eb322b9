// RUN: weave-opt %s --weave-lower-elementwise | FileCheck %s

// The destination is a tensor of its own, not one of the operands.
// CHECK-LABEL: func.func @add
//  CHECK-SAME:   %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>
//       CHECK:   %[[E:.*]] = tensor.empty() : tensor<4xf32>
//       CHECK:   linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[E]] : tensor<4xf32>)
//       CHECK:     arith.addf %{{.*}}, %{{.*}} : f32
func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.addf %a, %b : tensor<4xf32>
  return %c : tensor<4xf32>
}

// The element type changes, attributes stay.
// CHECK-LABEL: func.func @compare
//       CHECK:   tensor.empty() : tensor<2x3xi1>
//       CHECK:     arith.cmpf ult, %{{.*}}, %{{.*}} : f64
func.func @compare(%a: tensor<2x3xf64>, %b: tensor<2x3xf64>) -> tensor<2x3xi1> {
  %c = arith.cmpf ult, %a, %b : tensor<2x3xf64>
  return %c : tensor<2x3xi1>
}

// Tensors of rank 0 are tensors.
// CHECK-LABEL: func.func @rank0
//       CHECK:   linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = []}
func.func @rank0(%a: tensor<f32>) -> tensor<f32> {
  %c = math.sqrt %a : tensor<f32>
  return %c : tensor<f32>
}

// Extents that may differ are compared.
// CHECK-LABEL: func.func @dynamic
//  CHECK-SAME:   %[[A:.*]]: tensor<?x2xi32>, %[[B:.*]]: tensor<?x2xi32>
//   CHECK-DAG:   %[[M:.*]] = tensor.dim %[[A]]
//   CHECK-DAG:   %[[N:.*]] = tensor.dim %[[B]]
//       CHECK:   %[[EQ:.*]] = arith.cmpi eq, %[[M]], %[[N]]
//       CHECK:   cf.assert %[[EQ]], "the operands differ in dimension 0"
//   CHECK-NOT:   cf.assert
func.func @dynamic(%a: tensor<?x2xi32>, %b: tensor<?x2xi32>) -> tensor<?x2xi32> {
  %c = arith.addi %a, %b : tensor<?x2xi32>
  %d = arith.muli %a, %a : tensor<?x2xi32>
  %e = arith.subi %a, %d : tensor<?x2xi32>
  return %c : tensor<?x2xi32>
}

// A choice between two tensors by one condition is a tensor of its own.
// CHECK-LABEL: func.func @choice
//  CHECK-SAME:   %[[P:.*]]: i1, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>
//       CHECK:   %[[E:.*]] = tensor.empty() : tensor<4xf32>
//       CHECK:   linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[E]] : tensor<4xf32>)
//       CHECK:   ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
//       CHECK:     arith.select %[[P]], %[[X]], %[[Y]] : f32
func.func @choice(%p: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.select %p, %a, %b : tensor<4xf32>
  return %c : tensor<4xf32>
}

// Numbers are left alone.
// CHECK-LABEL: func.func @alone
//       CHECK:   arith.addf %{{.*}}, %{{.*}} : f32
//   CHECK-NOT:   linalg
func.func @alone(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
