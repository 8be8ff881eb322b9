// SPDX-License-Identifier: Apache-2.0
//
// A reversed scan over steps that only count, which workers run in several chunks:
// each chunk's stacked values go to the places that they have in the whole.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --threads 1,2,3 --program %s | FileCheck %s

// CHECK: last: [] 32
// CHECK: stacked: [5] 16 8 4 2 1
func.func @main(%x: f32 {weave.name = "x", weave.default = 1.0 : f32}, %n: i32 {weave.name = "n", weave.default = 5 : i32}) -> (
    f32 {weave.name = "last"}, tensor<?xf32> {weave.name = "stacked"}) {
  %steps = arith.index_cast %n : i32 to index
  %halves = arith.constant dense<0.25> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %r:2 = weave.scan carry(%c = %x : f32) length(%steps) reverse {
    %ys = weave.pmap %i (%h = %halves : tensor<4xf32>) {
      %y = arith.mulf %c, %h : f32
      weave.yield %y : f32
    } -> tensor<4xf32>
    %s = linalg.reduce {arith.addf} ins(%ys : tensor<4xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    %t = tensor.extract %s[] : tensor<f32>
    %d = arith.addf %c, %t : f32
    weave.yield carry(%d : f32) ys(%c : f32)
  } -> f32, tensor<?xf32>
  return %r#0, %r#1 : f32, tensor<?xf32>
}
