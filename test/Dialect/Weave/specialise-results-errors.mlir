// RUN: weave-opt %s --weave-specialise-results --split-input-file --verify-diagnostics

// expected-error @below {{the program has no function @main}}
module {
  func.func @other() {
    return
  }
}

// -----

// expected-error @below {{the program has no function @main}}
module {
  func.func private @main()
}

// -----

// expected-error @below {{argument 1 of @main has no name: give it a 'weave.name'}}
func.func @main(%a: f32 {weave.name = "a"}, %b: f32) {
  return
}

// -----

// expected-error @below {{result 0 of @main has no name: give it a 'weave.name'}}
func.func @main(%a: f32 {weave.name = "a"}) -> f32 {
  return %a : f32
}

// -----

// expected-error @below {{argument 'z' of @main has type 'complex<f32>'; a number or a ranked tensor of f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index expected}}
func.func @main(%z: complex<f32> {weave.name = "z"}) {
  return
}

// -----

// expected-error @below {{argument 'n' of @main has type 'i7'; a number or a ranked tensor of f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index expected}}
func.func @main(%n: i7 {weave.name = "n"}) {
  return
}

// -----

// expected-error @below {{argument 'm' of @main has type 'memref<4xf32>'; a number or a ranked tensor of f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index expected}}
func.func @main(%m: memref<4xf32> {weave.name = "m"}) {
  return
}

// -----

// expected-error @below {{result 0 of @main has the name 'x', which is taken}}
func.func @main(%a: f32 {weave.name = "x"}) -> (f32 {weave.name = "x"}) {
  return %a : f32
}
