// Functions are inlined into the bodies of maps and scans, and functions that
// hold maps and scans are inlined like any others.
//
// RUN: weave-opt %s -inline | FileCheck %s

func.func private @square(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}

// CHECK-LABEL: func @into_bodies
// CHECK-NOT: call
// CHECK: weave.scan
// CHECK: weave.pmap
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[A:.*]], %[[A]]
// CHECK-NEXT: weave.yield %[[S]]
// CHECK: weave.vmap
// CHECK-NEXT: %[[T:.*]] = arith.mulf %[[B:.*]], %[[B]]
// CHECK-NEXT: weave.yield %[[T]]
// CHECK: return
func.func @into_bodies(%x: tensor<7xf32>) -> tensor<7xf32> {
  %n = arith.constant 3 : index
  %r = weave.scan carry(%c = %x : tensor<7xf32>) length(%n) {
    %p = weave.pmap %i (%a = %c : tensor<7xf32>) {
      %0 = func.call @square(%a) : (f32) -> f32
      weave.yield %0 : f32
    } -> tensor<7xf32>
    %v = weave.vmap %i (%b = %p : tensor<7xf32>) {
      %0 = func.call @square(%b) : (f32) -> f32
      weave.yield %0 : f32
    } -> tensor<7xf32>
    weave.yield carry(%v : tensor<7xf32>)
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}

func.func private @squares(%x: tensor<5xf32>) -> tensor<5xf32> {
  %r = weave.vmap %i (%a = %x : tensor<5xf32>) {
    %0 = func.call @square(%a) : (f32) -> f32
    weave.yield %0 : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// A map that a called function holds is nested in the caller's map.
// CHECK-LABEL: func @from_functions
// CHECK-NOT: call
// CHECK: weave.pmap
// CHECK-NEXT: weave.vmap
// CHECK-NEXT: arith.mulf
// CHECK: return
func.func @from_functions(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = weave.pmap %i (%a = %x : tensor<4x5xf32>) {
    %0 = func.call @squares(%a) : (tensor<5xf32>) -> tensor<5xf32>
    weave.yield %0 : tensor<5xf32>
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func private @halved(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  cf.br ^bb1(%x : f32)
^bb1(%y: f32):
  %above = arith.cmpf ogt, %y, %one : f32
  %z = arith.mulf %y, %half : f32
  cf.cond_br %above, ^bb1(%z : f32), ^bb2
^bb2:
  return %y : f32
}

// The body of a map is one block: a function of several stays a call.
// CHECK-LABEL: func @several_blocks
// CHECK: weave.pmap
// CHECK-NEXT: call @halved
func.func @several_blocks(%x: tensor<1xf32>) -> tensor<1xf32> {
  %r = weave.pmap %i (%a = %x : tensor<1xf32>) {
    %0 = func.call @halved(%a) : (f32) -> f32
    weave.yield %0 : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}

func.func private @endless(%x: f32) -> f32 {
  %0 = call @endless(%x) : (f32) -> f32
  return %0 : f32
}

// A function that calls itself stays a call.
// CHECK-LABEL: func @recursive
// CHECK: weave.pmap
// CHECK-NEXT: call @endless
func.func @recursive(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = weave.pmap %i (%a = %x : tensor<2xf32>) {
    %0 = func.call @endless(%a) : (f32) -> f32
    weave.yield %0 : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
