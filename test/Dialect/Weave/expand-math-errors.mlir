// SPDX-License-Identifier: Apache-2.0
//
// RUN: weave-opt -weave-expand-math -split-input-file -verify-diagnostics %s

func.func @no_expansion(%x: f32) -> f32 {
  // expected-error @+1 {{'math.clampf' op has no deterministic expansion: supported are acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, erf, erfc, exp, exp2, expm1, fpowi, log, log10, log1p, log2, powf, rsqrt, sin, sinh, tan, tanh, sqrt, fma and the rounding, sign and classification functions}}
  %y = math.clampf %x to [%x, %x] : f32
  return %y : f32
}

// -----

// Also where there is no element.
func.func @no_expansion_of_tensor(%x: tensor<0xi64>) -> tensor<0xi64> {
  // expected-error @+1 {{'math.ipowi' op has no deterministic expansion: supported are}}
  %y = math.ipowi %x, %x : tensor<0xi64>
  return %y : tensor<0xi64>
}

// -----

func.func @no_extended_precision(%x: tensor<4xf80>) -> tensor<4xf80> {
  // expected-error @+1 {{'math.exp' op has a deterministic expansion for f16, bf16, f32 and f64 only, found 'tensor<4xf80>'}}
  %y = math.exp %x : tensor<4xf80>
  return %y : tensor<4xf80>
}

// -----

// All of a program's errors are reported.
func.func @two(%x: f32, %n: i32) -> (f32, i32) {
  // expected-error @+1 {{'math.clampf' op has no deterministic expansion: supported are}}
  %y = math.clampf %x to [%x, %x] : f32
  // expected-error @+1 {{'math.ipowi' op has no deterministic expansion: supported are}}
  %z = math.ipowi %n, %n : i32
  return %y, %z : f32, i32
}

// -----

func.func @long_exponent(%x: tensor<4xf32>, %n: tensor<4xi64>) -> tensor<4xf32> {
  // expected-error @+1 {{'math.fpowi' op has a deterministic expansion for exponents of at most 32 bits only, found 'i64'}}
  %y = math.fpowi %x, %n : tensor<4xf32>, tensor<4xi64>
  return %y : tensor<4xf32>
}

// -----

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'math.log' op has a deterministic expansion for f16, bf16, f32 and f64 only, found 'tensor<*xf32>'}}
  %y = math.log %x : tensor<*xf32>
  return %y : tensor<*xf32>
}
