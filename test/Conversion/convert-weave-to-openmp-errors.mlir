// RUN: weave-opt %s -split-input-file -verify-diagnostics -convert-weave-to-openmp=exchange=omp

func.func @spmd(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'weave.spmd' op is left; run weave-outline-workers before convert-weave-to-openmp}}
  %r = weave.spmd inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    weave.finish %c replicated : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'weave.launch' op is left; run one-shot-bufferize before convert-weave-to-openmp}}
  %r = weave.launch @worker inits(%x : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @worker(%team: !weave.team, %x: memref<4xf32>) {
  return
}

// -----

func.func @random(%key: tensor<2xi32>) -> tensor<4xf32> {
  // expected-error @below {{'weave.random.normal' op is left; run weave-expand-random before convert-weave-to-openmp}}
  %z = weave.random.normal %key : tensor<2xi32> -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func @mismatch(%x: memref<4xf32>) {
  // expected-error @below {{'weave.launch' op hands over a 'memref<4xf32>' where the worker takes a 'memref<4xf32, strided<[2]>>'}}
  weave.launch @worker inits(%x : memref<4xf32>)
  return
}
// expected-note @below {{the worker is here}}
func.func private @worker(%team: !weave.team, %x: memref<4xf32, strided<[2]>>) {
  return
}

// -----

func.func @layout(%x: memref<4xf32, strided<[2]>>) {
  // expected-error @below {{'weave.launch' op hands over a 'memref<4xf32, strided<[2]>>'; only numbers and row-major buffers can be}}
  weave.launch @worker inits(%x : memref<4xf32, strided<[2]>>)
  return
}
// expected-note @below {{the worker is here}}
func.func private @worker(%team: !weave.team, %x: memref<4xf32, strided<[2]>>) {
  return
}

// -----

func.func @no_body(%x: memref<4xf32>) {
  // expected-error @below {{'weave.launch' op names a worker without a body}}
  weave.launch @worker inits(%x : memref<4xf32>)
  return
}
// expected-note @below {{the worker is here}}
func.func private @worker(!weave.team, memref<4xf32>)

// -----

func.func @nobody_launches(%team: !weave.team) {
  // expected-error @below {{'weave.barrier' op is in a function that no weave.launch names}}
  weave.barrier %team
  return
}

// -----

func.func @team(%a: !weave.team, %b: !weave.team, %which: i1) -> index {
  %team = arith.select %which, %a, %b : !weave.team
  // expected-error @below {{'weave.worker' op takes its team from something else than its function's argument}}
  %w = weave.worker %team : index
  return %w : index
}
