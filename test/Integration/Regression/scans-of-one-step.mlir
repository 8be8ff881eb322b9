// SPDX-License-Identifier: Apache-2.0
//
// Loops that dissolve, since they have one step or are unrolled whole: what tied a
// carry to its buffer then tied constants, and values that others read.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --program %s | FileCheck %s

// CHECK: one: [3] 0.5 1 1.5
// CHECK: unrolled: [3] 1 2 3
// CHECK: stacked: [3, 3] 1 2 3 1 2 3 1 2 3
func.func @main() -> (tensor<3xf32> {weave.name = "one"}, tensor<3xf32> {weave.name = "unrolled"},
                      tensor<3x3xf32> {weave.name = "stacked"}) {
  %a = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %h = arith.constant dense<0.5> : tensor<3xf32>
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = weave.scan carry(%x = %a : tensor<3xf32>) length(%c1) {
    %y = arith.mulf %a, %h : tensor<3xf32>
    weave.yield carry(%y : tensor<3xf32>)
  } -> tensor<3xf32>
  %r:2 = weave.scan carry(%x = %a : tensor<3xf32>) length(%c3) unroll(2) {
    weave.yield carry(%a : tensor<3xf32>) ys(%x : tensor<3xf32>)
  } -> tensor<3xf32>, tensor<3x3xf32>
  return %one, %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>
}
