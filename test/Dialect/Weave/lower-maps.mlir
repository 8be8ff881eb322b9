// RUN: weave-opt %s --weave-lower-maps --split-input-file | FileCheck %s

// A lane's slice of a matrix is a row, of a vector a number; what the lanes
// yield is put into the results in place.
// CHECK-LABEL: func.func @rows
//  CHECK-SAME:   %[[ZS:.*]]: tensor<4x10xf32>, %[[S:.*]]: tensor<4xf32>
//   CHECK-DAG:   %[[N:.*]] = arith.constant 4 : index
//   CHECK-DAG:   %[[E0:.*]] = tensor.empty() : tensor<4x10xf32>
//   CHECK-DAG:   %[[E1:.*]] = tensor.empty() : tensor<4xf32>
//       CHECK:   %[[R:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[D0:.*]] = %[[E0]], %[[D1:.*]] = %[[E1]])
//   CHECK-DAG:     %[[Z:.*]] = tensor.extract_slice %[[ZS]][%[[I]], 0] [1, 10] [1, 1] : tensor<4x10xf32> to tensor<10xf32>
//   CHECK-DAG:     %[[A:.*]] = tensor.extract %[[S]][%[[I]]]
//       CHECK:     %[[Y:.*]] = arith.addf %[[Z]], %[[Z]]
//       CHECK:     %[[Q:.*]] = arith.mulf %[[A]], %[[A]]
//       CHECK:     %[[N0:.*]] = tensor.insert_slice %[[Y]] into %[[D0]][%[[I]], 0] [1, 10] [1, 1]
//       CHECK:     %[[N1:.*]] = tensor.insert %[[Q]] into %[[D1]][%[[I]]]
//       CHECK:     scf.yield %[[N0]], %[[N1]]
//       CHECK:   return %[[R]]#0, %[[R]]#1
func.func @rows(%zs: tensor<4x10xf32>, %s: tensor<4xf32>) -> (tensor<4x10xf32>, tensor<4xf32>) {
  %r:2 = weave.pmap %i (%z = %zs : tensor<4x10xf32>, %a = %s : tensor<4xf32>) {
    %y = arith.addf %z, %z : tensor<10xf32>
    %q = arith.mulf %a, %a : f32
    weave.yield %y, %q : tensor<10xf32>, f32
  } -> tensor<4x10xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<4x10xf32>, tensor<4xf32>
}

// -----

// The lane's number and the number of lanes; without inputs, `lanes` says it.
// CHECK-LABEL: func.func @numbers
//  CHECK-SAME:   %[[N:.*]]: index
//       CHECK:   %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?xindex>
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[D:.*]] = %[[E]])
//       CHECK:     %[[S:.*]] = arith.addi %[[I]], %[[N]]
//       CHECK:     tensor.insert %[[S]] into %[[D]][%[[I]]]
func.func @numbers(%n: index) -> tensor<?xindex> {
  %r = weave.vmap %i () lanes(%n) {
    %k = weave.axis_index %i : index
    %m = weave.axis_size %i : index
    %s = arith.addi %k, %m : index
    weave.yield %s : index
  } -> tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

// Other axes than the first.
// CHECK-LABEL: func.func @axes
//       CHECK:   tensor.extract_slice %{{.*}}[0, %[[I:.*]]] [3, 1] [1, 1] : tensor<3x5xf64> to tensor<3xf64>
//       CHECK:   tensor.insert_slice %{{.*}} into %{{.*}}[0, %[[I]]] [3, 1] [1, 1] : tensor<3xf64> into tensor<3x5xf64>
func.func @axes(%a: tensor<3x5xf64>) -> tensor<3x5xf64> {
  %r = weave.pmap %i (%x = %a : tensor<3x5xf64>) in_axes [1] out_axes [1] {
    %y = arith.negf %x : tensor<3xf64>
    weave.yield %y : tensor<3xf64>
  } -> tensor<3x5xf64>
  return %r : tensor<3x5xf64>
}

// -----

// Numbers of lanes that are only known at run time are compared.
// CHECK-LABEL: func.func @differ
//  CHECK-SAME:   %[[A:.*]]: tensor<?xi8>, %[[B:.*]]: tensor<?xi8>
//   CHECK-DAG:   %[[M:.*]] = tensor.dim %[[A]]
//   CHECK-DAG:   %[[N:.*]] = tensor.dim %[[B]]
//       CHECK:   %[[EQ:.*]] = arith.cmpi eq, %[[N]], %[[M]]
//       CHECK:   cf.assert %[[EQ]], "mapped inputs differ in their number of lanes"
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %[[M]]
func.func @differ(%a: tensor<?xi8>, %b: tensor<?xi8>) -> tensor<?xi8> {
  %r = weave.pmap %i (%x = %a : tensor<?xi8>, %y = %b : tensor<?xi8>) {
    %s = arith.addi %x, %y : i8
    weave.yield %s : i8
  } -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// -----

// Maps in maps: the outer lane's loop holds the inner one's.
// CHECK-LABEL: func.func @nested
//       CHECK:   scf.for
//       CHECK:     scf.for
//   CHECK-NOT:   weave
func.func @nested(%a: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %r = weave.pmap %i (%x = %a : tensor<2x3xi1>) {
    %q = weave.vmap %j (%y = %x : tensor<3xi1>) {
      %t = arith.constant true
      %n = arith.xori %y, %t : i1
      weave.yield %n : i1
    } -> tensor<3xi1>
    weave.yield %q : tensor<3xi1>
  } -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
