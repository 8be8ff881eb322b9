// SPDX-License-Identifier: Apache-2.0
//
// A value that is cut along its second dimension and needed whole by all workers:
// the exchange copies parts that are not contiguous, without a function that only
// MLIR's runner has.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --program %s | FileCheck %s

// CHECK: r: [] 36
func.func @main(%x: f32 {weave.name = "x", weave.default = -6.0 : f32}) -> (f32 {weave.name = "r"}) {
  %two = arith.constant 2 : index
  %vs = weave.vmap %i lanes(%two) {
    %ps = weave.pmap %j lanes(%two) {
      %lane = weave.axis_index %j : index
      %k = arith.index_cast %lane : index to i32
      %f = arith.sitofp %k : i32 to f32
      %half = arith.constant 0.5 : f32
      %g = arith.subf %f, %half : f32
      %h = arith.addf %g, %g : f32
      %y = arith.mulf %x, %h : f32
      weave.yield %y : f32
    } -> tensor<2xf32>
    weave.yield %ps : tensor<2xf32>
  } -> tensor<2x2xf32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %r = linalg.reduce {arith.mulf} ins(%vs : tensor<2x2xf32>) outs(%one : tensor<f32>) dimensions = [0, 1]
  %s = tensor.extract %r[] : tensor<f32>
  %root = math.sqrt %s : f32
  return %root : f32
}
