// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of the random ops.

func.func @r1_key(%seed: i32) {
  // expected-error @below {{'weave.random.key' op must give a key of type 'tensor<2xi32>', found 'tensor<3xi32>' (R1)}}
  %k = weave.random.key %seed : i32 -> tensor<3xi32>
  return
}

// -----

func.func @r1_last_dimension(%k: tensor<3xi32>) {
  // expected-error @below {{'weave.random.bits' op a key must have a last dimension of 2, found 'tensor<3xi32>' (R1)}}
  %z = weave.random.bits %k : tensor<3xi32> -> tensor<4xi32>
  return
}

// -----

func.func @r1_rank_0(%k: tensor<i32>) {
  // expected-error @below {{'weave.random.uniform' op a key must have a last dimension of 2, found 'tensor<i32>' (R1)}}
  %z = weave.random.uniform %k : tensor<i32> -> tensor<4xf32>
  return
}

// -----

func.func @r1_unranked(%k: tensor<*xi32>) {
  // expected-error @below {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xi32>'}}
  %z = weave.random.bits %k : tensor<*xi32> -> tensor<4xi32>
  return
}

// -----

func.func @r1_batch(%k: tensor<3x2xi32>) {
  // expected-error @below {{'weave.random.normal' op the draw must begin with the key's batch dimensions 'tensor<3x2xi32>', found 'tensor<4x10xf32>' (R1)}}
  %z = weave.random.normal %k : tensor<3x2xi32> -> tensor<4x10xf32>
  return
}

// -----

func.func @r1_split(%k: tensor<2xi32>) {
  // expected-error @below {{'weave.random.split' op must give keys with a last dimension of 2 and at least one before it, found 'tensor<2xi32>' (R1)}}
  %z = weave.random.split %k : tensor<2xi32> -> tensor<2xi32>
  return
}

// -----

func.func @r1_split_batch(%k: tensor<3x2xi32>) {
  // expected-error @below {{'weave.random.split' op the draw must begin with the key's batch dimensions 'tensor<3x2xi32>', found 'tensor<2x2xi32>' (R1)}}
  %z = weave.random.split %k : tensor<3x2xi32> -> tensor<2x2xi32>
  return
}

// -----

func.func @r1_fold_in_key(%k: tensor<3xi32>, %n: i32) {
  // expected-error @below {{'weave.random.fold_in' op a key must have a last dimension of 2, found 'tensor<3xi32>' (R1)}}
  %z = weave.random.fold_in %k, %n : tensor<3xi32>, i32 -> tensor<2xi32>
  return
}

// -----

func.func @r1_fold_in_batches(%k: tensor<3x2xi32>, %n: tensor<4xi32>) {
  // expected-error @below {{'weave.random.fold_in' op keys and data must have the same batch dimensions, found 'tensor<3x2xi32>' and 'tensor<4xi32>' (R1)}}
  %z = weave.random.fold_in %k, %n : tensor<3x2xi32>, tensor<4xi32> -> tensor<3x2xi32>
  return
}

// -----

func.func @r1_fold_in_result(%k: tensor<2xi32>, %n: tensor<4xi32>) {
  // expected-error @below {{'weave.random.fold_in' op must give keys of type 'tensor<4x2xi32>', found 'tensor<2xi32>' (R1)}}
  %z = weave.random.fold_in %k, %n : tensor<2xi32>, tensor<4xi32> -> tensor<2xi32>
  return
}

// -----

func.func @r1_fold_in_rank_0(%k: tensor<2xi32>, %n: tensor<i32>) {
  // expected-error @below {{'weave.random.fold_in' op data without batch dimensions is a number, found 'tensor<i32>' (R1)}}
  %z = weave.random.fold_in %k, %n : tensor<2xi32>, tensor<i32> -> tensor<2xi32>
  return
}

// -----

func.func @r2_too_few(%k: tensor<2xi32>) {
  // expected-error @below {{'weave.random.bits' op must have 1 sizes, one for each dynamic dimension of 'tensor<?x4xi32>', found 0 (R2)}}
  %z = weave.random.bits %k : tensor<2xi32> -> tensor<?x4xi32>
  return
}

// -----

func.func @r2_too_many(%k: tensor<2xi32>, %n: index) {
  // expected-error @below {{'weave.random.split' op must have 0 sizes, one for each dynamic dimension of 'tensor<4x2xi32>', found 1 (R2)}}
  %z = weave.random.split %k sizes(%n) : tensor<2xi32> -> tensor<4x2xi32>
  return
}

// -----

func.func @r3_number(%k: tensor<3x2xi32>) {
  // expected-error @below {{'weave.random.normal' op must have 1 strides for 'tensor<3x10xf32>', found 2 (R3)}}
  %z = weave.random.normal %k strides [10, 1] : tensor<3x2xi32> -> tensor<3x10xf32>
  return
}

// -----

func.func @r3_split(%k: tensor<2xi32>) {
  // expected-error @below {{'weave.random.split' op must have 1 strides for 'tensor<4x2xi32>', found 2 (R3)}}
  %z = weave.random.split %k strides [2, 1] : tensor<2xi32> -> tensor<4x2xi32>
  return
}

// -----

func.func @r3_dynamic(%k: tensor<2xi32>, %n: index) {
  // expected-error @below {{'weave.random.uniform' op only the first dimension that is no batch dimension may be dynamic without 'strides', found 'tensor<4x?xf32>' (R3)}}
  %z = weave.random.uniform %k sizes(%n) : tensor<2xi32> -> tensor<4x?xf32>
  return
}

// -----

func.func @r4_bits(%k: tensor<2xi32>) {
  // expected-error @below {{'weave.random.bits' op result #0 must be ranked tensor of 8-bit signless integer or 16-bit signless integer or 32-bit signless integer or 64-bit signless integer values, but got 'tensor<4xf32>'}}
  %z = weave.random.bits %k : tensor<2xi32> -> tensor<4xf32>
  return
}

// -----

func.func @r4_normal(%k: tensor<2xi32>) {
  // expected-error @below {{'weave.random.normal' op result #0 must be ranked tensor of 32-bit float or 64-bit float values, but got 'tensor<4xf16>'}}
  %z = weave.random.normal %k : tensor<2xi32> -> tensor<4xf16>
  return
}
