// SPDX-License-Identifier: Apache-2.0
//
// A product of matrices in each step: x' = x w, with entries of w such that the
// size of x stays about the same.

func.func @main(%steps: index {weave.name = "steps", weave.default = 100 : index})
    -> (tensor<1x8xf32> {weave.name = "first"}, tensor<1x8xf32> {weave.name = "last"}) {
  %eleven = arith.constant 11.0 : f32
  %n = arith.constant 256.0 : f32
  %variance = arith.divf %eleven, %n : f32
  %size = math.sqrt %variance : f32
  %sizes = tensor.splat %size : tensor<256x256xf32>
  %half = arith.constant dense<0.5> : tensor<256x256xf32>
  %zeros = arith.constant dense<0.0> : tensor<256x256xf32>

  %seed = arith.constant 0 : i32
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %x0 = weave.random.uniform %key : tensor<2xi32> -> tensor<256x256xf32>
  %centred = arith.subf %x0, %half : tensor<256x256xf32>
  %w = arith.mulf %sizes, %centred : tensor<256x256xf32>

  %x = weave.scan carry(%c = %x0 : tensor<256x256xf32>) length(%steps) {
    %next = linalg.matmul ins(%c, %w : tensor<256x256xf32>, tensor<256x256xf32>)
                          outs(%zeros : tensor<256x256xf32>) -> tensor<256x256xf32>
    weave.yield carry(%next : tensor<256x256xf32>)
  } -> tensor<256x256xf32>
  %first = tensor.extract_slice %x[0, 0] [1, 8] [1, 1] : tensor<256x256xf32> to tensor<1x8xf32>
  %last = tensor.extract_slice %x[255, 248] [1, 8] [1, 1] : tensor<256x256xf32> to tensor<1x8xf32>
  return %first, %last : tensor<1x8xf32>, tensor<1x8xf32>
}
