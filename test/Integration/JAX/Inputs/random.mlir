// SPDX-License-Identifier: Apache-2.0
//
// Everything in random-seed*.npz, under the same names.

func.func @main(%seed: i32 {weave.name = "seed"})
    -> (tensor<2xi32> {weave.name = "key"},
        tensor<5x2xi32> {weave.name = "split"},
        tensor<2x3x2xi32> {weave.name = "split_2d"},
        tensor<2xi32> {weave.name = "fold_in"},
        tensor<6x2xi32> {weave.name = "fold_in_numbers"},
        tensor<5x2xi32> {weave.name = "fold_in_keys"},
        tensor<5x4xi32> {weave.name = "batched_bits"},
        tensor<5x4xf32> {weave.name = "batched_normal"},
        tensor<f32> {weave.name = "scalar_uniform"},
        tensor<3x7xi8> {weave.name = "bits8"},
        tensor<3x7xi16> {weave.name = "bits16"},
        tensor<3x7xi32> {weave.name = "bits32"},
        tensor<3x7xi64> {weave.name = "bits64"},
        tensor<3x7xf32> {weave.name = "uniform_f32"},
        tensor<3x7xf64> {weave.name = "uniform_f64"},
        tensor<40x10xf32> {weave.name = "normal_f32"},
        tensor<40x10xf64> {weave.name = "normal_f64"}) {
  %seven = arith.constant 7 : i32
  %numbers = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %split = weave.random.split %key : tensor<2xi32> -> tensor<5x2xi32>
  %split_2d = weave.random.split %key : tensor<2xi32> -> tensor<2x3x2xi32>
  %fold_in = weave.random.fold_in %key, %seven : tensor<2xi32>, i32 -> tensor<2xi32>
  %fold_in_numbers = weave.random.fold_in %key, %numbers : tensor<2xi32>, tensor<6xi32> -> tensor<6x2xi32>
  %fold_in_keys = weave.random.fold_in %split, %seven : tensor<5x2xi32>, i32 -> tensor<5x2xi32>
  %batched_bits = weave.random.bits %split : tensor<5x2xi32> -> tensor<5x4xi32>
  %batched_normal = weave.random.normal %split : tensor<5x2xi32> -> tensor<5x4xf32>
  %scalar_uniform = weave.random.uniform %key : tensor<2xi32> -> tensor<f32>
  %bits8 = weave.random.bits %key : tensor<2xi32> -> tensor<3x7xi8>
  %bits16 = weave.random.bits %key : tensor<2xi32> -> tensor<3x7xi16>
  %bits32 = weave.random.bits %key : tensor<2xi32> -> tensor<3x7xi32>
  %bits64 = weave.random.bits %key : tensor<2xi32> -> tensor<3x7xi64>
  %uniform_f32 = weave.random.uniform %key : tensor<2xi32> -> tensor<3x7xf32>
  %uniform_f64 = weave.random.uniform %key : tensor<2xi32> -> tensor<3x7xf64>
  %normal_f32 = weave.random.normal %key : tensor<2xi32> -> tensor<40x10xf32>
  %normal_f64 = weave.random.normal %key : tensor<2xi32> -> tensor<40x10xf64>
  return %key, %split, %split_2d, %fold_in, %fold_in_numbers, %fold_in_keys, %batched_bits,
      %batched_normal, %scalar_uniform, %bits8, %bits16, %bits32, %bits64, %uniform_f32,
      %uniform_f64, %normal_f32, %normal_f64
    : tensor<2xi32>, tensor<5x2xi32>, tensor<2x3x2xi32>, tensor<2xi32>, tensor<6x2xi32>,
      tensor<5x2xi32>, tensor<5x4xi32>, tensor<5x4xf32>, tensor<f32>, tensor<3x7xi8>,
      tensor<3x7xi16>, tensor<3x7xi32>, tensor<3x7xi64>, tensor<3x7xf32>, tensor<3x7xf64>,
      tensor<40x10xf32>, tensor<40x10xf64>
}
