// RUN: weave-opt %s -canonicalize -split-input-file | FileCheck %s

// Carries that only feed each other go; the others keep their order.
// CHECK-LABEL: func @unused_carries
// CHECK-SAME: %[[A:[^:]+]]: f32, %[[B:[^:]+]]: f64, %[[D:[^:]+]]: i32, %[[N:[^:]+]]: index)
// CHECK: %[[R:.*]] = weave.scan carry(%[[C:.*]] = %[[D]] : i32) length(%[[N]]) {
// CHECK-NEXT: arith.addi %[[C]], %[[C]]
// CHECK-NEXT: weave.yield carry
// CHECK-NEXT: } -> i32
// CHECK: return %[[R]]
func.func @unused_carries(%a: f32, %b: f64, %d: i32, %n: index) -> i32 {
  %r:3 = weave.scan carry(%p = %a : f32, %q = %b : f64, %s = %d : i32) length(%n) {
    %p1 = arith.truncf %q : f64 to f32
    %q1 = arith.extf %p : f32 to f64
    %s1 = arith.addi %s, %s : i32
    weave.yield carry(%p1, %q1, %s1 : f32, f64, i32)
  } -> f32, f64, i32
  return %r#2 : i32
}

// -----

// A carry that a carry in use needs, or an effect in the body, stays.
// CHECK-LABEL: func @needed_carries
// CHECK: weave.scan carry(%[[P:.*]] = %{{.*}} : f32, %[[Q:.*]] = %{{.*}} : f32, %[[S:.*]] = %{{.*}} : f32)
func.func @needed_carries(%a: f32, %b: f32, %d: f32, %n: index, %m: memref<f32>) -> f32 {
  %r:3 = weave.scan carry(%p = %a : f32, %q = %b : f32, %s = %d : f32) length(%n) {
    %p1 = arith.addf %q, %p : f32
    %q1 = arith.mulf %q, %q : f32
    %s1 = arith.mulf %s, %s : f32
    memref.store %s, %m[] : memref<f32>
    weave.yield carry(%p1, %q1, %s1 : f32, f32, f32)
  } -> f32, f32, f32
  return %r#0 : f32
}

// -----

// A carry used only in the region of an op in use is needed.
// CHECK-LABEL: func @needed_in_a_region
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : tensor<3xf32>, %{{.*}} = %{{.*}} : f32)
func.func @needed_in_a_region(%x: tensor<3xf32>, %a: f32, %n: index) -> tensor<3xf32> {
  %r:2 = weave.scan carry(%c = %x : tensor<3xf32>, %p = %a : f32) length(%n) {
    %c1 = weave.vmap %i (%v = %c : tensor<3xf32>) {
      %s = arith.addf %v, %p : f32
      weave.yield %s : f32
    } -> tensor<3xf32>
    %p1 = arith.mulf %p, %p : f32
    weave.yield carry(%c1, %p1 : tensor<3xf32>, f32)
  } -> tensor<3xf32>, f32
  return %r#0 : tensor<3xf32>
}

// -----

// Carries that never change are their inits: yielded unchanged, yielding the
// init, or trading places with their like.
// CHECK-LABEL: func @invariant_carries
// CHECK-SAME: %[[A:[^:]+]]: f32, %[[B:[^:]+]]: f32, %[[X0:[^:]+]]: f32, %[[N:[^:]+]]: index)
// CHECK: %[[R:.*]] = weave.scan carry(%[[C:.*]] = %[[X0]] : f32) length(%[[N]]) {
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[C]], %[[A]] : f32
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[B]] : f32
// CHECK-NEXT: %[[U:.*]] = arith.mulf %[[T]], %[[B]] : f32
// CHECK-NEXT: weave.yield carry(%[[U]] : f32)
// CHECK: return %[[R]], %[[A]], %[[B]] : f32, f32, f32
func.func @invariant_carries(%a: f32, %b: f32, %x0: f32, %n: index) -> (f32, f32, f32) {
  %r:5 = weave.scan carry(%c = %x0 : f32, %p = %a : f32, %q = %b : f32, %s = %b : f32, %t = %b : f32) length(%n) {
    %0 = arith.addf %c, %p : f32
    %1 = arith.addf %0, %q : f32
    %2 = arith.mulf %1, %s : f32
    weave.yield carry(%2, %p, %b, %t, %s : f32, f32, f32, f32, f32)
  } -> f32, f32, f32, f32, f32
  return %r#0, %r#1, %r#3 : f32, f32, f32
}

// -----

// Swapped carries with different inits do change.
// CHECK-LABEL: func @swapped_carries
// CHECK: weave.scan carry(%[[P:.*]] = %{{.*}} : f32, %[[Q:.*]] = %{{.*}} : f32) length(%{{.*}}) {
// CHECK-NEXT: weave.yield carry(%[[Q]], %[[P]] : f32, f32)
func.func @swapped_carries(%a: f32, %b: f32, %n: index) -> (f32, f32) {
  %r:2 = weave.scan carry(%p = %a : f32, %q = %b : f32) length(%n) {
    weave.yield carry(%q, %p : f32, f32)
  } -> f32, f32
  return %r#0, %r#1 : f32, f32
}

// -----

// Carries that begin and change alike are one, also where they feed each other.
// CHECK-LABEL: func @equal_carries
// CHECK: %[[R:.*]]:2 = weave.scan carry(%[[P:.*]] = %{{.*}} : f32, %[[Q:.*]] = %{{.*}} : f32) length(%{{.*}}) {
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[P]] : f32
// CHECK-NEXT: weave.yield carry(%[[Q]], %[[S]] : f32, f32)
// CHECK: return %[[R]]#0, %[[R]]#0, %[[R]]#1, %[[R]]#1
func.func @equal_carries(%a: f32, %n: index) -> (f32, f32, f32, f32) {
  %r:4 = weave.scan carry(%p = %a : f32, %q = %a : f32, %s = %a : f32, %t = %a : f32) length(%n) {
    %0 = arith.addf %p, %q : f32
    weave.yield carry(%s, %t, %0, %0 : f32, f32, f32, f32)
  } -> f32, f32, f32, f32
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
}
