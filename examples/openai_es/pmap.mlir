// SPDX-License-Identifier: Apache-2.0
//
// OpenAI's evolution strategies on f(x) = -x.x, the four samples spread over workers.
//
// Each step draws four directions, evaluates f on both sides of x along each of
// them, and moves x by the mean of the directions weighted with the differences.

func.func private @f(%x: tensor<10xf32>) -> f32 {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %square = linalg.dot ins(%x, %x : tensor<10xf32>, tensor<10xf32>)
                       outs(%zero : tensor<f32>) -> tensor<f32>
  %sum = tensor.extract %square[] : tensor<f32>
  %value = arith.negf %sum : f32
  return %value : f32
}

func.func @main(
    %steps: index {weave.name = "steps", weave.default = 1000000 : index,
                   weave.help = "number of steps"},
    %seed: i32 {weave.name = "seed", weave.default = 0 : i32,
                weave.help = "seed of the directions"},
    %x0: tensor<10xf32> {weave.name = "x0", weave.default = 1.0 : f32,
                         weave.help = "where to begin"},
    %std: f32 {weave.name = "std", weave.default = 1.0e-2 : f32,
               weave.help = "how far from x to evaluate"},
    %stepsize: f32 {weave.name = "stepsize", weave.default = 1.0e-3 : f32,
                    weave.help = "how far to move"})
    -> (tensor<10xf32> {weave.name = "x", weave.help = "x after the last step"},
        tensor<?x10xf32> {weave.name = "xs", weave.help = "x before each step"}) {
  // The mean over four directions of a difference over 2 std.
  %eight = arith.constant 8.0 : f32
  %width = arith.mulf %std, %eight : f32
  %scale = arith.divf %stepsize, %width : f32
  %scales = tensor.splat %scale : tensor<10xf32>
  %stds = tensor.splat %std : tensor<10xf32>
  %zeros = arith.constant dense<0.0> : tensor<10xf32>

  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %keys = weave.random.split %key sizes(%steps) : tensor<2xi32> -> tensor<?x2xi32>
  %x, %xs = weave.scan carry(%c = %x0 : tensor<10xf32>) xs(%k = %keys : tensor<?x2xi32>) {
    %zs = weave.random.normal %k : tensor<2xi32> -> tensor<4x10xf32>
    %ys = weave.pmap %lane (%z = %zs : tensor<4x10xf32>) {
      %dx = arith.mulf %stds, %z : tensor<10xf32>
      %above = arith.addf %c, %dx : tensor<10xf32>
      %below = arith.subf %c, %dx : tensor<10xf32>
      %fa = func.call @f(%above) : (tensor<10xf32>) -> f32
      %fb = func.call @f(%below) : (tensor<10xf32>) -> f32
      %y = arith.subf %fa, %fb : f32
      weave.yield %y : f32
    } -> tensor<4xf32>
    %g = linalg.vecmat ins(%ys, %zs : tensor<4xf32>, tensor<4x10xf32>)
                       outs(%zeros : tensor<10xf32>) -> tensor<10xf32>
    %move = arith.mulf %scales, %g : tensor<10xf32>
    %next = arith.addf %c, %move : tensor<10xf32>
    weave.yield carry(%next : tensor<10xf32>) ys(%c : tensor<10xf32>)
  } -> tensor<10xf32>, tensor<?x10xf32>
  return %x, %xs : tensor<10xf32>, tensor<?x10xf32>
}
