// SPDX-License-Identifier: Apache-2.0
//
// Contractions, reductions, draws and maps in a vmap: what a lane computes does not
// depend on the form in which it runs. The pmap form gives the same bits.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --threads 1,2,3 --program %s | FileCheck %s

// CHECK: matmul: [7, 2, 3]
// CHECK: differences: [6] 0 0 0 0 0 0

func.func private @lane(%key: tensor<2xi32>, %b: tensor<5x3xf32>) -> (tensor<2x3xf32>, f32, tensor<4xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = weave.random.normal %key : tensor<2xi32> -> tensor<2x5xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %m = linalg.matmul ins(%a, %b : tensor<2x5xf32>, tensor<5x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
  %long = weave.random.uniform %key : tensor<2xi32> -> tensor<1000xf32>
  %z0 = arith.constant dense<0.0> : tensor<f32>
  %s0 = linalg.dot ins(%long, %long : tensor<1000xf32>, tensor<1000xf32>) outs(%z0 : tensor<f32>) -> tensor<f32>
  %s = tensor.extract %s0[] : tensor<f32>
  %keys = weave.random.split %key : tensor<2xi32> -> tensor<4x2xi32>
  %inner = weave.vmap %j (%k = %keys : tensor<4x2xi32>) {
    %d = weave.random.normal %k : tensor<2xi32> -> tensor<6xf32>
    %t0 = linalg.reduce {arith.addf} ins(%d : tensor<6xf32>) outs(%z0 : tensor<f32>) dimensions = [0]
    %t = tensor.extract %t0[] : tensor<f32>
    %u = math.fma %t, %s, %t : f32
    weave.yield %u : f32
  } -> tensor<4xf32>
  %z3 = arith.constant dense<0.0> : tensor<3xf32>
  %v = linalg.reduce {arith.maximumf} ins(%m : tensor<2x3xf32>) outs(%z3 : tensor<3xf32>) dimensions = [0]
  return %m, %s, %inner, %v : tensor<2x3xf32>, f32, tensor<4xf32>, tensor<3xf32>
}

func.func @main(%seed: i32 {weave.name = "seed", weave.default = 3 : i32}) -> (
    tensor<7x2x3xf32> {weave.name = "matmul"}, tensor<7xf32> {weave.name = "dot"}, tensor<4x7xf32> {weave.name = "inner"},
    tensor<7x3xf32> {weave.name = "greatest"}, tensor<6xf32> {weave.name = "differences"}) {
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %keys = weave.random.split %key : tensor<2xi32> -> tensor<7x2xi32>
  %b = weave.random.normal %key : tensor<2xi32> -> tensor<5x3xf32>
  %r:4 = weave.vmap %i (%k = %keys : tensor<7x2xi32>) out_axes [0, 0, 1, 0] {
    %l:4 = func.call @lane(%k, %b) : (tensor<2xi32>, tensor<5x3xf32>) -> (tensor<2x3xf32>, f32, tensor<4xf32>, tensor<3xf32>)
    weave.yield %l#0, %l#1, %l#2, %l#3 : tensor<2x3xf32>, f32, tensor<4xf32>, tensor<3xf32>
  } -> tensor<7x2x3xf32>, tensor<7xf32>, tensor<4x7xf32>, tensor<7x3xf32>
  %p:4 = weave.pmap %i (%k = %keys : tensor<7x2xi32>) out_axes [0, 0, 1, 0] {
    %l:4 = func.call @lane(%k, %b) : (tensor<2xi32>, tensor<5x3xf32>) -> (tensor<2x3xf32>, f32, tensor<4xf32>, tensor<3xf32>)
    weave.yield %l#0, %l#1, %l#2, %l#3 : tensor<2x3xf32>, f32, tensor<4xf32>, tensor<3xf32>
  } -> tensor<7x2x3xf32>, tensor<7xf32>, tensor<4x7xf32>, tensor<7x3xf32>
  // Some of the differences between both.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %dm = arith.subf %r#0, %p#0 : tensor<7x2x3xf32>
  %dd = arith.subf %r#1, %p#1 : tensor<7xf32>
  %di = arith.subf %r#2, %p#2 : tensor<4x7xf32>
  %dv = arith.subf %r#3, %p#3 : tensor<7x3xf32>
  %d0 = tensor.extract %dm[%c0, %c1, %c1] : tensor<7x2x3xf32>
  %d1 = tensor.extract %dm[%c6, %c0, %c1] : tensor<7x2x3xf32>
  %d2 = tensor.extract %dd[%c0] : tensor<7xf32>
  %d3 = tensor.extract %dd[%c6] : tensor<7xf32>
  %d4 = tensor.extract %di[%c1, %c6] : tensor<4x7xf32>
  %d5 = tensor.extract %dv[%c6, %c1] : tensor<7x3xf32>
  %ds = tensor.from_elements %d0, %d1, %d2, %d3, %d4, %d5 : tensor<6xf32>
  return %r#0, %r#1, %r#2, %r#3, %ds : tensor<7x2x3xf32>, tensor<7xf32>, tensor<4x7xf32>, tensor<7x3xf32>, tensor<6xf32>
}
