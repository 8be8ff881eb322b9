// SPDX-License-Identifier: Apache-2.0
//
// Operations over an iteration space, and random draws.
//
// RUN: weave-opt -weave-batch-vmap -canonicalize -split-input-file %s | FileCheck %s

// One more parallel dimension; the matrix that all lanes share has no map for it.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func @matmul(
// CHECK:         linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<4x3x5xf32>, tensor<5x2xf32>)
func.func @matmul(%as: tensor<4x3x5xf32>, %b: tensor<5x2xf32>, %c: tensor<3x2xf32>) -> tensor<4x3x2xf32> {
  %r = weave.vmap %i (%a = %as : tensor<4x3x5xf32>) {
    %m = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x2xf32>) outs(%c : tensor<3x2xf32>) -> tensor<3x2xf32>
    weave.yield %m : tensor<3x2xf32>
  } -> tensor<4x3x2xf32>
  return %r : tensor<4x3x2xf32>
}

// -----

// What a body captures becomes its input; a tensor is read at the lane; linalg.index
// counts the dimensions behind the lanes.
// CHECK-LABEL: func @captured(
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %[[TS:.*]]: tensor<4x3xf32>)
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<4xf32>)
// CHECK:         ^bb0(%[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-DAG:       %[[LANE:.*]] = linalg.index 0
// CHECK-DAG:       %[[K:.*]] = linalg.index 1
// CHECK:           %[[T:.*]] = tensor.extract %[[TS]][%[[LANE]], %[[K]]] : tensor<4x3xf32>
// CHECK:           arith.mulf %[[S]], %[[T]]
func.func @captured(%ss: tensor<4xf32>, %ts: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = weave.vmap %i (%s = %ss : tensor<4xf32>, %t = %ts : tensor<4x3xf32>) {
    %e = tensor.empty() : tensor<3xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
    ^bb0(%out: f32):
      %k = linalg.index 0 : index
      %u = tensor.extract %t[%k] : tensor<3xf32>
      %v = arith.mulf %s, %u : f32
      linalg.yield %v : f32
    } -> tensor<3xf32>
    weave.yield %m : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// The dimension that is cut into grains is the same one as before.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK-DAG: #[[S:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-DAG: #[[R:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func @reduce(
// CHECK:         weave.reduce <add> maps [#[[X]], #[[S]], #[[R]]] iterators ["parallel", "reduction", "parallel"]
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<4x3x5xf32>, tensor<4xf32>) init(%{{.*}} : tensor<4x3xf32>)
func.func @reduce(%as: tensor<4x3x5xf32>, %ss: tensor<4xf32>) -> tensor<4x3xf32> {
  %r = weave.vmap %i (%a = %as : tensor<4x3x5xf32>, %s = %ss : tensor<4xf32>) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %q = weave.reduce <add> maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>] iterators ["reduction", "parallel"]
        ins(%a : tensor<3x5xf32>) init(%z : tensor<3xf32>) {
    ^bb0(%p: f32, %acc: f32):
      %t = math.fma %p, %s, %acc : f32
      weave.yield %t : f32
    } -> tensor<3xf32>
    weave.yield %q : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// Keys are batch dimensions of a draw; a draw with the same key on all lanes is
// made once.
// CHECK-LABEL: func @draws(
// CHECK-SAME:    %[[KEY:.*]]: tensor<2xi32>, %[[SEEDS:.*]]: tensor<4xi64>)
// CHECK:         %[[KEYS:.*]] = weave.random.fold_in %[[KEY]], %{{.*}} : tensor<2xi32>, tensor<4xindex> -> tensor<4x2xi32>
// CHECK:         weave.random.normal %[[KEYS]] : tensor<4x2xi32> -> tensor<4x10xf32>
// CHECK:         weave.random.uniform %[[KEY]] : tensor<2xi32> -> tensor<10xf32>
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[SEEDS]], %{{.*}} : tensor<4xi64>
// CHECK:         %[[SEEDED:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 1] [4, 1] [1, 1] : tensor<4xi32> into tensor<4x2xi32>
// CHECK:         %[[SPLIT:.*]] = weave.random.split %[[SEEDED]] : tensor<4x2xi32> -> tensor<4x3x2xi32>
func.func @draws(%key: tensor<2xi32>, %seeds: tensor<4xi64>) -> (tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x3x2xi32>) {
  %r:3 = weave.vmap %i (%seed = %seeds : tensor<4xi64>) {
    %lane = weave.axis_index %i : index
    %k = weave.random.fold_in %key, %lane : tensor<2xi32>, index -> tensor<2xi32>
    %z = weave.random.normal %k : tensor<2xi32> -> tensor<10xf32>
    %u = weave.random.uniform %key : tensor<2xi32> -> tensor<10xf32>
    %k2 = weave.random.key %seed : i64 -> tensor<2xi32>
    %k3 = weave.random.split %k2 : tensor<2xi32> -> tensor<3x2xi32>
    weave.yield %z, %u, %k3 : tensor<10xf32>, tensor<10xf32>, tensor<3x2xi32>
  } -> tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x3x2xi32>
  return %r#0, %r#1, %r#2 : tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x3x2xi32>
}

// -----

// CHECK-LABEL: func @dynamic_draws(
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK:         weave.random.normal %{{.*}} sizes(%[[N]]) : tensor<?x2xi32> -> tensor<?x10xf32>
func.func @dynamic_draws(%keys: tensor<?x2xi32>) -> tensor<?x10xf32> {
  %r = weave.vmap %i (%key = %keys : tensor<?x2xi32>) {
    %z = weave.random.normal %key : tensor<2xi32> -> tensor<10xf32>
    weave.yield %z : tensor<10xf32>
  } -> tensor<?x10xf32>
  return %r : tensor<?x10xf32>
}
