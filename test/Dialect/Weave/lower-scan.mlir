// RUN: weave-opt %s --weave-lower-scan --split-input-file | FileCheck %s

// A carry is tied to its buffer; a stacked carry is stored before that.
// CHECK-LABEL: func.func @stack
//  CHECK-SAME:   %[[N:.*]]: index, %[[X0:.*]]: tensor<3xf32>
//       CHECK:   %[[STEPS:.*]] = arith.maxsi %[[N]], %{{.*}} : index
//       CHECK:   %[[E:.*]] = tensor.empty(%[[STEPS]]) : tensor<?x3xf32>
//       CHECK:   %[[R:.*]]:2 = scf.for %[[T:.*]] = %{{.*}} to %[[STEPS]] {{.*}} iter_args(%[[C:.*]] = %[[X0]], %[[D:.*]] = %[[E]])
//       CHECK:     %[[D1:.*]] = tensor.insert_slice %[[C]] into %[[D]][%[[T]], 0] [1, 3] [1, 1]
//       CHECK:     %[[Y:.*]] = arith.addf %[[C]], %[[C]]
//       CHECK:     %[[M:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[C]]
//       CHECK:     scf.yield %[[M]], %[[D1]]
//       CHECK:   return %[[R]]#0, %[[R]]#1
func.func @stack(%n: index, %x0: tensor<3xf32>) -> (tensor<3xf32>, tensor<?x3xf32>) {
  %x, %xs = weave.scan carry(%c = %x0 : tensor<3xf32>) length(%n) {
    %y = arith.addf %c, %c : tensor<3xf32>
    weave.yield carry(%y : tensor<3xf32>) ys(%c : tensor<3xf32>)
  } -> tensor<3xf32>, tensor<?x3xf32>
  return %x, %xs : tensor<3xf32>, tensor<?x3xf32>
}

// -----

// Carries that are numbers, of any type, need no buffer; slices of vectors and
// stacked numbers neither.
// CHECK-LABEL: func.func @numbers
//       CHECK:   scf.for %[[T:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[I:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}}) -> (i64, i1, index, tensor<5xindex>)
//       CHECK:     %[[X:.*]] = tensor.extract %{{.*}}[%[[T]]] : tensor<5xi64>
//       CHECK:     %[[D1:.*]] = tensor.insert %[[I]] into %[[D]][%[[T]]]
//   CHECK-NOT:     materialize
//       CHECK:     scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[D1]]
func.func @numbers(%xs: tensor<5xi64>, %a0: i64, %b0: i1, %i0: index) -> (i64, i1, index, tensor<5xindex>) {
  %a, %b, %i, %is = weave.scan carry(%a = %a0 : i64, %b = %b0 : i1, %i = %i0 : index) xs(%x = %xs : tensor<5xi64>) {
    %one = arith.constant 1 : index
    %t = arith.constant true
    %a1 = arith.addi %a, %x : i64
    %b1 = arith.xori %b, %t : i1
    %i1 = arith.addi %i, %one : index
    weave.yield carry(%a1, %b1, %i1 : i64, i1, index) ys(%i : index)
  } -> i64, i1, index, tensor<5xindex>
  return %a, %b, %i, %is : i64, i1, index, tensor<5xindex>
}

// -----

// From the last step to the first: inputs and outputs keep their order.
// CHECK-LABEL: func.func @reverse
//       CHECK:   scf.for %[[T:.*]] = %{{.*}} to %[[N:[^ ]*]] step
//       CHECK:     %[[LAST:.*]] = arith.subi %[[N]], %{{.*}}
//       CHECK:     %[[I:.*]] = arith.subi %[[LAST]], %[[T]]
//       CHECK:     tensor.extract %{{.*}}[%[[I]]]
//       CHECK:     tensor.insert %{{.*}} into %{{.*}}[%[[I]]]
func.func @reverse(%xs: tensor<?xf32>, %s0: f32) -> (f32, tensor<?xf32>) {
  %s, %ss = weave.scan carry(%s = %s0 : f32) xs(%x = %xs : tensor<?xf32>) reverse {
    %t = arith.addf %s, %x : f32
    weave.yield carry(%t : f32) ys(%t : f32)
  } -> f32, tensor<?xf32>
  return %s, %ss : f32, tensor<?xf32>
}

// -----

// Keys that only the scan takes are made where they are used.
// CHECK-LABEL: func.func @keys
//  CHECK-SAME:   %[[KEY:.*]]: tensor<2xi32>
//       CHECK:   scf.for %[[T:[a-z0-9]*]] =
//       CHECK:     weave.random.split %[[KEY]] offset(%[[T]]) strides [1] : tensor<2xi32> -> tensor<1x2xi32>
func.func @keys(%key: tensor<2xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %init = arith.constant 0 : i32
  %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
  %r = weave.scan carry(%s = %init : i32) xs(%k = %keys : tensor<?x2xi32>) {
    %w = tensor.extract %k[%zero] : tensor<2xi32>
    %t = arith.xori %s, %w : i32
    weave.yield carry(%t : i32)
  } -> i32
  return %r : i32
}

// -----

