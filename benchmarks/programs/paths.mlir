// SPDX-License-Identifier: Apache-2.0
//
// The price of an Asian option by Monte Carlo: 16384 paths of a stock, one per
// lane, each with its own random numbers, by Euler's method,
//   s' = s + s (rate dt + volatility sqrt(dt) z);
// what the mean over the path is above the strike is paid.

func.func @main(%steps: index {weave.name = "steps", weave.default = 256 : index})
    -> (f32 {weave.name = "price"}) {
  %seed = arith.constant 0 : i32
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %lanes = arith.constant 16384 : index
  %count = arith.constant 16384.0 : f32
  %start = arith.constant 100.0 : f32
  %strike = arith.constant 99.0 : f32
  %zero = arith.constant 0.0 : f32
  %drift = arith.constant 2.0e-4 : f32
  %deviation = arith.constant 1.25e-2 : f32
  %number = arith.index_cast %steps : index to i32
  %length = arith.sitofp %number : i32 to f32

  %payoffs = weave.pmap %i lanes(%lanes) {
    %lane = weave.axis_index %i : index
    %lane32 = arith.index_cast %lane : index to i32
    %own = weave.random.fold_in %key, %lane32 : tensor<2xi32>, i32 -> tensor<2xi32>
    %zs = weave.random.normal %own sizes(%steps) : tensor<2xi32> -> tensor<?xf32>
    %s, %total = weave.scan carry(%a = %start : f32, %sum = %zero : f32) xs(%z = %zs : tensor<?xf32>) {
      %growth = math.fma %deviation, %z, %drift : f32
      %b = math.fma %a, %growth, %a : f32
      %more = arith.addf %sum, %b : f32
      weave.yield carry(%b, %more : f32, f32)
    } -> f32, f32
    %mean = arith.divf %total, %length : f32
    %above = arith.subf %mean, %strike : f32
    %payoff = arith.maximumf %above, %zero : f32
    weave.yield %payoff : f32
  } -> tensor<16384xf32>
  %zeros = arith.constant dense<0.0> : tensor<f32>
  %ones = arith.constant dense<1.0> : tensor<16384xf32>
  %sum = linalg.dot ins(%payoffs, %ones : tensor<16384xf32>, tensor<16384xf32>)
                    outs(%zeros : tensor<f32>) -> tensor<f32>
  %all = tensor.extract %sum[] : tensor<f32>
  %price = arith.divf %all, %count : f32
  return %price : f32
}
