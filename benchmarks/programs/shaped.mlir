// SPDX-License-Identifier: Apache-2.0
//
// Evolution strategies as they are used: mirrored directions, centred ranks
// instead of values, and Adam. 1024 directions of 1000 numbers, on f(x) = -x.x.

func.func private @f(%x: tensor<1000xf32>) -> f32 {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %square = linalg.dot ins(%x, %x : tensor<1000xf32>, tensor<1000xf32>)
                       outs(%zero : tensor<f32>) -> tensor<f32>
  %sum = tensor.extract %square[] : tensor<f32>
  %value = arith.negf %sum : f32
  return %value : f32
}

// How many of the values are below this one.
func.func private @rank(%value: f32, %values: tensor<2048xf32>) -> f32 {
  %same = tensor.splat %value : tensor<2048xf32>
  %below = arith.cmpf olt, %values, %same : tensor<2048xf32>
  %ones = arith.extui %below : tensor<2048xi1> to tensor<2048xi32>
  %zero = arith.constant dense<0> : tensor<i32>
  %count = linalg.reduce {arith.addi} ins(%ones : tensor<2048xi32>) outs(%zero : tensor<i32>) dimensions = [0]
  %number = tensor.extract %count[] : tensor<i32>
  %rank = arith.sitofp %number : i32 to f32
  return %rank : f32
}

func.func @main(%steps: index {weave.name = "steps", weave.default = 100 : index})
    -> (tensor<1000xf32> {weave.name = "x"}) {
  %seed = arith.constant 0 : i32
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %keys = weave.random.split %key sizes(%steps) : tensor<2xi32> -> tensor<?x2xi32>
  %one = arith.constant 1.0 : f32
  %x0 = arith.constant dense<1.0> : tensor<1000xf32>
  %zeros = arith.constant dense<0.0> : tensor<1000xf32>
  %std = arith.constant dense<1.0e-2> : tensor<1000xf32>
  // Ranks between -1/2 and 1/2, the mean over directions of a difference over
  // 2 std: 1 / 2047 / (2 x 0.01 x 1024).
  %shape = arith.constant dense<2.38535051e-05> : tensor<1000xf32>
  %rate = arith.constant 1.0e-2 : f32
  %b1 = arith.constant 0.9 : f32
  %b2 = arith.constant 0.999 : f32
  %b1s = arith.constant dense<0.9> : tensor<1000xf32>
  %b2s = arith.constant dense<0.999> : tensor<1000xf32>
  %r1s = arith.constant dense<0.1> : tensor<1000xf32>
  %r2s = arith.constant dense<1.0e-3> : tensor<1000xf32>
  %small = arith.constant dense<1.0e-8> : tensor<1000xf32>

  %x, %m, %v, %p1, %p2 = weave.scan
      carry(%c = %x0 : tensor<1000xf32>, %mc = %zeros : tensor<1000xf32>, %vc = %zeros : tensor<1000xf32>,
            %power1 = %one : f32, %power2 = %one : f32) xs(%k = %keys : tensor<?x2xi32>) {
    %zs = weave.random.normal %k : tensor<2xi32> -> tensor<1024x1000xf32>
    %above, %below = weave.pmap %lane (%z = %zs : tensor<1024x1000xf32>) {
      %d = arith.mulf %std, %z : tensor<1000xf32>
      %xa = arith.addf %c, %d : tensor<1000xf32>
      %xb = arith.subf %c, %d : tensor<1000xf32>
      %fa = func.call @f(%xa) : (tensor<1000xf32>) -> f32
      %fb = func.call @f(%xb) : (tensor<1000xf32>) -> f32
      weave.yield %fa, %fb : f32, f32
    } -> tensor<1024xf32>, tensor<1024xf32>
    %all = tensor.concat dim(0) %above, %below : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<2048xf32>
    %weights = weave.pmap %lane (%fa = %above : tensor<1024xf32>, %fb = %below : tensor<1024xf32>) {
      %ra = func.call @rank(%fa, %all) : (f32, tensor<2048xf32>) -> f32
      %rb = func.call @rank(%fb, %all) : (f32, tensor<2048xf32>) -> f32
      %w = arith.subf %ra, %rb : f32
      weave.yield %w : f32
    } -> tensor<1024xf32>
    %sum = linalg.vecmat ins(%weights, %zs : tensor<1024xf32>, tensor<1024x1000xf32>)
                         outs(%zeros : tensor<1000xf32>) -> tensor<1000xf32>
    %g = arith.mulf %shape, %sum : tensor<1000xf32>

    %mg = arith.mulf %r1s, %g : tensor<1000xf32>
    %m1 = math.fma %b1s, %mc, %mg : tensor<1000xf32>
    %gg = arith.mulf %g, %g : tensor<1000xf32>
    %vg = arith.mulf %r2s, %gg : tensor<1000xf32>
    %v1 = math.fma %b2s, %vc, %vg : tensor<1000xf32>
    %next1 = arith.mulf %power1, %b1 : f32
    %next2 = arith.mulf %power2, %b2 : f32
    %left1 = arith.subf %one, %next1 : f32
    %left2 = arith.subf %one, %next2 : f32
    %step = arith.divf %rate, %left1 : f32
    %unit = arith.divf %one, %left2 : f32
    %stepped = tensor.splat %step : tensor<1000xf32>
    %units = tensor.splat %unit : tensor<1000xf32>
    %mean_square = arith.mulf %v1, %units : tensor<1000xf32>
    %root = math.sqrt %mean_square : tensor<1000xf32>
    %width = arith.addf %root, %small : tensor<1000xf32>
    %direction = arith.divf %m1, %width : tensor<1000xf32>
    %next = math.fma %stepped, %direction, %c : tensor<1000xf32>
    weave.yield carry(%next, %m1, %v1, %next1, %next2 : tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, f32, f32)
  } -> tensor<1000xf32>, tensor<1000xf32>, tensor<1000xf32>, f32, f32
  return %x : tensor<1000xf32>
}