// Keys that others need too are stored.
// CHECK-LABEL: func.func @stored_keys
//       CHECK:   %[[KEYS:.*]] = weave.random.split
//       CHECK:   scf.for %[[T:[a-z0-9]*]] =
//       CHECK:     tensor.extract_slice %[[KEYS]][%[[T]], 0] [1, 2] [1, 1]
func.func @stored_keys(%key: tensor<2xi32>) -> (i32, tensor<7x2xi32>) {
  %zero = arith.constant 0 : index
  %init = arith.constant 0 : i32
  %keys = weave.random.split %key : tensor<2xi32> -> tensor<7x2xi32>
  %r = weave.scan carry(%s = %init : i32) xs(%k = %keys : tensor<7x2xi32>) {
    %w = tensor.extract %k[%zero] : tensor<2xi32>
    %t = arith.xori %s, %w : i32
    weave.yield carry(%t : i32)
  } -> i32
  return %r, %keys : i32, tensor<7x2xi32>
}

// -----

// Extents that must agree are compared.
// CHECK-LABEL: func.func @differ
//  CHECK-SAME:   %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>
//       CHECK:   cf.assert %{{.*}}, "scanned inputs differ in their number of steps"
//       CHECK:   scf.for
func.func @differ(%as: tensor<?xf32>, %bs: tensor<?xf32>, %s0: f32) -> f32 {
  %s = weave.scan carry(%s = %s0 : f32) xs(%a = %as : tensor<?xf32>, %b = %bs : tensor<?xf32>) {
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    weave.yield carry(%t : f32)
  } -> f32
  return %s : f32
}

// -----

// A part of the steps, in a worker, stored where a condition says so. A
// condition that is true costs nothing.
// CHECK-LABEL: func.func @chunk
//  CHECK-SAME:   %[[FIRST:.*]]: index, %[[LAST:.*]]: index, %[[D0:.*]]: tensor<?xf32>, %[[IF:.*]]: i1
//       CHECK:   scf.for %[[T:.*]] = %[[FIRST]] to %[[LAST]] {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[D:.*]] = %[[D0]], %[[E:.*]] = %{{.*}})
//       CHECK:     %[[D1:.*]] = scf.if %[[IF]]
//       CHECK:       tensor.insert %{{.*}} into %[[D]][%[[T]]]
//       CHECK:     else
//       CHECK:       scf.yield %[[D]]
//       CHECK:     tensor.insert %{{.*}} into %[[E]][%[[T]]]
func.func @chunk(%first: index, %last: index, %d: tensor<?xf32>, %if: i1, %e: tensor<?xf32>, %s0: f32) -> (f32, tensor<?xf32>, tensor<?xf32>) {
  %true = arith.constant true
  %s, %ss, %ts = weave.scan carry(%s = %s0 : f32) range(%first to %last) into(%d, %e : tensor<?xf32>, tensor<?xf32>) store_if(%if, %true) {
    %t = arith.addf %s, %s : f32
    weave.yield carry(%t : f32) ys(%s, %t : f32, f32)
  } -> f32, tensor<?xf32>, tensor<?xf32>
  return %s, %ss, %ts : f32, tensor<?xf32>, tensor<?xf32>
}

// -----

// Several steps in one turn of the loop, and what is left of them after.
// CHECK-LABEL: func.func @unroll
//       CHECK:   scf.for %{{.*}} step %[[STRIDE:.*]] iter_args
// CHECK-COUNT-3: arith.mulf
//       CHECK:   scf.for
//       CHECK:     arith.mulf
//   CHECK-NOT:     arith.mulf
func.func @unroll(%n: index, %s0: f32) -> f32 {
  %s = weave.scan carry(%s = %s0 : f32) length(%n) unroll(3) {
    %t = arith.mulf %s, %s : f32
    weave.yield carry(%t : f32)
  } -> f32
  return %s : f32
}

// -----

// No steps at all.
// CHECK-LABEL: func.func @none
//       CHECK:   tensor.empty() : tensor<0xf32>
//       CHECK:   scf.for
func.func @none(%s0: f32) -> (f32, tensor<0xf32>) {
  %zero = arith.constant 0 : index
  %s, %ss = weave.scan carry(%s = %s0 : f32) length(%zero) {
    weave.yield carry(%s : f32) ys(%s : f32)
  } -> f32, tensor<0xf32>
  return %s, %ss : f32, tensor<0xf32>
}

// -----

// A chunk of a reversed scan counts back from the last of all steps, which its
// destinations have.
// CHECK-LABEL: func.func @reversed_chunk(
// CHECK-SAME: %[[FIRST:.*]]: index, %[[LAST:.*]]: index, %{{.*}}: f32, %[[D:.*]]: tensor<7xf32>)
// CHECK: %[[STEPS:.*]] = arith.constant 7 : index
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[LAST]]
// CHECK: %[[END:.*]] = arith.subi %[[STEPS]], %{{.*}} : index
// CHECK: %[[AT:.*]] = arith.subi %[[END]], %[[I]] : index
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[AT]]] : tensor<7xf32>
func.func @reversed_chunk(%first: index, %last: index, %x: f32, %d: tensor<7xf32>) -> tensor<7xf32> {
  %r:2 = weave.scan carry(%c = %x : f32) range(%first to %last) into(%d : tensor<7xf32>) reverse {
    %y = arith.addf %c, %c : f32
    weave.yield carry(%y : f32) ys(%c : f32)
  } -> f32, tensor<7xf32>
  return %r#1 : tensor<7xf32>
}
