// RUN: weave-opt %s --weave-fix-reductions -split-input-file -verify-diagnostics

func.func @buffers(%a: memref<7xf32>, %r: memref<f32>) {
  // expected-error @below {{'linalg.dot' op reduces buffers, but its order can be fixed on tensors only; weave-fix-reductions has to run before bufferization}}
  linalg.dot ins(%a, %a : memref<7xf32>, memref<7xf32>) outs(%r : memref<f32>)
  return
}
