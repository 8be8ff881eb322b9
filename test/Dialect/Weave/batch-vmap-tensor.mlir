// SPDX-License-Identifier: Apache-2.0
//
// The tensor dialect in a vmap.
//
// RUN: weave-opt -weave-batch-vmap -canonicalize %s | FileCheck %s

// An element at the same place on all lanes is a slice; at each lane's own, a gather.
// CHECK-LABEL: func @extract(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x3xf32>, %[[JS:.*]]: tensor<4xindex>, %[[J:.*]]: index, %[[T:.*]]: tensor<9xf32>)
// CHECK:         tensor.extract_slice %[[XS]][0, %[[J]]] [4, 1] [1, 1] : tensor<4x3xf32> to tensor<4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[JS]] : tensor<4xindex>)
// CHECK:         ^bb0(%[[AT:.*]]: index, %{{.*}}: f32):
// CHECK:           %[[LANE:.*]] = linalg.index 0
// CHECK:           tensor.extract %[[XS]][%[[LANE]], %[[AT]]] : tensor<4x3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[JS]] : tensor<4xindex>)
// CHECK:         ^bb0(%[[AT2:.*]]: index, %{{.*}}: f32):
// CHECK:           tensor.extract %[[T]][%[[AT2]]] : tensor<9xf32>
func.func @extract(%xs: tensor<4x3xf32>, %js: tensor<4xindex>, %j: index, %t: tensor<9xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %r:3 = weave.vmap %i (%x = %xs : tensor<4x3xf32>, %k = %js : tensor<4xindex>) {
    %a = tensor.extract %x[%j] : tensor<3xf32>
    %b = tensor.extract %x[%k] : tensor<3xf32>
    %c = tensor.extract %t[%k] : tensor<9xf32>
    weave.yield %a, %b, %c : f32, f32, f32
  } -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @insert(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x3xf32>, %[[SS:.*]]: tensor<4xf32>, %[[J:.*]]: index)
// CHECK:         tensor.insert_slice %[[SS]] into %[[XS]][0, %[[J]]] [4, 1] [1, 1] : tensor<4xf32> into tensor<4x3xf32>
func.func @insert(%xs: tensor<4x3xf32>, %ss: tensor<4xf32>, %j: index) -> tensor<4x3xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<4x3xf32>, %s = %ss : tensor<4xf32>) {
    %a = tensor.insert %s into %x[%j] : tensor<3xf32>
    weave.yield %a : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// Slices, at the same place, and at each lane's own with a dimension dropped.
// CHECK-LABEL: func @slices(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x6x5xf32>, %[[JS:.*]]: tensor<4xindex>)
// CHECK:         tensor.extract_slice %[[XS]][0, 1, 2] [4, 2, 1] [1, 2, 1] : tensor<4x6x5xf32> to tensor<4x2xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[JS]] : tensor<4xindex>) outs(%{{.*}} : tensor<4x2xf32>)
// CHECK:         ^bb0(%[[J:.*]]: index, %{{.*}}: f32):
// CHECK-DAG:       %[[LANE:.*]] = linalg.index 0
// CHECK-DAG:       %[[K:.*]] = linalg.index 1
// CHECK:           %[[BY:.*]] = arith.muli %[[K]], %{{.*}} : index
// CHECK:           %[[COLUMN:.*]] = arith.addi %[[BY]], %{{.*}} : index
// CHECK:           tensor.extract %[[XS]][%[[LANE]], %[[J]], %[[COLUMN]]] : tensor<4x6x5xf32>
func.func @slices(%xs: tensor<4x6x5xf32>, %js: tensor<4xindex>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %r:2 = weave.vmap %i (%x = %xs : tensor<4x6x5xf32>, %j = %js : tensor<4xindex>) {
    %a = tensor.extract_slice %x[1, 2] [2, 1] [2, 1] : tensor<6x5xf32> to tensor<2xf32>
    %b = tensor.extract_slice %x[%j, 1] [1, 2] [1, 2] : tensor<6x5xf32> to tensor<2xf32>
    weave.yield %a, %b : tensor<2xf32>, tensor<2xf32>
  } -> tensor<4x2xf32>, tensor<4x2xf32>
  return %r#0, %r#1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func @insert_slice(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x6xf32>, %[[V:.*]]: tensor<2xf32>, %[[J:.*]]: index)
// CHECK:         %[[VS:.*]] = linalg.broadcast ins(%[[V]] : tensor<2xf32>)
// CHECK:         tensor.insert_slice %[[VS]] into %[[XS]][0, %[[J]]] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x6xf32>
func.func @insert_slice(%xs: tensor<4x6xf32>, %v: tensor<2xf32>, %j: index) -> tensor<4x6xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<4x6xf32>) {
    %a = tensor.insert_slice %v into %x[%j] [2] [1] : tensor<2xf32> into tensor<6xf32>
    weave.yield %a : tensor<6xf32>
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// CHECK-LABEL: func @elements(
// CHECK-SAME:    %[[SS:.*]]: tensor<4xf32>, %[[T:.*]]: f32)
// CHECK:         %[[TS:.*]] = tensor.splat %[[T]] : tensor<4xf32>
// CHECK:         %[[A:.*]] = tensor.insert_slice %[[SS]] into %{{.*}}[0, 0] [4, 1] [1, 1]
// CHECK:         tensor.insert_slice %[[TS]] into %[[A]][0, 1] [4, 1] [1, 1]
// CHECK:         linalg.broadcast ins(%[[SS]] : tensor<4xf32>) outs(%{{.*}} : tensor<4x3xf32>) dimensions = [1]
func.func @elements(%ss: tensor<4xf32>, %t: f32) -> (tensor<4x2xf32>, tensor<4x3xf32>) {
  %r:2 = weave.vmap %i (%s = %ss : tensor<4xf32>) {
    %u = arith.addf %t, %t : f32
    %a = tensor.from_elements %s, %t : tensor<2xf32>
    %b = tensor.splat %s : tensor<3xf32>
    weave.yield %a, %b : tensor<2xf32>, tensor<3xf32>
  } -> tensor<4x2xf32>, tensor<4x3xf32>
  return %r#0, %r#1 : tensor<4x2xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: func @shapes(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x2x3xf32>)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[XS]] {{\[}}[0], [1, 2]] : tensor<4x2x3xf32> into tensor<4x6xf32>
// CHECK:         %[[TWICE:.*]] = tensor.concat dim(1) %[[FLAT]], %[[FLAT]] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
// CHECK:         tensor.pad %[[TWICE]] low[0, 1] high[0, 2]
// CHECK:         tensor.expand_shape %[[TWICE]] {{\[}}[0], [1, 2]] output_shape [4, 4, 3]
func.func @shapes(%xs: tensor<4x2x3xf32>) -> (tensor<4x15xf32>, tensor<4x4x3xf32>) {
  %r:2 = weave.vmap %i (%x = %xs : tensor<4x2x3xf32>) {
    %zero = arith.constant 0.0 : f32
    %flat = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %twice = tensor.concat dim(0) %flat, %flat : (tensor<6xf32>, tensor<6xf32>) -> tensor<12xf32>
    %pad = tensor.pad %twice low[1] high[2] {
    ^bb0(%k: index):
      tensor.yield %zero : f32
    } : tensor<12xf32> to tensor<15xf32>
    %back = tensor.expand_shape %twice [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
    weave.yield %pad, %back : tensor<15xf32>, tensor<4x3xf32>
  } -> tensor<4x15xf32>, tensor<4x4x3xf32>
  return %r#0, %r#1 : tensor<4x15xf32>, tensor<4x4x3xf32>
}

// Tensors of rank 0 and scalars are the same when batched.
// CHECK-LABEL: func @rank_0(
// CHECK-SAME:    %[[XS:.*]]: tensor<4x1xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[XS]] {{\[}}[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
// CHECK:         return %[[C]]
func.func @rank_0(%xs: tensor<4x1xf32>) -> tensor<4xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<4x1xf32>) {
    %c = tensor.collapse_shape %x [] : tensor<1xf32> into tensor<f32>
    %s = tensor.extract %c[] : tensor<f32>
    weave.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Extents are the same on all lanes.
// CHECK-LABEL: func @generate(
// CHECK-SAME:    %[[SS:.*]]: tensor<4xindex>)
// CHECK:         tensor.generate
// CHECK:         ^bb0(%[[LANE:.*]]: index, %[[K:.*]]: index):
// CHECK:           arith.addi %[[K]], %{{.*}} : index
// CHECK:         } : tensor<4x3xindex>
func.func @generate(%ss: tensor<4xindex>) -> tensor<4x3xindex> {
  %r = weave.vmap %i (%s = %ss : tensor<4xindex>) {
    %g = tensor.generate {
    ^bb0(%k: index):
      %a = arith.addi %k, %s : index
      tensor.yield %a : index
    } : tensor<3xindex>
    weave.yield %g : tensor<3xindex>
  } -> tensor<4x3xindex>
  return %r : tensor<4x3xindex>
}

// Slices of no elements are empty tensors, of which no constant offset can be
// outside.
// CHECK-LABEL: func @no_lanes(
// CHECK-SAME:    %[[XS:.*]]: tensor<0x6xf32>, %[[SS:.*]]: tensor<0xf32>)
// CHECK-NOT:     insert_slice
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<0x2xf32>
// CHECK:         return %[[E]], %[[XS]]
func.func @no_lanes(%xs: tensor<0x6xf32>, %ss: tensor<0xf32>) -> (tensor<0x2xf32>, tensor<0x6xf32>) {
  %r:2 = weave.vmap %i (%x = %xs : tensor<0x6xf32>, %s = %ss : tensor<0xf32>) {
    %c3 = arith.constant 3 : index
    %a = tensor.extract_slice %x[1] [2] [1] : tensor<6xf32> to tensor<2xf32>
    %b = tensor.insert %s into %x[%c3] : tensor<6xf32>
    weave.yield %a, %b : tensor<2xf32>, tensor<6xf32>
  } -> tensor<0x2xf32>, tensor<0x6xf32>
  return %r#0, %r#1 : tensor<0x2xf32>, tensor<0x6xf32>
}
