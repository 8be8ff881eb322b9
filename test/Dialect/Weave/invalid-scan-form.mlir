// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of weave.scan about its body, outputs and form.

func.func @s4_number_of_arguments(%n: index) {
  // expected-error @below {{'weave.scan' op the body must have 0 arguments, found 1 (S4)}}
  "weave.scan"(%n) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0>}> ({
  ^bb0(%a: f32):
    weave.yield
  }) : (index) -> ()
  return
}

// -----

func.func @s4_slice(%x: tensor<4x10xf32>) {
  // expected-error @below {{'weave.scan' op the body's argument for scanned input 0 must be its slice 'tensor<10xf32>', found 'tensor<4xf32>' (S4)}}
  "weave.scan"(%x) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0>}> ({
  ^bb0(%a: tensor<4xf32>):
    weave.yield
  }) : (tensor<4x10xf32>) -> ()
  return
}

// -----

func.func @s4_scalar_slice(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.scan' op the body's argument for scanned input 0 must be its slice 'f32', found 'tensor<f32>' (S4)}}
  "weave.scan"(%x) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0>}> ({
  ^bb0(%a: tensor<f32>):
    weave.yield
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @s5_number(%x: tensor<4xf32>) {
  weave.scan xs(%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.yield' op must yield 0 stacked values, found 1 (S5)}}
    weave.yield ys(%a : f32)
  }
  return
}

// -----

func.func @s5_type(%x: tensor<4x3xf32>) {
  // expected-error @below {{'weave.scan' op stacked output 0 must stack 'tensor<3xf32>' of 4 steps, found 'tensor<3x4xf32>' (S5)}}
  %ys = weave.scan xs(%a = %x : tensor<4x3xf32>) {
    weave.yield ys(%a : tensor<3xf32>)
  } -> tensor<3x4xf32>
  return
}

// -----

func.func @s5_steps(%x: f32) {
  %n = arith.constant 4 : index
  // expected-error @below {{'weave.scan' op stacked output 0 must stack 'f32' of 4 steps, found 'tensor<5xf32>' (S5)}}
  %ys = weave.scan length(%n) {
    weave.yield ys(%x : f32)
  } -> tensor<5xf32>
  return
}

// -----

func.func @s5_scalar(%x: f32, %n: index) {
  // expected-error @below {{'weave.scan' op stacked output 0 must stack 'f32', found 'f32' (S5)}}
  %ys = weave.scan length(%n) {
    weave.yield ys(%x : f32)
  } -> f32
  return
}

// -----

func.func @s5_rank_0(%x: tensor<f32>, %n: index) {
  %ys = weave.scan length(%n) {
    // expected-error @below {{'weave.yield' op stacked value 0 must be a number or a tensor of numbers of rank >= 1, found 'tensor<f32>' (S5)}}
    weave.yield ys(%x : tensor<f32>)
  } -> tensor<?xf32>
  return
}

// -----

func.func @s6_into(%x: f32, %n: index, %dest: tensor<9xf32>) {
  // expected-error @below {{'weave.scan' op 'into' must have the stacked outputs' types ('tensor<?xf32>'), found ('tensor<9xf32>') (S6)}}
  %ys = weave.scan length(%n) into(%dest : tensor<9xf32>) {
    weave.yield ys(%x : f32)
  } -> tensor<?xf32>
  return
}

// -----

func.func @s6_store_if(%x: f32, %n: index, %dest: tensor<9xf32>, %b: i1) {
  // expected-error @below {{'weave.scan' op 'store_if' must have a condition for each of 1 destinations, found 2 (S6)}}
  %ys = weave.scan length(%n) into(%dest : tensor<9xf32>) store_if(%b, %b) {
    weave.yield ys(%x : f32)
  } -> tensor<9xf32>
  return
}

// -----

func.func @s7_unroll(%n: index) {
  // expected-error @below {{'weave.scan' op 'unroll' must be at least 1, found 0 (S7)}}
  weave.scan length(%n) unroll(0) {
  }
  return
}

// -----

func.func @terminator(%n: index) {
  // expected-error @below {{'weave.scan' op expects regions to end with 'weave.yield', found 'llvm.unreachable'}}
  // expected-note @below {{in custom textual format, the absence of terminator implies 'weave.yield'}}
  "weave.scan"(%n) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0>}> ({
    "llvm.unreachable"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @empty_block(%n: index) {
  // expected-error @below {{'weave.scan' op expects a non-empty block}}
  "weave.scan"(%n) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0>}> ({
  ^bb0:
  }) : (index) -> ()
  return
}

// -----

func.func @segments(%n: index) {
  // The yield's operands don't add up; neither it nor the scan may crash on that.
  %r = weave.scan carry(%c = %n : index) length(%n) {
    // expected-error @below {{'weave.yield' op operand count (1) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
    "weave.yield"(%c) <{operandSegmentSizes = array<i32: 1, 2>}> : (index) -> ()
  } -> index
  return
}
