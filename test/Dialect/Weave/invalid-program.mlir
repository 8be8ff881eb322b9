// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of the attributes that make a function a program, and their syntax.

// expected-error @below {{'func.func' op 'weave.name' must be a string, found 5 : i64 (A1)}}
func.func @a1_name(%x: f32 {weave.name = 5}) {
  return
}

// -----

// expected-error @below {{'func.func' op 'weave.help' must be a string, found unit (A1)}}
func.func @a1_help(%x: f32) -> (f32 {weave.help}) {
  return %x : f32
}

// -----

// expected-error @below {{'func.func' op 'weave.default' must be a number of type 'f32', found 5 : i32 (A2)}}
func.func @a2_type(%x: tensor<4xf32> {weave.default = 5 : i32}) {
  return
}

// -----

// expected-error @below {{'func.func' op 'weave.default' must be a number of type 'f32', found dense<1.000000e+00> : tensor<4xf32> (A2)}}
func.func @a2_dense(%x: tensor<4xf32> {weave.default = dense<1.0> : tensor<4xf32>}) {
  return
}

// -----

// expected-error @below {{'func.func' op unknown attribute 'weave.default' of a function's result (A4)}}
func.func @a4_default_result(%x: f32) -> (f32 {weave.default = 1.0 : f32}) {
  return %x : f32
}

// -----

// expected-error @below {{'func.func' op 'weave.unsigned' must be a unit attribute of an integer, found unit on 'f32' (A3)}}
func.func @a3_float(%x: f32 {weave.unsigned}) {
  return
}

// -----

// expected-error @below {{'func.func' op 'weave.unsigned' must be a unit attribute of an integer, found true on 'i32' (A3)}}
func.func @a3_unit(%x: i32 {weave.unsigned = true}) {
  return
}

// -----

// expected-error @below {{'func.func' op unknown attribute 'weave.size' of a function's argument (A4)}}
func.func @a4_unknown(%x: f32 {weave.size = 4}) {
  return
}

// -----

// expected-error @below {{expected one of [replicated, sharded, partial, in_place] for how a value lives across workers, got: cut}}
func.func @placement() attributes {p = #weave.placement<cut>} {
  return
}

// -----

// expected-error @below {{unknown  type `lane` in dialect `weave`}}
func.func @type(%x: !weave.lane) {
  return
}
