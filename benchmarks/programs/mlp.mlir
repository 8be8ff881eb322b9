// SPDX-License-Identifier: Apache-2.0
//
// Evolution strategies on a small network, 4-32-2 with ReLU: 64 directions in
// each step, the loss on both sides of the parameters along each, on a batch of
// 64 inputs with random targets.

// The mean square error on the batch. Of the parameters, 0 to 127 are the first
// layer's weights, 32 per input, then its biases; then the second layer's.
func.func private @loss(%p: tensor<226xf32>, %inputs: tensor<64x4xf32>, %targets: tensor<64x2xf32>) -> f32 {
  %w1_flat = tensor.extract_slice %p[0] [128] [1] : tensor<226xf32> to tensor<128xf32>
  %b1 = tensor.extract_slice %p[128] [32] [1] : tensor<226xf32> to tensor<32xf32>
  %w2_flat = tensor.extract_slice %p[160] [64] [1] : tensor<226xf32> to tensor<64xf32>
  %b2 = tensor.extract_slice %p[224] [2] [1] : tensor<226xf32> to tensor<2xf32>
  %w1 = tensor.expand_shape %w1_flat [[0, 1]] output_shape [4, 32] : tensor<128xf32> into tensor<4x32xf32>
  %w2 = tensor.expand_shape %w2_flat [[0, 1]] output_shape [32, 2] : tensor<64xf32> into tensor<32x2xf32>

  %empty1 = tensor.empty() : tensor<64x32xf32>
  %bias1 = linalg.broadcast ins(%b1 : tensor<32xf32>) outs(%empty1 : tensor<64x32xf32>) dimensions = [0]
  %sums = linalg.matmul ins(%inputs, %w1 : tensor<64x4xf32>, tensor<4x32xf32>)
                        outs(%bias1 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %hidden = arith.maximumf %sums, %none : tensor<64x32xf32>
  %empty2 = tensor.empty() : tensor<64x2xf32>
  %bias2 = linalg.broadcast ins(%b2 : tensor<2xf32>) outs(%empty2 : tensor<64x2xf32>) dimensions = [0]
  %outputs = linalg.matmul ins(%hidden, %w2 : tensor<64x32xf32>, tensor<32x2xf32>)
                           outs(%bias2 : tensor<64x2xf32>) -> tensor<64x2xf32>

  %errors = arith.subf %outputs, %targets : tensor<64x2xf32>
  %flat = tensor.collapse_shape %errors [[0, 1]] : tensor<64x2xf32> into tensor<128xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %square = linalg.dot ins(%flat, %flat : tensor<128xf32>, tensor<128xf32>)
                       outs(%zero : tensor<f32>) -> tensor<f32>
  %sum = tensor.extract %square[] : tensor<f32>
  %part = arith.constant 7.8125e-3 : f32
  %mean = arith.mulf %sum, %part : f32
  return %mean : f32
}

func.func @main(%steps: index {weave.name = "steps", weave.default = 1000 : index})
    -> (tensor<16xf32> {weave.name = "parameters"}, f32 {weave.name = "loss"}) {
  %seed = arith.constant 0 : i32
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %input_key = weave.random.fold_in %key, %two : tensor<2xi32>, i32 -> tensor<2xi32>
  %target_key = weave.random.fold_in %key, %three : tensor<2xi32>, i32 -> tensor<2xi32>
  %start_key = weave.random.fold_in %key, %four : tensor<2xi32>, i32 -> tensor<2xi32>
  %inputs = weave.random.uniform %input_key : tensor<2xi32> -> tensor<64x4xf32>
  %targets = weave.random.uniform %target_key : tensor<2xi32> -> tensor<64x2xf32>
  %p0 = weave.random.uniform %start_key : tensor<2xi32> -> tensor<226xf32>
  %half = arith.constant dense<0.5> : tensor<226xf32>
  %start = arith.subf %p0, %half : tensor<226xf32>

  %std = arith.constant dense<0.03125> : tensor<226xf32>
  // The rate 0.05 over 2 x 0.03125 x 64.
  %scale = arith.constant dense<-1.25e-2> : tensor<226xf32>
  %zeros = arith.constant dense<0.0> : tensor<226xf32>
  %keys = weave.random.split %key sizes(%steps) : tensor<2xi32> -> tensor<?x2xi32>
  %p = weave.scan carry(%c = %start : tensor<226xf32>) xs(%k = %keys : tensor<?x2xi32>) {
    %zs = weave.random.normal %k : tensor<2xi32> -> tensor<64x226xf32>
    %ys = weave.pmap %lane (%z = %zs : tensor<64x226xf32>) {
      %d = arith.mulf %std, %z : tensor<226xf32>
      %above = arith.addf %c, %d : tensor<226xf32>
      %below = arith.subf %c, %d : tensor<226xf32>
      %la = func.call @loss(%above, %inputs, %targets) : (tensor<226xf32>, tensor<64x4xf32>, tensor<64x2xf32>) -> f32
      %lb = func.call @loss(%below, %inputs, %targets) : (tensor<226xf32>, tensor<64x4xf32>, tensor<64x2xf32>) -> f32
      %y = arith.subf %la, %lb : f32
      weave.yield %y : f32
    } -> tensor<64xf32>
    %g = linalg.vecmat ins(%ys, %zs : tensor<64xf32>, tensor<64x226xf32>)
                       outs(%zeros : tensor<226xf32>) -> tensor<226xf32>
    %next = math.fma %scale, %g, %c : tensor<226xf32>
    weave.yield carry(%next : tensor<226xf32>)
  } -> tensor<226xf32>
  %loss = func.call @loss(%p, %inputs, %targets) : (tensor<226xf32>, tensor<64x4xf32>, tensor<64x2xf32>) -> f32
  %p16 = tensor.extract_slice %p[210] [16] [1] : tensor<226xf32> to tensor<16xf32>
  return %p16, %loss : tensor<16xf32>, f32
}
