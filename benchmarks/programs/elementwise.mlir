// SPDX-License-Identifier: Apache-2.0
//
// 4096 FitzHugh-Nagumo neurons, each with its own current, by Euler's method:
//   v' = v + dt (v - v^3 / 3 - w + current),  w' = w + dt (v + 0.7 - 0.8 w) / 12.5
// Nothing but arithmetic on two carries.

func.func @main(%steps: index {weave.name = "steps", weave.default = 10000 : index})
    -> (tensor<8xf32> {weave.name = "v"}, tensor<8xf32> {weave.name = "w"}) {
  %seed = arith.constant 0 : i32
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %current = weave.random.uniform %key : tensor<2xi32> -> tensor<4096xf32>
  %zeros = arith.constant dense<0.0> : tensor<4096xf32>
  %dt = arith.constant dense<1.0e-2> : tensor<4096xf32>
  %slow = arith.constant dense<8.0e-4> : tensor<4096xf32>
  %third = arith.constant dense<0.333333343> : tensor<4096xf32>
  %a = arith.constant dense<0.7> : tensor<4096xf32>
  %b = arith.constant dense<0.8> : tensor<4096xf32>
  %vn, %wn = weave.scan carry(%v = %zeros : tensor<4096xf32>, %w = %zeros : tensor<4096xf32>) length(%steps) {
    %v2 = arith.mulf %v, %v : tensor<4096xf32>
    %v3 = arith.mulf %v2, %v : tensor<4096xf32>
    %cubic = arith.mulf %third, %v3 : tensor<4096xf32>
    %drive = arith.subf %v, %cubic : tensor<4096xf32>
    %less = arith.subf %drive, %w : tensor<4096xf32>
    %dv = arith.addf %less, %current : tensor<4096xf32>
    %next_v = math.fma %dt, %dv, %v : tensor<4096xf32>
    %bw = arith.mulf %b, %w : tensor<4096xf32>
    %va = arith.addf %v, %a : tensor<4096xf32>
    %dw = arith.subf %va, %bw : tensor<4096xf32>
    %next_w = math.fma %slow, %dw, %w : tensor<4096xf32>
    weave.yield carry(%next_v, %next_w : tensor<4096xf32>, tensor<4096xf32>)
  } -> tensor<4096xf32>, tensor<4096xf32>
  %v8 = tensor.extract_slice %vn[0] [8] [1] : tensor<4096xf32> to tensor<8xf32>
  %w8 = tensor.extract_slice %wn[0] [8] [1] : tensor<4096xf32> to tensor<8xf32>
  return %v8, %w8 : tensor<8xf32>, tensor<8xf32>
}
