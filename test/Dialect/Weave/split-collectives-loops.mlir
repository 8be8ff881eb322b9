// RUN: weave-opt %s --weave-split-collectives --canonicalize -split-input-file | FileCheck %s

// A scan around a collective becomes a scan of maps. A carry that differs
// between lanes gets a dimension of lanes, one that does not stays as it is.
// CHECK-LABEL: func.func @scan
// CHECK-SAME: (%[[XS:.*]]: tensor<8x4xf32>, %[[ZERO:.*]]: f32)
// CHECK: %[[ZEROS:.*]] = tensor.splat %[[ZERO]] : tensor<8xf32>
// CHECK: %[[KS:.*]] = weave.pmap %{{.*}} (%{{.*}} = %[[XS]] : tensor<8x4xf32>) out_axes [1]
// CHECK: %[[SCAN:.*]]:3 = weave.scan carry(%[[C:.*]] = %[[ZERO]] : f32, %[[U:.*]] = %[[ZEROS]] : tensor<8xf32>)
// CHECK-SAME: xs(%[[K:.*]] = %[[KS]] : tensor<4x8xf32>) reverse
// CHECK: %[[MAP:.*]]:2 = weave.pmap %{{.*}} (%{{.*}} = %[[U]] : tensor<8xf32>, %{{.*}} = %[[K]] : tensor<8xf32>)
// CHECK: weave.reduce <add> {{.*}} ins(%[[K]] : tensor<8xf32>)
// CHECK: %[[NEXT:.*]] = arith.addf %[[C]]
// CHECK: weave.yield carry(%[[NEXT]], %[[MAP]]#0 : f32, tensor<8xf32>) ys(%[[MAP]]#1 : tensor<8xf32>)
// CHECK: } -> f32, tensor<8xf32>, tensor<4x8xf32>
// CHECK: weave.pmap %{{.*}} (%{{.*}} = %[[SCAN]]#2 : tensor<4x8xf32>) in_axes [1]
func.func @scan(%xs: tensor<8x4xf32>, %zero: f32) -> tensor<8x4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<8x4xf32>) {
    %c4, %u4, %l = weave.scan carry(%c = %zero : f32, %u = %zero : f32) xs(%k = %x : tensor<4xf32>) reverse {
      %g = weave.psum %k over %i : f32
      %n = arith.addf %c, %g : f32
      %u1 = arith.mulf %u, %k : f32
      %y = arith.addf %u1, %c : f32
      weave.yield carry(%n, %u1 : f32, f32) ys(%y : f32)
    } -> f32, f32, tensor<4xf32>
    weave.yield %l : tensor<4xf32>
  } -> tensor<8x4xf32>
  return %ys : tensor<8x4xf32>
}

// -----

// What a scan captures of the lanes before it is mapped again in its body; the
// lanes may go on after it.
// CHECK-LABEL: func.func @captured
// CHECK: %[[W:.*]] = weave.vmap
// CHECK: weave.scan carry(%[[C:.*]] = %{{.*}} : tensor<?xf32>) length(%{{.*}}) unroll(2)
// CHECK: weave.vmap %{{.*}} (%{{.*}} = %[[C]] : tensor<?xf32>, %{{.*}} = %[[W]] : tensor<?xf32>)
// CHECK: weave.reduce <max>
// CHECK: weave.vmap
// CHECK: weave.yield carry(
// CHECK: weave.vmap
// CHECK: math.absf
func.func @captured(%xs: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %ys = weave.vmap %i (%x = %xs : tensor<?xf32>) {
    %w = arith.mulf %x, %x : f32
    %r = weave.scan carry(%c = %x : f32) length(%n) unroll(2) {
      %a = arith.addf %c, %w : f32
      %m = weave.pmax %a over %i : f32
      %b = arith.subf %a, %m : f32
      weave.yield carry(%b : f32)
    } -> f32
    %y = math.absf %r : f32
    weave.yield %y : f32
  } -> tensor<?xf32>
  return %ys : tensor<?xf32>
}

// -----

// Any depth; the inner scan's length is that of its xs.
// CHECK-LABEL: func.func @scan_in_scan
// CHECK-NOT: weave.pmap
// CHECK: weave.scan
// CHECK-NOT: weave.pmap
// CHECK: weave.scan
// CHECK: weave.pmap
// CHECK: weave.reduce
// CHECK: weave.pmap
func.func @scan_in_scan(%xs: tensor<4xf32>, %ws: tensor<3xf32>, %n: index) -> tensor<4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
    %r = weave.scan carry(%c = %x : f32) length(%n) {
      %q = weave.scan carry(%d = %c : f32) xs(%w = %ws : tensor<3xf32>) {
        %e = arith.mulf %d, %w : f32
        %m = weave.psum %e over %i : f32
        %f = arith.subf %e, %m : f32
        weave.yield carry(%f : f32)
      } -> f32
      weave.yield carry(%q : f32)
    } -> f32
    weave.yield %r : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @for
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[C:.*]] = %{{.*}}) -> (tensor<4xi32>)
// CHECK: weave.reduce <add>
// CHECK: weave.vmap
// CHECK: scf.yield %{{.*}} : tensor<4xi32>
// CHECK-LABEL: func.func @if
// CHECK-SAME: %[[COND:[^ ]*]]: i1
// CHECK: scf.if %[[COND]] -> (tensor<4xi32>) {
// CHECK: weave.reduce
// CHECK: weave.vmap
// CHECK: } else {
// CHECK: scf.yield %{{.*}} : tensor<4xi32>
// CHECK-LABEL: func.func @while
// CHECK: scf.while (%[[C:.*]] = %{{.*}}) : (tensor<4xi32>) -> tensor<4xi32> {
// CHECK: weave.reduce
// CHECK: %[[GO:.*]] = arith.cmpi
// CHECK: scf.condition(%[[GO]]) %[[C]] : tensor<4xi32>
// CHECK: weave.vmap
// CHECK: scf.yield
func.func @for(%xs: tensor<4xi32>, %n: index) -> tensor<4xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ys = weave.vmap %i (%x = %xs : tensor<4xi32>) {
    %r = scf.for %k = %zero to %n step %one iter_args(%c = %x) -> i32 {
      %s = weave.psum %c over %i : i32
      %t = arith.index_cast %k : index to i32
      %a = arith.muli %c, %s : i32
      %b = arith.addi %a, %t : i32
      scf.yield %b : i32
    }
    weave.yield %r : i32
  } -> tensor<4xi32>
  return %ys : tensor<4xi32>
}

func.func @if(%xs: tensor<4xi32>, %cond: i1) -> tensor<4xi32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xi32>) {
    %r = scf.if %cond -> i32 {
      %s = weave.psum %x over %i : i32
      %a = arith.muli %x, %s : i32
      scf.yield %a : i32
    } else {
      scf.yield %x : i32
    }
    weave.yield %r : i32
  } -> tensor<4xi32>
  return %ys : tensor<4xi32>
}

// The condition is a collective, the same for all lanes.
func.func @while(%xs: tensor<4xi32>, %limit: i32) -> tensor<4xi32> {
  %ys = weave.vmap %i (%x = %xs : tensor<4xi32>) {
    %r = scf.while (%c = %x) : (i32) -> i32 {
      %s = weave.psum %c over %i : i32
      %go = arith.cmpi slt, %s, %limit : i32
      scf.condition(%go) %c : i32
    } do {
    ^bb0(%c: i32):
      %d = arith.addi %c, %c : i32
      scf.yield %d : i32
    }
    weave.yield %r : i32
  } -> tensor<4xi32>
  return %ys : tensor<4xi32>
}
