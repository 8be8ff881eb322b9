// RUN: weave-opt %s -canonicalize -split-input-file | FileCheck %s

// An output that nobody uses is not stacked, and what only it needs goes.
// CHECK-LABEL: func @unused_output
// CHECK: %[[R:.*]]:2 = weave.scan carry(%[[C:.*]] = %{{.*}} : f32) xs(%[[X:.*]] = %{{.*}} : tensor<?xf32>) {
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[C]], %[[X]] : f32
// CHECK-NEXT: weave.yield carry(%[[N]] : f32) ys(%[[C]] : f32)
// CHECK-NEXT: } -> f32, tensor<?xf32>
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @unused_output(%x0: f32, %xs: tensor<?xf32>) -> (f32, tensor<?xf32>) {
  %r:3 = weave.scan carry(%c = %x0 : f32) xs(%x = %xs : tensor<?xf32>) {
    %n = arith.addf %c, %x : f32
    %sq = arith.mulf %x, %x : f32
    weave.yield carry(%n : f32) ys(%sq, %c : f32, f32)
  } -> f32, tensor<?xf32>, tensor<?xf32>
  return %r#0, %r#2 : f32, tensor<?xf32>
}

// -----

// An input that nothing reads goes, but not the number of steps it gave.
// CHECK-LABEL: func @unused_input
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : i32) xs(%{{.*}} = %{{.*}} : tensor<?xi32>) {
func.func @unused_input(%a: i32, %xs: tensor<?xi32>, %ys: tensor<?xf32>) -> i32 {
  %r = weave.scan carry(%c = %a : i32) xs(%x = %xs : tensor<?xi32>, %y = %ys : tensor<?xf32>) {
    %0 = arith.addi %c, %x : i32
    weave.yield carry(%0 : i32)
  } -> i32
  return %r : i32
}

// CHECK-LABEL: func @only_input_static
// CHECK: %[[N:.*]] = arith.constant 7 : index
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : i32) length(%[[N]]) {
func.func @only_input_static(%a: i32, %xs: tensor<7xi32>) -> i32 {
  %r = weave.scan carry(%c = %a : i32) xs(%x = %xs : tensor<7xi32>) {
    %0 = arith.addi %c, %c : i32
    weave.yield carry(%0 : i32)
  } -> i32
  return %r : i32
}

// CHECK-LABEL: func @only_input_dynamic
// CHECK-SAME: %[[XS:[^:]+]]: tensor<?x2xi32>
// CHECK: %[[N:.*]] = tensor.dim %[[XS]], %c0
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : i32) length(%[[N]]) reverse unroll(4) attributes {note} {
func.func @only_input_dynamic(%a: i32, %xs: tensor<?x2xi32>) -> i32 {
  %r = weave.scan carry(%c = %a : i32) xs(%x = %xs : tensor<?x2xi32>) reverse unroll(4) attributes {note} {
    %0 = arith.addi %c, %c : i32
    weave.yield carry(%0 : i32)
  } -> i32
  return %r : i32
}

// Keys that nobody takes are not made.
// CHECK-LABEL: func @unused_keys
// CHECK-SAME: %[[N:[^:]+]]: index
// CHECK-NOT: weave.random.split
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : i32) length(%[[N]]) {
func.func @unused_keys(%a: i32, %key: tensor<2xi32>, %n: index) -> i32 {
  %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
  %r = weave.scan carry(%c = %a : i32) xs(%k = %keys : tensor<?x2xi32>) {
    %0 = arith.addi %c, %c : i32
    weave.yield carry(%0 : i32)
  } -> i32
  return %r : i32
}

// The input that has the static extent goes, the other one stays.
// CHECK-LABEL: func @static_input_goes
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : i32) xs(%{{.*}} = %{{.*}} : tensor<?xi32>) length(%c7) {
func.func @static_input_goes(%a: i32, %xs: tensor<?xi32>, %ys: tensor<7xf32>) -> i32 {
  %r = weave.scan carry(%c = %a : i32) xs(%x = %xs : tensor<?xi32>, %y = %ys : tensor<7xf32>) {
    %0 = arith.addi %c, %x : i32
    weave.yield carry(%0 : i32)
  } -> i32
  return %r : i32
}

// -----

// An output that is an input is not stacked again; equal outputs are one.
// CHECK-LABEL: func @forwarded_outputs
// CHECK-SAME: %[[XS:[^:]+]]: tensor<7xf32>
// CHECK: %[[R:.*]]:2 = weave.scan carry(%{{.*}} = %{{.*}} : f32) xs(%[[X:.*]] = %[[XS]] : tensor<7xf32>) {
// CHECK-NEXT: %[[C1:.*]] = arith.addf %{{.*}}, %[[X]]
// CHECK-NEXT: %[[C2:.*]] = arith.addf %[[C1]], %[[X]]
// CHECK-NEXT: weave.yield carry(%[[C2]] : f32) ys(%[[C2]] : f32)
// CHECK: return %[[XS]], %[[R]]#1, %[[R]]#1
func.func @forwarded_outputs(%a: f32, %xs: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %r:4 = weave.scan carry(%c = %a : f32) xs(%x = %xs : tensor<7xf32>, %y = %xs : tensor<7xf32>) {
    %0 = arith.addf %c, %x : f32
    %1 = arith.addf %0, %y : f32
    weave.yield carry(%1 : f32) ys(%x, %1, %1 : f32, f32, f32)
  } -> f32, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
  return %r#1, %r#2, %r#3 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}

// -----

// No steps: the inits and empty outputs, static or not.
// CHECK-LABEL: func @no_steps
// CHECK-SAME: %[[A:[^:]+]]: f32
// CHECK-NOT: weave.scan
// CHECK: %[[E:.*]] = tensor.empty() : tensor<0x3xf32>
// CHECK: return %[[A]], %[[E]]
func.func @no_steps(%a: f32, %xs: tensor<0x3xf32>) -> (f32, tensor<0x3xf32>) {
  %r:2 = weave.scan carry(%c = %a : f32) xs(%x = %xs : tensor<0x3xf32>) {
    %0 = arith.addf %c, %c : f32
    %y = arith.addf %x, %x : tensor<3xf32>
    weave.yield carry(%0 : f32) ys(%y : tensor<3xf32>)
  } -> f32, tensor<0x3xf32>
  return %r#0, %r#1 : f32, tensor<0x3xf32>
}

// -----

// A constant length makes outputs static, and a cast input is scanned as it was.
// CHECK-LABEL: func @static_length
// CHECK: weave.scan xs(%[[X:.*]] = %{{.*}} : tensor<7xf32>) {
// CHECK: } -> tensor<7xf32>
func.func @static_length(%xs: tensor<7xf32>) -> tensor<?xf32> {
  %any = tensor.cast %xs : tensor<7xf32> to tensor<?xf32>
  %ys = weave.scan xs(%x = %any : tensor<?xf32>) {
    %y = arith.addf %x, %x : f32
    weave.yield ys(%y : f32)
  } -> tensor<?xf32>
  return %ys : tensor<?xf32>
}

// -----

// A chunk keeps its range, and destinations and conditions go with their output.
// CHECK-LABEL: func @chunk
// CHECK-SAME: %[[D0:[^:]+]]: tensor<9xf32>, %[[D1:[^:]+]]: tensor<9xf32>, %[[P:[^:]+]]: i1, %[[Q:[^:]+]]: i1
// CHECK: weave.scan carry(%{{.*}} = %{{.*}} : f32) range(%{{.*}} to %{{.*}}) into(%[[D1]] : tensor<9xf32>) store_if(%[[Q]]) attributes {weave.placement = [#weave.placement<replicated>, #weave.placement<sharded(0)>]} {
func.func @chunk(%d0: tensor<9xf32>, %d1: tensor<9xf32>, %p: i1, %q: i1, %a: f32, %xs: tensor<9xf32>,
                 %first: index, %last: index) -> (f32, tensor<9xf32>) {
  %r:4 = weave.scan carry(%c = %a : f32, %d = %a : f32) xs(%x = %xs : tensor<9xf32>) range(%first to %last)
      into(%d0, %d1 : tensor<9xf32>, tensor<9xf32>) store_if(%p, %q)
      attributes {weave.placement = [#weave.placement<replicated>, #weave.placement<partial>,
                                     #weave.placement<partial>, #weave.placement<sharded(0)>]} {
    %0 = arith.mulf %c, %c : f32
    weave.yield carry(%0, %d : f32, f32) ys(%x, %c : f32, f32)
  } -> f32, f32, tensor<9xf32>, tensor<9xf32>
  return %r#0, %r#3 : f32, tensor<9xf32>
}

// -----

// A scan whose results nobody uses goes, unless it has an effect.
// CHECK-LABEL: func @unused
// CHECK-NEXT: weave.scan length
// CHECK-NEXT: memref.store
// CHECK-NEXT: weave.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @unused(%a: f32, %n: index, %m: memref<f32>) {
  %r = weave.scan carry(%c = %a : f32) length(%n) {
    %0 = arith.mulf %c, %c : f32
    weave.yield carry(%0 : f32)
  } -> f32
  weave.scan length(%n) {
    memref.store %a, %m[] : memref<f32>
  }
  return
}
