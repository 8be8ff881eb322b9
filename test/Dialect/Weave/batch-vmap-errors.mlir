// SPDX-License-Identifier: Apache-2.0
//
// What weave-batch-vmap refuses, and what it leaves or runs lane by lane, with a
// remark.
//
// RUN: weave-opt -weave-batch-vmap -split-input-file -verify-diagnostics %s

func.func @collective(%xs: tensor<4xf32>) -> tensor<4xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    // expected-error @+1 {{'weave.psum' is a collective of a vmap; weave-split-collectives has to run before weave-batch-vmap}}
    %y = weave.psum %x over %i : f32
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @bounds(%xs: tensor<4xf32>, %ns: tensor<4xindex>) -> tensor<4xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xf32>, %n = %ns : tensor<4xindex>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{'scf.for' runs lane by lane: it cannot be batched}}
    %y = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
      %z = arith.addf %a, %a : f32
      scf.yield %z : f32
    }
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

// Reading out of bounds must not happen on lanes that guard against it.
func.func @guarded(%xs: tensor<4xf32>, %js: tensor<4xindex>) -> tensor<4xf32> {
  %ys = weave.vmap %i (%j = %js : tensor<4xindex>) {
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %in = arith.cmpi ult, %j, %c4 : index
    // expected-remark @+1 {{'scf.if' runs lane by lane: it cannot be batched}}
    %y = scf.if %in -> f32 {
      %z = tensor.extract %xs[%j] : tensor<4xf32>
      scf.yield %z : f32
    } else {
      scf.yield %zero : f32
    }
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @unbatchable(%xs: tensor<4xf32>) -> tensor<4xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    // expected-remark @+1 {{the vmap runs lane by lane: there is no batched form of a value of type 'vector<2xf32>'}}
    %v = vector.broadcast %x : f32 to vector<2xf32>
    %y = vector.extract %v[0] : f32 from vector<2xf32>
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @effects(%xs: tensor<4xf32>, %m: memref<f32>) -> tensor<4xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    // expected-remark @+1 {{the vmap runs lane by lane: 'memref.store' has effects}}
    memref.store %x, %m[] : memref<f32>
    weave.yield %x : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}
