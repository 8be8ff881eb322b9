// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of spmd regions and of how they end.

func.func @p1_team() {
  // expected-error @below {{'weave.spmd' op the body's arguments must be ('!weave.team'), found () (P1)}}
  weave.spmd {
  }
  return
}

// -----

func.func @p1_steps(%n: index, %x: tensor<4xf32>) {
  // expected-error @below {{'weave.spmd' op the body's arguments must be ('!weave.team', 'index', 'index', 'tensor<4xf32>'), found ('!weave.team', 'tensor<4xf32>') (P1)}}
  %r = weave.spmd steps(%n) inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    weave.finish %c replicated : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// -----

func.func @p2_results(%x: tensor<4xf32>) {
  // expected-error @below {{'weave.spmd' op the results must have the inits' types ('tensor<4xf32>'), found ('tensor<?xf32>') (P2)}}
  %r = weave.spmd inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    weave.finish %c replicated : tensor<4xf32>
  } -> tensor<?xf32>
  return
}

// -----

func.func @p3_nested() {
  // expected-note @below {{the enclosing region is here}}
  weave.spmd {
  ^bb0(%team: !weave.team):
    // expected-error @below {{'weave.spmd' op spmd regions do not nest (P3)}}
    weave.spmd {
    ^bb0(%inner: !weave.team):
    }
  }
  return
}

// -----

func.func @p4_number(%x: tensor<4xf32>) {
  %r = weave.spmd inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    // expected-error @below {{'weave.finish' op must have a value and a placement for each of 1 inits, found 0 values and 0 placements (P4)}}
    weave.finish
  } -> tensor<4xf32>
  return
}

// -----

func.func @p5_replicated(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  %r = weave.spmd inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    // expected-error @below {{'weave.finish' op value 0 must have type 'tensor<4xf32>', found 'tensor<5xf32>' (P5)}}
    weave.finish %y replicated : tensor<5xf32>
  } -> tensor<4xf32>
  return
}

// -----

func.func @p5_sharded(%x: tensor<4x3xf32>) {
  %r = weave.spmd inits(%x : tensor<4x3xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4x3xf32>):
    // expected-error @below {{'weave.finish' op value 0 must have type 'tensor<4x?xf32>', found 'tensor<4x3xf32>' (P5)}}
    weave.finish %c sharded(1) : tensor<4x3xf32>
  } -> tensor<4x3xf32>
  return
}

// -----

func.func @p5_dimension(%x: tensor<4x3xf32>) {
  %r = weave.spmd inits(%x : tensor<4x3xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4x3xf32>):
    // expected-error @below {{'weave.finish' op init 0 of type 'tensor<4x3xf32>' has no dimension 2 to cut (P5)}}
    weave.finish %c sharded(2) : tensor<4x3xf32>
  } -> tensor<4x3xf32>
  return
}

// -----

func.func @p5_partial(%x: tensor<4xf32>) {
  %r = weave.spmd inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    // expected-error @below {{'weave.finish' op value 0 is partial: its summands must be combined before it comes back (P5)}}
    weave.finish %c partial : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// -----

func.func @finish_elsewhere() {
  // expected-error @below {{'weave.finish' op expects parent op 'weave.spmd'}}
  weave.finish
}

// -----

func.func @finish_without_a_value(%x: tensor<4xf32>) {
  %r = weave.spmd inits(%x : tensor<4xf32>) {
  ^bb0(%team: !weave.team, %c: tensor<4xf32>):
    // expected-error @below {{expected a value}}
    weave.finish %c replicated, : tensor<4xf32>
  } -> tensor<4xf32>
  return
}
