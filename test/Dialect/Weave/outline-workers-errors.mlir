// RUN: weave-opt %s -split-input-file -verify-diagnostics -weave-outline-workers

func.func @in_a_map(%xs: tensor<4xf32>) -> tensor<4xi32> {
  // expected-note @below {{the value is here}}
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
    %zero = arith.constant dense<0> : tensor<1xi32>
    // expected-error @below {{'weave.spmd' op captures a value of type '!weave.axis', which no worker can be handed; run weave-lower-maps before weave-outline-workers}}
    %r = weave.spmd inits(%zero : tensor<1xi32>) {
    ^bb0(%team: !weave.team, %c: tensor<1xi32>):
      %c0 = arith.constant 0 : index
      %lane = weave.axis_index %i : index
      %n = arith.index_cast %lane : index to i32
      %v = tensor.insert %n into %c[%c0] : tensor<1xi32>
      weave.finish %v replicated : tensor<1xi32>
    } -> tensor<1xi32>
    %c0 = arith.constant 0 : index
    %y = tensor.extract %r[%c0] : tensor<1xi32>
    weave.yield %y : i32
  } -> tensor<4xi32>
  return %ys : tensor<4xi32>
}

// -----

module @outer {
  module @inner {
    func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
      // expected-error @below {{'weave.spmd' op must be in a function of the module to be outlined}}
      %r = weave.spmd inits(%x : tensor<4xf32>) {
      ^bb0(%team: !weave.team, %c: tensor<4xf32>):
        weave.finish %c replicated : tensor<4xf32>
      } -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}
