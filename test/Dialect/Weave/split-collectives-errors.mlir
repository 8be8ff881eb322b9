// RUN: weave-opt %s --weave-split-collectives -split-input-file -verify-diagnostics

func.func @varying_condition(%xs: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
    %c = arith.cmpf ogt, %x, %zero : f32
    // expected-note @below {{the condition is here}}
    %y = scf.if %c -> f32 {
      // expected-error @below {{'weave.psum' op cannot run under a condition that differs between lanes of its axis}}
      %s = weave.psum %x over %i : f32
      scf.yield %s : f32
    } else {
      scf.yield %x : f32
    }
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @varying_while(%xs: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %ys = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    // expected-note @below {{the condition is here}}
    %y = scf.while (%a = %x) : (f32) -> f32 {
      %c = arith.cmpf ogt, %a, %zero : f32
      scf.condition(%c) %a : f32
    } do {
    ^bb0(%a: f32):
      // expected-error @below {{'weave.pmax' op cannot run under a condition that differs between lanes of its axis}}
      %m = weave.pmax %a over %i : f32
      %n = arith.subf %a, %m : f32
      scf.yield %n : f32
    }
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @varying_length(%ns: tensor<4xindex>) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %ys = weave.pmap %i (%n = %ns : tensor<4xindex>) {
    // expected-note @below {{the loop is here}}
    %y = weave.scan carry(%c = %one : f32) length(%n) {
      // expected-error @below {{'weave.pmean' op cannot run in a loop whose number of steps differs between lanes of its axis}}
      %m = weave.pmean %c over %i : f32
      weave.yield carry(%m : f32)
    } -> f32
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @varying_bound(%ns: tensor<4xindex>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %ys = weave.pmap %i (%n = %ns : tensor<4xindex>) {
    // expected-note @below {{the loop is here}}
    %y = scf.for %k = %zero to %n step %step iter_args(%c = %one) -> f32 {
      // expected-error @below {{'weave.psum' op cannot run in a loop whose number of steps differs between lanes of its axis}}
      %s = weave.psum %c over %i : f32
      scf.yield %s : f32
    }
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

// The lanes of %j differ, not those of %i.
func.func @inner_condition(%xs: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %ys = weave.pmap %i (%row = %xs : tensor<4x3xf32>) {
    %r = weave.vmap %j (%x = %row : tensor<3xf32>) {
      %c = arith.cmpf ogt, %x, %zero : f32
      // expected-note @below {{the condition is here}}
      %y = scf.if %c -> f32 {
        // expected-error @below {{'weave.psum' op cannot run under a condition that differs between lanes of a map inside its axis}}
        %s = weave.psum %x over %i : f32
        scf.yield %s : f32
      } else {
        scf.yield %x : f32
      }
      weave.yield %y : f32
    } -> tensor<3xf32>
    weave.yield %r : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %ys : tensor<4x3xf32>
}

// -----

func.func @other_region(%xs: tensor<4xf32>) -> tensor<4x2xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
    // expected-note @below {{the region is here}}
    %t = tensor.generate {
    ^bb0(%k: index):
      // expected-error @below {{'weave.psum' op cannot run inside 'tensor.generate'; a map can be split at collectives in scans, maps, scf.for, scf.if and scf.while}}
      %s = weave.psum %x over %i : f32
      tensor.yield %s : f32
    } : tensor<2xf32>
    weave.yield %t : tensor<2xf32>
  } -> tensor<4x2xf32>
  return %ys : tensor<4x2xf32>
}

// -----

func.func @dynamic_shape(%xs: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
    // expected-error @below {{a value that is needed on both sides of a collective must be a number or a tensor of static shape, found 'tensor<?xf32>'}}
    %t = tensor.splat %x[%n] : tensor<?xf32>
    %k = arith.fptosi %x : f32 to i32
    %sum = weave.psum %k over %i : i32
    %at = arith.index_cast %sum : i32 to index
    %y = tensor.extract %t[%at] : tensor<?xf32>
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

func.func @partitioned(%xs: tensor<4xf32>, %first: index, %last: index) -> tensor<4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
    // expected-error @below {{'weave.scan' op is partitioned already; weave-split-collectives has to run before weave-hoist-partition}}
    %y = weave.scan carry(%c = %x : f32) range(%first to %last) {
      %m = weave.psum %c over %i : f32
      weave.yield carry(%m : f32)
    } -> f32
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}
