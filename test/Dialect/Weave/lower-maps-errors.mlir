// RUN: weave-opt %s --weave-lower-maps --split-input-file --verify-diagnostics

func.func @collective(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = weave.pmap %i (%x = %a : tensor<4xf32>) {
    // expected-error @below {{'weave.psum' op is a collective: run weave-split-collectives before weave-lower-maps}}
    %s = weave.psum %x over %i : f32
    weave.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
