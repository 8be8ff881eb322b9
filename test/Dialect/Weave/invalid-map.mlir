// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of weave.pmap, weave.vmap and of their weave.yield.

// expected-note @below {{the number of lanes is taken from here}}
func.func @m1_lanes_differ(%x: tensor<4xf32>, %y: tensor<10x5xf32>) {
  // expected-error @below {{'weave.pmap' op input 1 has 5 lanes, expected 4 (M1)}}
  weave.pmap %i (%a = %x : tensor<4xf32>, %b = %y : tensor<10x5xf32>) in_axes [0, 1] {
  }
  return
}

// -----

func.func @m1_constant_lanes(%x: tensor<4xf32>) {
  %n = arith.constant 3 : index
  // expected-error @below {{'weave.vmap' op input 0 has 4 lanes, expected 3 (M1)}}
  weave.vmap %i (%a = %x : tensor<4xf32>) lanes(%n) {
  }
  return
}

// -----

func.func @m1_scalar(%x: f32) {
  // expected-error @below {{a mapped input must be a tensor of numbers of rank >= 1, found 'f32' (M1)}}
  weave.pmap %i (%a = %x : f32) {
  }
  return
}

// -----

func.func @m1_unranked(%x: tensor<*xf32>) {
  // expected-error @below {{a mapped input must be a tensor of numbers of rank >= 1, found 'tensor<*xf32>' (M1)}}
  weave.pmap %i (%a = %x : tensor<*xf32>) {
  }
  return
}

// -----

func.func @m1_rank_0(%x: tensor<f32>) {
  // expected-error @below {{'weave.pmap' op a mapped input must be a tensor of numbers of rank >= 1, found 'tensor<f32>' (M1)}}
  "weave.pmap"(%x) <{operandSegmentSizes = array<i32: 1, 0>, inAxes = array<i64: 0>, outAxes = array<i64>}> ({
  ^bb0(%i: !weave.axis, %a: f32):
    weave.yield
  }) : (tensor<f32>) -> ()
  return
}

// -----

func.func @m1_elements(%x: tensor<4x!weave.axis>) {
  // expected-error @below {{a mapped input must be a tensor of numbers of rank >= 1, found 'tensor<4x!weave.axis>' (M1)}}
  weave.pmap %i (%a = %x : tensor<4x!weave.axis>) {
  }
  return
}

// -----

func.func @m2_no_lanes() {
  // expected-error @below {{'weave.vmap' op without mapped inputs 'lanes' must give the number of lanes (M2)}}
  weave.vmap %i {
  }
  return
}

// -----

func.func @m2_negative() {
  %n = arith.constant -1 : index
  // expected-error @below {{'weave.pmap' op the number of lanes must not be negative, found -1 (M2)}}
  weave.pmap %i lanes(%n) {
  }
  return
}

// -----

func.func @m3_number_of_in_axes(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.pmap' op 'in_axes' must have 1 axes, one per input, found 2 (M3)}}
  weave.pmap %i (%a = %x : tensor<4xf32>) in_axes [0, 0] {
  }
  return
}

// -----

func.func @m3_in_axis(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.pmap' op mapped axis of input 0 must be in [0, 1) for 'tensor<4xf32>', found 1 (M3)}}
  weave.pmap %i (%a = %x : tensor<4xf32>) in_axes [1] {
  }
  return
}

// -----

func.func @m3_huge_in_axis(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.pmap' op mapped axis of input 0 must be in [0, 1) for 'tensor<4xf32>', found 9223372036854775807 (M3)}}
  weave.pmap %i (%a = %x : tensor<4xf32>) in_axes [9223372036854775807] {
  }
  return
}

// -----

