// SPDX-License-Identifier: Apache-2.0
//
// Nothing but an exchange in each step: the sum over two lanes of ten numbers.

func.func @main(%steps: index {weave.name = "steps", weave.default = 1000000 : index})
    -> (tensor<10xf32> {weave.name = "x"}) {
  %zeros = arith.constant dense<0.0> : tensor<10xf32>
  %rates = arith.constant dense<[[0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25],
                                 [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125]]> : tensor<2x10xf32>
  %ones = arith.constant dense<1.0> : tensor<10xf32>
  %x = weave.scan carry(%c = %zeros : tensor<10xf32>) length(%steps) {
    %sums = weave.pmap %i (%rate = %rates : tensor<2x10xf32>) {
      %part = math.fma %rate, %c, %ones : tensor<10xf32>
      %sum = weave.psum %part over %i : tensor<10xf32>
      weave.yield %sum : tensor<10xf32>
    } -> tensor<2x10xf32>
    %next = tensor.extract_slice %sums[0, 0] [1, 10] [1, 1] : tensor<2x10xf32> to tensor<10xf32>
    weave.yield carry(%next : tensor<10xf32>)
  } -> tensor<10xf32>
  return %x : tensor<10xf32>
}
