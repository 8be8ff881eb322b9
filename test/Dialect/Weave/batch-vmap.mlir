// SPDX-License-Identifier: Apache-2.0
//
// RUN: weave-opt -weave-batch-vmap -canonicalize %s | FileCheck %s

// Scalars become tensors over the lanes; what is the same on all lanes is repeated
// where it meets them, and stays a scalar elsewhere.
// CHECK-LABEL: func @scalars(
// CHECK-SAME:    %[[XS:.*]]: tensor<4xf32>, %[[S:.*]]: f32)
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK:         %[[T:.*]] = arith.mulf %[[S]], %[[S]] : f32
// CHECK:         %[[TS:.*]] = tensor.splat %[[T]] : tensor<4xf32>
// CHECK:         %[[Y:.*]] = arith.mulf %[[XS]], %[[TS]] : tensor<4xf32>
// CHECK:         %[[Z:.*]] = math.fma %[[Y]], %[[XS]], %[[ONE]] : tensor<4xf32>
// CHECK:         return %[[Z]]
func.func @scalars(%xs: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %zs = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    %one = arith.constant 1.0 : f32
    %t = arith.mulf %s, %s : f32
    %y = arith.mulf %x, %t : f32
    %z = math.fma %y, %x, %one : f32
    weave.yield %z : f32
  } -> tensor<4xf32>
  return %zs : tensor<4xf32>
}

// Mapped axes that are not the first one are moved there and back.
// CHECK-LABEL: func @axes(
// CHECK-SAME:    %[[XS:.*]]: tensor<3x4xf32>, %[[V:.*]]: tensor<3xf32>)
// CHECK:         %[[IN:.*]] = linalg.transpose ins(%[[XS]] : tensor<3x4xf32>) {{.*}} permutation = [1, 0]
// CHECK:         %[[VS:.*]] = linalg.broadcast ins(%[[V]] : tensor<3xf32>) {{.*}} dimensions = [0]
// CHECK:         %[[Y:.*]] = arith.addf %[[IN]], %[[VS]] : tensor<4x3xf32>
// CHECK:         linalg.transpose ins(%[[Y]] : tensor<4x3xf32>) {{.*}} permutation = [1, 0]
func.func @axes(%xs: tensor<3x4xf32>, %v: tensor<3xf32>) -> tensor<3x4xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<3x4xf32>) in_axes [1] out_axes [1] {
    %y = arith.addf %x, %v : tensor<3xf32>
    weave.yield %y : tensor<3xf32>
  } -> tensor<3x4xf32>
  return %ys : tensor<3x4xf32>
}

// Transpositions that undo each other disappear.
// CHECK-LABEL: func @identity(
// CHECK-SAME:    %[[XS:.*]]: tensor<3x4xf32>)
// CHECK-NEXT:    return %[[XS]]
func.func @identity(%xs: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<3x4xf32>) in_axes [1] out_axes [1] {
    weave.yield %x : tensor<3xf32>
  } -> tensor<3x4xf32>
  return %ys : tensor<3x4xf32>
}

// Any number of lanes, also none and one that is known at run time only.
// CHECK-LABEL: func @no_lanes(
// CHECK:         arith.addf %{{.*}}, %{{.*}} : tensor<0xf32>
// CHECK-LABEL: func @dynamic_lanes(
// CHECK-SAME:    %[[XS:.*]]: tensor<?xf32>, %[[S:.*]]: f32)
// CHECK:         %[[N:.*]] = tensor.dim %[[XS]]
// CHECK:         %[[SS:.*]] = tensor.splat %[[S]][%[[N]]] : tensor<?xf32>
// CHECK:         arith.addf %[[XS]], %[[SS]] : tensor<?xf32>
func.func @no_lanes(%xs: tensor<0xf32>, %s: f32) -> tensor<0xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<0xf32>) {
    %y = arith.addf %x, %s : f32
    weave.yield %y : f32
  } -> tensor<0xf32>
  return %ys : tensor<0xf32>
}
func.func @dynamic_lanes(%xs: tensor<?xf32>, %s: f32) -> tensor<?xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<?xf32>) {
    %y = arith.addf %x, %s : f32
    weave.yield %y : f32
  } -> tensor<?xf32>
  return %ys : tensor<?xf32>
}

