// SPDX-License-Identifier: Apache-2.0
//
// RUN: weave-opt -weave-expand-math -split-input-file -verify-diagnostics %s

func.func @no_expansion(%x: f32) -> f32 {
  // expected-error @+1 {{'math.atanh' op has no deterministic expansion: supported are cos, cosh, exp, exp2, expm1, log, log10, log1p, log2, rsqrt, sin, sinh, tan, tanh, sqrt, fma and the rounding, sign and classification functions}}
  %y = math.atanh %x : f32
  return %y : f32
}

// -----

// Also where there is no element.
func.func @no_expansion_of_tensor(%x: tensor<0xf64>, %e: tensor<0xi32>) -> tensor<0xf64> {
  // expected-error @+1 {{'math.fpowi' op has no deterministic expansion: supported are}}
  %y = math.fpowi %x, %e : tensor<0xf64>, tensor<0xi32>
  return %y : tensor<0xf64>
}

// -----

func.func @no_extended_precision(%x: tensor<4xf80>) -> tensor<4xf80> {
  // expected-error @+1 {{'math.exp' op has a deterministic expansion for f16, bf16, f32 and f64 only, found 'tensor<4xf80>'}}
  %y = math.exp %x : tensor<4xf80>
  return %y : tensor<4xf80>
}

// -----

// All of a program's errors are reported.
func.func @two(%x: f32) -> f32 {
  // expected-error @+1 {{'math.asinh' op has no deterministic expansion: supported are}}
  %y = math.asinh %x : f32
  // expected-error @+1 {{'math.powf' op has no deterministic expansion: supported are}}
  %z = math.powf %y, %x : f32
  return %z : f32
}

// -----

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'math.log' op has a deterministic expansion for f16, bf16, f32 and f64 only, found 'tensor<*xf32>'}}
  %y = math.log %x : tensor<*xf32>
  return %y : tensor<*xf32>
}
