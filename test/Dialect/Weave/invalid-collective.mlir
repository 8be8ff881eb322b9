// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of the collectives.

func.func @c1_psum(%i: !weave.axis, %x: f32) {
  // expected-error @below {{'weave.psum' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.psum %x over %i : f32
  return
}

// -----

func.func @c1_pmean(%i: !weave.axis, %x: f32) {
  // expected-error @below {{'weave.pmean' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.pmean %x over %i : f32
  return
}

// -----

func.func @c1_pmax(%i: !weave.axis, %x: f32) {
  // expected-error @below {{'weave.pmax' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.pmax %x over %i : f32
  return
}

// -----

func.func @c1_pmin(%i: !weave.axis, %x: f32) {
  // expected-error @below {{'weave.pmin' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.pmin %x over %i : f32
  return
}

// -----

func.func @c1_all_gather(%i: !weave.axis, %x: f32) {
  // expected-error @below {{'weave.all_gather' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.all_gather %x over %i : f32 -> tensor<4xf32>
  return
}

// -----

func.func @c1_axis_index(%i: !weave.axis) {
  // expected-error @below {{'weave.axis_index' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.axis_index %i : index
  return
}

// -----

func.func @c1_axis_size(%i: !weave.axis) {
  // expected-error @below {{'weave.axis_size' op the axis must be that of an enclosing pmap or vmap (C1)}}
  %0 = weave.axis_size %i : index
  return
}

// -----

// A token that went through a carry does not name an axis any more.
func.func @c1_carried(%x: tensor<4xf32>, %n: index) {
  weave.pmap %i (%a = %x : tensor<4xf32>) {
    weave.scan carry(%c = %i : !weave.axis) length(%n) {
      // expected-error @below {{'weave.psum' op the axis must be that of an enclosing pmap or vmap (C1)}}
      %0 = weave.psum %a over %c : f32
      weave.yield carry(%c : !weave.axis)
    } -> !weave.axis
  }
  return
}

// -----

func.func @c2_lanes(%x: tensor<4xf32>) {
  weave.pmap %i (%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.all_gather' op must stack 'f32' of 4 lanes at dimension 0, found 'tensor<5xf32>' (C2)}}
    %0 = weave.all_gather %a over %i : f32 -> tensor<5xf32>
  }
  return
}

// -----

func.func @c2_dimension(%x: tensor<?x3xf32>) {
  weave.vmap %i (%a = %x : tensor<?x3xf32>) {
    // expected-error @below {{'weave.all_gather' op must stack 'tensor<3xf32>' at dimension 2, found 'tensor<?x3xf32>' (C2)}}
    %0 = weave.all_gather %a over %i dim(2) : tensor<3xf32> -> tensor<?x3xf32>
  }
  return
}

// -----

func.func @type(%x: tensor<4xf32>) {
  weave.pmap %i (%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.psum' op inferred type(s) 'f32' are incompatible with return type(s) of operation 'i32'}}
    // expected-error @below {{'weave.psum' op failed to infer returned types}}
    %0 = "weave.psum"(%a, %i) : (f32, !weave.axis) -> i32
  }
  return
}

// -----

func.func @operand(%x: tensor<4xf32>, %v: vector<4xf32>) {
  weave.pmap %i (%a = %x : tensor<4xf32>) {
    // expected-error @below {{'weave.pmax' op operand #0 must be number or tensor of numbers, but got 'vector<4xf32>'}}
    %0 = weave.pmax %v over %i : vector<4xf32>
  }
  return
}