// A yielded value that is the same on all lanes is stacked.
// CHECK-LABEL: func @same_on_all_lanes(
// CHECK-SAME:    %[[S:.*]]: f32)
// CHECK:         tensor.splat %[[S]] : tensor<5xf32>
func.func @same_on_all_lanes(%s: f32) -> tensor<5xf32> {
  %n = arith.constant 5 : index
  %ys = weave.vmap %i lanes(%n) {
    weave.yield %s : f32
  } -> tensor<5xf32>
  return %ys : tensor<5xf32>
}

// The lane's number is an iota, the number of lanes a constant.
// CHECK-LABEL: func @axis(
// CHECK:         linalg.generic
// CHECK:           linalg.index 0
// CHECK:         arith.addi %{{.*}}, %{{.*}} : tensor<3xindex>
func.func @axis() -> tensor<3xindex> {
  %n = arith.constant 3 : index
  %ys = weave.vmap %i lanes(%n) {
    %lane = weave.axis_index %i : index
    %size = weave.axis_size %i : index
    %y = arith.addi %lane, %size : index
    weave.yield %y : index
  } -> tensor<3xindex>
  return %ys : tensor<3xindex>
}

// One condition for a whole tensor is spread over it.
// CHECK-LABEL: func @select(
// CHECK-SAME:    %[[PS:.*]]: tensor<4xi1>, %[[XS:.*]]: tensor<4x3xf32>, %[[P:.*]]: i1)
// CHECK:         %[[SPREAD:.*]] = linalg.broadcast ins(%[[PS]] : tensor<4xi1>) {{.*}} dimensions = [1]
// CHECK:         %[[Y:.*]] = arith.select %[[SPREAD]], %[[XS]], %{{.*}} : tensor<4x3xi1>, tensor<4x3xf32>
// CHECK:         arith.select %[[P]], %[[XS]], %[[Y]] : tensor<4x3xf32>
func.func @select(%ps: tensor<4xi1>, %xs: tensor<4x3xf32>, %p: i1) -> tensor<4x3xf32> {
  %ys = weave.vmap %i (%q = %ps : tensor<4xi1>, %x = %xs : tensor<4x3xf32>) {
    %zero = arith.constant dense<0.0> : tensor<3xf32>
    %y = arith.select %q, %x, %zero : tensor<3xf32>
    %z = arith.select %p, %x, %y : tensor<3xf32>
    weave.yield %z : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %ys : tensor<4x3xf32>
}

// A vmap in a vmap is two dimensions.
// CHECK-LABEL: func @nested(
// CHECK-SAME:    %[[XS:.*]]: tensor<4xf32>, %[[YS:.*]]: tensor<3xf32>)
// CHECK-DAG:     %[[A:.*]] = linalg.broadcast ins(%[[XS]] : tensor<4xf32>) {{.*}} dimensions = [1]
// CHECK-DAG:     %[[B:.*]] = linalg.broadcast ins(%[[YS]] : tensor<3xf32>) {{.*}} dimensions = [0]
// CHECK:         arith.mulf %[[A]], %[[B]] : tensor<4x3xf32>
func.func @nested(%xs: tensor<4xf32>, %ys: tensor<3xf32>) -> tensor<4x3xf32> {
  %zs = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    %z = weave.vmap %j (%y = %ys : tensor<3xf32>) {
      %p = arith.mulf %x, %y : f32
      weave.yield %p : f32
    } -> tensor<3xf32>
    weave.yield %z : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %zs : tensor<4x3xf32>
}

// The lanes of a pmap in a vmap are left as they are; its body is batched.
// CHECK-LABEL: func @pmap_in_vmap(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x3xf32>, %[[SS:.*]]: tensor<4xf32>)
// CHECK:         weave.pmap %{{.*}} (%[[X:.*]] = %[[XS]] : tensor<4x3xf32>) in_axes [1] out_axes [1]
// CHECK:           arith.addf %[[X]], %[[SS]] : tensor<4xf32>
func.func @pmap_in_vmap(%xs: tensor<4x3xf32>, %ss: tensor<4xf32>) -> tensor<4x3xf32> {
  %zs = weave.vmap %i (%x = %xs : tensor<4x3xf32>, %s = %ss : tensor<4xf32>) {
    %z = weave.pmap %j (%y = %x : tensor<3xf32>) {
      %p = arith.addf %y, %s : f32
      weave.yield %p : f32
    } -> tensor<3xf32>
    weave.yield %z : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %zs : tensor<4x3xf32>
}
