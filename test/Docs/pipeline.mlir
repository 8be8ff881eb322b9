// What docs/pipeline.md shows, stage by stage.
// RUN: weave-opt %s -weave-meaning -weave-partition -weave-loops -weave-buffers -weave-llvm=entry=false | FileCheck %s
// CHECK: llvm.func @es(
// CHECK: llvm.func @drift(

// [es]
func.func @es(%x0: tensor<10xf32>, %key: tensor<2xi32>, %steps: index) -> tensor<10xf32> {
  %zeros = arith.constant dense<0.0> : tensor<10xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %keys = weave.random.split %key sizes(%steps) : tensor<2xi32> -> tensor<?x2xi32>
  %x = weave.scan carry(%c = %x0 : tensor<10xf32>) xs(%k = %keys : tensor<?x2xi32>) {
    %zs = weave.random.normal %k : tensor<2xi32> -> tensor<4x10xf32>
    %ys = weave.pmap %i (%z = %zs : tensor<4x10xf32>) {
      %p = arith.addf %c, %z : tensor<10xf32>
      %f = linalg.dot ins(%p, %p : tensor<10xf32>, tensor<10xf32>)
                      outs(%zero : tensor<f32>) -> tensor<f32>
      %y = tensor.extract %f[] : tensor<f32>
      weave.yield %y : f32
    } -> tensor<4xf32>
    %g = linalg.vecmat ins(%ys, %zs : tensor<4xf32>, tensor<4x10xf32>)
                       outs(%zeros : tensor<10xf32>) -> tensor<10xf32>
    %next = arith.subf %c, %g : tensor<10xf32>
    weave.yield carry(%next : tensor<10xf32>)
  } -> tensor<10xf32>
  return %x : tensor<10xf32>
}
// [/es]

// [drift]
func.func @drift(%x0: tensor<8xf32>, %steps: index) -> tensor<8xf32> {
  %x = weave.scan carry(%c = %x0 : tensor<8xf32>) length(%steps) {
    %ys = weave.pmap %i (%v = %c : tensor<8xf32>) {
      %mean = weave.pmean %v over %i : f32
      %y = arith.subf %v, %mean : f32
      weave.yield %y : f32
    } -> tensor<8xf32>
    weave.yield carry(%ys : tensor<8xf32>)
  } -> tensor<8xf32>
  return %x : tensor<8xf32>
}
// [/drift]