func.func @m3_number_of_out_axes(%x: tensor<4xf32>) {
  // expected-error @below {{'out_axes' must have 1 axes, one per result, found 2 (M3)}}
  %r = weave.pmap %i (%a = %x : tensor<4xf32>) out_axes [0, 1] {
    weave.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @m3_number_of_out_axes_generic(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.pmap' op 'out_axes' must have 0 axes, one per result, found 1 (M3)}}
  "weave.pmap"(%x) <{operandSegmentSizes = array<i32: 1, 0>, inAxes = array<i64: 0>, outAxes = array<i64: 0>}> ({
  ^bb0(%i: !weave.axis, %a: f32):
    weave.yield
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @m3_out_axis(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.vmap' op out axis of result 0 must be in [0, 1) for 'tensor<4xf32>', found -1 (M3)}}
  %r = weave.vmap %i (%a = %x : tensor<4xf32>) out_axes [-1] {
    weave.yield %a : f32
  } -> tensor<4xf32>
  return
}

// -----

func.func @m4_no_axis(%n: index) {
  // expected-error @below {{'weave.pmap' op the body must have the axis and 0 slices as arguments, found () (M4)}}
  "weave.pmap"(%n) <{operandSegmentSizes = array<i32: 0, 1>, inAxes = array<i64>, outAxes = array<i64>}> ({
    weave.yield
  }) : (index) -> ()
  return
}

// -----

func.func @m4_slice(%x: tensor<4x10xf32>) {
  // expected-error @below {{'weave.pmap' op the body's argument for input 0 must be its slice 'tensor<4xf32>', found 'tensor<10xf32>' (M4)}}
  "weave.pmap"(%x) <{operandSegmentSizes = array<i32: 1, 0>, inAxes = array<i64: 1>, outAxes = array<i64>}> ({
  ^bb0(%i: !weave.axis, %a: tensor<10xf32>):
    weave.yield
  }) : (tensor<4x10xf32>) -> ()
  return
}

// -----

func.func @m5_number(%x: tensor<4xf32>) {
  %r = weave.pmap %i (%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.yield' op must yield 1 values, found 0 (M5)}}
    weave.yield
  } -> tensor<4xf32>
  return
}

// -----

func.func @m5_type(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.pmap' op result 0 must stack 'f32' of 4 lanes at axis 0, found 'tensor<5xf32>' (M5)}}
  %r = weave.pmap %i (%a = %x : tensor<4xf32>) {
    weave.yield %a : f32
  } -> tensor<5xf32>
  return
}

// -----

func.func @m5_axis(%x: tensor<?x3xf32>) {
  // expected-error @below {{'weave.pmap' op result 0 must stack 'tensor<3xf32>' at axis 1, found 'tensor<?x3xf32>' (M5)}}
  %r = weave.pmap %i (%a = %x : tensor<?x3xf32>) out_axes [1] {
    weave.yield %a : tensor<3xf32>
  } -> tensor<?x3xf32>
  return
}

// -----

func.func @m5_token(%x: tensor<4xf32>) {
  %r = weave.pmap %i (%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.yield' op value 0 must be a number or a tensor of numbers of rank >= 1, found '!weave.axis' (M5)}}
    weave.yield %i : !weave.axis
  } -> tensor<4x!weave.axis>
  return
}

// -----

func.func @m6_dynamic(%x: tensor<4x?xf32>) {
  // expected-error @below {{'weave.pmap' op only the mapped axis 0 of input 0 may be dynamic, found 'tensor<4x?xf32>' (M6)}}
  weave.pmap %i (%a = %x : tensor<4x?xf32>) {
  }
  return
}

// -----

func.func @y1_carries_in_a_map(%x: tensor<4xf32>) {
  %r = weave.pmap %i (%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.yield' op only a scan has carries, found 1 in a weave.pmap (Y1)}}
    weave.yield carry(%a : f32)
  } -> tensor<4xf32>
  return
}

// -----

func.func @yield_elsewhere() {
  // expected-error @below {{'weave.yield' op expects parent op to be one of 'weave.scan, weave.pmap, weave.vmap, weave.reduce, weave.partial_reduce'}}
  weave.yield
}

// -----

func.func @schedule(%x: tensor<4xf32>) {
  // expected-error @below {{expected a schedule of static or dynamic, found guided}}
  weave.pmap %i (%a = %x : tensor<4xf32>) schedule(guided) {
  }
  return
}
