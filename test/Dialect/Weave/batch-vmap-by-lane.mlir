// SPDX-License-Identifier: Apache-2.0
//
// What has no rule runs in a loop over lanes, and only that.
//
// RUN: weave-opt -weave-batch-vmap -canonicalize %s 2>/dev/null | FileCheck %s

// CHECK-LABEL: func @while(
// CHECK-SAME:    %[[XS:.*]]: tensor<4xi32>)
// CHECK:         %[[D:.*]] = arith.addi %[[XS]], %[[XS]] : tensor<4xi32>
// CHECK:         %[[R:.*]] = scf.for %[[LANE:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[OUT:.*]] = %{{.*}}) -> (tensor<4xi32>)
// CHECK:           %[[X:.*]] = tensor.extract %[[D]][%[[LANE]]] : tensor<4xi32>
// CHECK:           %[[W:.*]] = scf.while (%{{.*}} = %[[X]])
// CHECK:             arith.index_cast %[[LANE]] : index to i32
// CHECK:           tensor.insert %[[W]] into %[[OUT]][%[[LANE]]] : tensor<4xi32>
// CHECK:         arith.muli %[[R]], %[[XS]] : tensor<4xi32>
func.func @while(%xs: tensor<4xi32>) -> tensor<4xi32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xi32>) {
    %d = arith.addi %x, %x : i32
    %y = scf.while (%a = %d) : (i32) -> i32 {
      %c = arith.constant 100 : i32
      %more = arith.cmpi slt, %a, %c : i32
      scf.condition(%more) %a : i32
    } do {
    ^bb0(%a: i32):
      %lane = weave.axis_index %i : index
      %l = arith.index_cast %lane : index to i32
      %one = arith.constant 1 : i32
      %m = arith.addi %l, %one : i32
      %n = arith.addi %a, %m : i32
      scf.yield %n : i32
    }
    %z = arith.muli %y, %x : i32
    weave.yield %z : i32
  } -> tensor<4xi32>
  return %ys : tensor<4xi32>
}

// Writing at each lane's own place, into tensors.
// CHECK-LABEL: func @scatter(
// CHECK-SAME:    %[[XS:.*]]: tensor<?x3xf32>, %[[JS:.*]]: tensor<?xindex>)
// CHECK:         %[[N:.*]] = tensor.dim %[[XS]]
// CHECK:         scf.for %[[LANE:.*]] = %{{.*}} to %[[N]]
// CHECK-DAG:       %[[J:.*]] = tensor.extract %[[JS]][%[[LANE]]] : tensor<?xindex>
// CHECK-DAG:       %[[X:.*]] = tensor.extract_slice %[[XS]][%[[LANE]], 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
// CHECK:           %[[Y:.*]] = tensor.insert %{{.*}} into %[[X]][%[[J]]]
// CHECK:           tensor.insert_slice %[[Y]] into %{{.*}}[%[[LANE]], 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<?x3xf32>
func.func @scatter(%xs: tensor<?x3xf32>, %js: tensor<?xindex>) -> tensor<?x3xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<?x3xf32>, %j = %js : tensor<?xindex>) {
    %zero = arith.constant 0.0 : f32
    %y = tensor.insert %zero into %x[%j] : tensor<3xf32>
    weave.yield %y : tensor<3xf32>
  } -> tensor<?x3xf32>
  return %ys : tensor<?x3xf32>
}
