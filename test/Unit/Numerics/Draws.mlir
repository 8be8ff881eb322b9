// SPDX-License-Identifier: Apache-2.0
//
// The draws that DrawsTest.cpp measures, on blocks of 4096 elements. Compiled as
// programs are: expanded, bufferized, lowered to loops and vectorised.

// Elements first, first + 1, ... of one long draw.
func.func @bits_i32(%k: memref<2xi32>, %first: i64, %y: memref<4096xi32>) {
  %key = bufferization.to_tensor %k restrict : memref<2xi32> to tensor<2xi32>
  %offset = arith.index_cast %first : i64 to index
  %out = weave.random.bits %key offset(%offset) : tensor<2xi32> -> tensor<4096xi32>
  bufferization.materialize_in_destination %out in restrict writable %y
      : (tensor<4096xi32>, memref<4096xi32>) -> ()
  return
}
func.func @bits_i64(%k: memref<2xi32>, %first: i64, %y: memref<4096xi64>) {
  %key = bufferization.to_tensor %k restrict : memref<2xi32> to tensor<2xi32>
  %offset = arith.index_cast %first : i64 to index
  %out = weave.random.bits %key offset(%offset) : tensor<2xi32> -> tensor<4096xi64>
  bufferization.materialize_in_destination %out in restrict writable %y
      : (tensor<4096xi64>, memref<4096xi64>) -> ()
  return
}
func.func @uniform_f32(%k: memref<2xi32>, %first: i64, %y: memref<4096xf32>) {
  %key = bufferization.to_tensor %k restrict : memref<2xi32> to tensor<2xi32>
  %offset = arith.index_cast %first : i64 to index
  %out = weave.random.uniform %key offset(%offset) : tensor<2xi32> -> tensor<4096xf32>
  bufferization.materialize_in_destination %out in restrict writable %y
      : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}
func.func @uniform_f64(%k: memref<2xi32>, %first: i64, %y: memref<4096xf64>) {
  %key = bufferization.to_tensor %k restrict : memref<2xi32> to tensor<2xi32>
  %offset = arith.index_cast %first : i64 to index
  %out = weave.random.uniform %key offset(%offset) : tensor<2xi32> -> tensor<4096xf64>
  bufferization.materialize_in_destination %out in restrict writable %y
      : (tensor<4096xf64>, memref<4096xf64>) -> ()
  return
}
func.func @normal_f32(%k: memref<2xi32>, %first: i64, %y: memref<4096xf32>) {
  %key = bufferization.to_tensor %k restrict : memref<2xi32> to tensor<2xi32>
  %offset = arith.index_cast %first : i64 to index
  %out = weave.random.normal %key offset(%offset) : tensor<2xi32> -> tensor<4096xf32>
  bufferization.materialize_in_destination %out in restrict writable %y
      : (tensor<4096xf32>, memref<4096xf32>) -> ()
  return
}
func.func @normal_f64(%k: memref<2xi32>, %first: i64, %y: memref<4096xf64>) {
  %key = bufferization.to_tensor %k restrict : memref<2xi32> to tensor<2xi32>
  %offset = arith.index_cast %first : i64 to index
  %out = weave.random.normal %key offset(%offset) : tensor<2xi32> -> tensor<4096xf64>
  bufferization.materialize_in_destination %out in restrict writable %y
      : (tensor<4096xf64>, memref<4096xf64>) -> ()
  return
}
