// An input of a reduction that has not the reduced dimension, here a weight for
// each lane of a vmap, was taken to have it, and the compiler crashed.
//
// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t.o0 && %t.o0 --r %t.expected.npy
// RUN: weavec %s -o %t.o2 && %t.o2 --r %t.npy
// RUN: cmp %t.npy %t.expected.npy
// RUN: %t.o2 | FileCheck %s
// CHECK: {{\[10\. 10\. 10\.\]}}
func.func @main(%x: tensor<4x3x5xf32> {weave.name = "x", weave.default = 1.0 : f32},
                %w: tensor<4xf32> {weave.name = "w", weave.default = 2.0 : f32})
    -> (tensor<4x3xf32> {weave.name = "r"}) {
  %r = weave.vmap %i (%a = %x : tensor<4x3x5xf32>, %s = %w : tensor<4xf32>) {
    %z = arith.constant dense<0.0> : tensor<3xf32>
    %q = weave.reduce <add> maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>]
        iterators ["reduction", "parallel"] ins(%a : tensor<3x5xf32>) init(%z : tensor<3xf32>) {
      ^bb0(%p: f32, %acc: f32):
        %t = math.fma %p, %s, %acc : f32
        weave.yield %t : f32
    } -> tensor<3xf32>
    weave.yield %q : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
