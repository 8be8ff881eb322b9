// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of weave.scan about its carries, inputs and length.

func.func @s1_next_carry(%x: f32, %i: i32, %n: index) -> f32 {
  // expected-error @below {{'weave.scan' op carry 0 begins as 'f32', but its yielded value has type 'i32' (S1)}}
  %r = weave.scan carry(%c = %x : f32) length(%n) {
    // expected-note @below {{the next carries are yielded here}}
    weave.yield carry(%i : i32)
  } -> f32
  return %r : f32
}

// -----

func.func @s1_result(%x: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @below {{'weave.scan' op carry 0 begins as 'tensor<4xf32>', but its result has type 'tensor<?xf32>' (S1)}}
  %r = weave.scan carry(%c = %x : tensor<4xf32>) length(%n) {
    // expected-note @below {{the next carries are yielded here}}
    weave.yield carry(%c : tensor<4xf32>)
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @s1_body_argument(%x: f32, %n: index) {
  // expected-error @below {{'weave.scan' op carry 0 begins as 'f32', but its body argument has type 'f64' (S1)}}
  %r = "weave.scan"(%x, %n) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0, 0>}> ({
  ^bb0(%c: f64):
    // expected-note @below {{the next carries are yielded here}}
    "weave.yield"(%c) <{operandSegmentSizes = array<i32: 1, 0>}> : (f64) -> ()
  }) : (f32, index) -> f32
  return
}

// -----

func.func @s1_missing_next_carry(%x: f32, %n: index) -> f32 {
  %r = weave.scan carry(%c = %x : f32) length(%n) {
    // expected-error @below {{'weave.yield' op must yield 1 carries, found 0 (S1)}}
    weave.yield ys(%c : f32)
  } -> f32
  return %r : f32
}

// -----

func.func @s1_implicit_yield(%x: f32, %n: index) -> f32 {
  // expected-error @below {{'weave.yield' op must yield 1 carries, found 0 (S1)}}
  %r = weave.scan carry(%c = %x : f32) length(%n) {
  } -> f32
  return %r : f32
}

// -----

func.func @s1_missing_result(%x: f32, %n: index) {
  // expected-error @below {{'weave.scan' op expected a result for each of its 1 carries, found 0 results (S1)}}
  weave.scan carry(%c = %x : f32) length(%n) {
    weave.yield carry(%c : f32)
  }
  return
}

// -----

func.func @s2_scalar(%x: f32) {
  // expected-error @below {{a scanned input must be a tensor of numbers of rank >= 1, found 'f32' (S2)}}
  weave.scan xs(%a = %x : f32) {
  }
  return
}

// -----

func.func @s2_rank_0(%x: tensor<f32>) {
  // expected-error @below {{'weave.scan' op a scanned input must be a tensor of numbers of rank >= 1, found 'tensor<f32>' (S2)}}
  "weave.scan"(%x) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0>}> ({
  ^bb0(%a: f32):
    weave.yield
  }) : (tensor<f32>) -> ()
  return
}

// -----

func.func @s2_elements(%x: tensor<4xvector<2xf32>>) {
  // expected-error @below {{a scanned input must be a tensor of numbers of rank >= 1, found 'tensor<4xvector<2xf32>>' (S2)}}
  weave.scan xs(%a = %x : tensor<4xvector<2xf32>>) {
  }
  return
}

// -----

// expected-note @below {{the number of steps is taken from here}}
func.func @s2_lengths_differ(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'weave.scan' op a scanned input has 5 steps, expected 4 (S2)}}
  weave.scan xs(%a = %x : tensor<4xf32>, %b = %y : tensor<5xf32>) {
  }
  return
}

// -----

func.func @s2_length_differs(%x: tensor<4xf32>) {
  %n = arith.constant 3 : index
  // expected-error @below {{'weave.scan' op a scanned input has 4 steps, expected 3 (S2)}}
  weave.scan xs(%a = %x : tensor<4xf32>) length(%n) {
  }
  return
}

// -----

func.func @s3_no_length(%x: f32) -> f32 {
  // expected-error @below {{'weave.scan' op without scanned inputs 'length' must give the number of steps (S3)}}
  %r = weave.scan carry(%c = %x : f32) {
    weave.yield carry(%c : f32)
  } -> f32
  return %r : f32
}

// -----

func.func @s3_negative(%x: f32) -> tensor<?xf32> {
  %n = arith.constant -3 : index
  // expected-error @below {{'weave.scan' op the number of steps must not be negative, found -3 (S3)}}
  %r = weave.scan length(%n) {
    weave.yield ys(%x : f32)
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @s3_half_a_range(%n: index) {
  // expected-error @below {{'weave.scan' op 'range' needs both its first and its last step (S3)}}
  "weave.scan"(%n) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0, 0>}> ({
    weave.yield
  }) : (index) -> ()
  return
}
