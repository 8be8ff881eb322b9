// RUN: weave-opt %s -split-input-file -weave-settle-carries | FileCheck %s
// RUN: weave-opt %s -split-input-file -convert-elementwise-to-linalg -weave-settle-carries -eliminate-empty-tensors \
// RUN:   -one-shot-bufferize=bufferize-function-boundaries -canonicalize -cse | FileCheck %s --check-prefix=BUFFERS

// Loops that were no scans have no ties yet: they get them. What is computed
// element by element stays in its buffer.
// CHECK-LABEL: func.func @untied(
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}})
// CHECK: %[[V:.*]] = arith.addf
// CHECK: %[[T:.*]] = bufferization.materialize_in_destination %[[V]] in %[[X]]
// CHECK: scf.yield %[[T]]
func.func @untied(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> tensor<8xf32> {
    %v = arith.addf %u, %u : tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// An inner loop whose result is the next carry writes the carry's buffer.
// CHECK-LABEL: func.func @inner(
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}})
// CHECK: %[[V:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[U]])
// CHECK: scf.yield %[[V]]
// BUFFERS-LABEL: func.func @inner(
// BUFFERS-NOT: memref.copy
// BUFFERS-NOT: memref.alloc
// BUFFERS: return
func.func @inner(%x: tensor<8xindex>, %n: index) -> tensor<8xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> tensor<8xindex> {
    %old = tensor.extract %u[%c0] : tensor<8xindex>
    %empty = tensor.empty() : tensor<8xindex>
    %v = scf.for %j = %c0 to %c8 step %c1 iter_args(%w = %empty) -> tensor<8xindex> {
      %s = arith.addi %old, %j : index
      %t = tensor.insert %s into %w[%j] : tensor<8xindex>
      scf.yield %t : tensor<8xindex>
    }
    scf.yield %v : tensor<8xindex>
  }
  return %r : tensor<8xindex>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A while loop's next value is copied to the carry's buffer.
// CHECK-LABEL: func.func @while(
// CHECK: ^bb0(%[[X:.*]]: tensor<8xf32>):
// CHECK: %[[V:.*]] = linalg.generic
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<8xf32>) outs(%[[X]] : tensor<8xf32>)
// CHECK: scf.yield %[[C]]
// BUFFERS-LABEL: func.func @while(
// BUFFERS: scf.while
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @while(%x: tensor<8xf32>, %limit: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.while (%u = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.extract %u[%c0] : tensor<8xf32>
    %go = arith.cmpf olt, %e, %limit : f32
    scf.condition(%go) %u : tensor<8xf32>
  } do {
  ^bb0(%u: tensor<8xf32>):
    %empty = tensor.empty() : tensor<8xf32>
    %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%u : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    } -> tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Swapped carries of a while loop get out of each other's way first.
// CHECK-LABEL: func.func @swap(
// CHECK: ^bb0(%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>):
// CHECK: %[[B1:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<8xf32>)
// CHECK: %[[A1:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<8xf32>)
// CHECK: %[[A2:.*]] = linalg.generic {{.*}} ins(%[[B1]] : tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
// CHECK: %[[B2:.*]] = linalg.generic {{.*}} ins(%[[A1]] : tensor<8xf32>) outs(%[[B]] : tensor<8xf32>)
// CHECK: scf.yield %[[A2]], %[[B2]]
// BUFFERS-LABEL: func.func @swap(
// BUFFERS: scf.while
func.func @swap(%x: tensor<8xf32>, %y: tensor<8xf32>, %limit: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%u = %x, %v = %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.extract %u[%c0] : tensor<8xf32>
    %go = arith.cmpf olt, %e, %limit : f32
    scf.condition(%go) %u, %v : tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%u: tensor<8xf32>, %v: tensor<8xf32>):
    scf.yield %v, %u : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A tie that a loop of one step left behind is none.
// CHECK-LABEL: func.func @one_step(
// CHECK-NOT: materialize_in_destination
// CHECK: return %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>
// BUFFERS-LABEL: func.func @one_step(
func.func @one_step() -> (tensor<8xf32>, tensor<8xf32>) {
  %x = arith.constant dense<2.0> : tensor<8xf32>
  %h = arith.constant dense<0.5> : tensor<8xf32>
  %v = arith.mulf %x, %h : tensor<8xf32>
  %t = bufferization.materialize_in_destination %v in %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %t, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

// What a loop fills is the next carry by another type, and the loop reads the
// carry: it needs a buffer of its own, though the empty tensor is outside.
// CHECK-LABEL: func.func @filled_by_another_type(
// CHECK: scf.for {{.*}} iter_args(%[[C:[a-z0-9]+]] = %{{.*}}, %[[S:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[N:.*]] = tensor.cast
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[N]] :
// CHECK: bufferization.materialize_in_destination %[[COPY]] in %[[S]]
func.func @filled_by_another_type(%k0: tensor<2xi32>, %n: index) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty(%c2) : tensor<?xi32>
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%c = %k0) -> tensor<2xi32> {
    %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %e) -> tensor<?xi32> {
      %j = arith.subi %c1, %i : index
      %z = tensor.extract %c[%j] : tensor<2xi32>
      %b = tensor.insert %z into %a[%i] : tensor<?xi32>
      scf.yield %b : tensor<?xi32>
    }
    %next = tensor.cast %y : tensor<?xi32> to tensor<2xi32>
    %tied = bufferization.materialize_in_destination %next in %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    scf.yield %tied : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}

// -----

// A loop that fills the scratch buffer of a carry fills it itself.
// CHECK-LABEL: func.func @filled_scratch(
// CHECK: scf.for {{.*}} iter_args(%[[C:[a-z0-9]+]] = %{{.*}}, %[[S:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[Y:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[S]])
// CHECK: %[[Z:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
// CHECK-NOT: materialize_in_destination
// CHECK: scf.yield %[[Z]], %[[Y]]
func.func @filled_scratch(%k0: tensor<2xi32>, %n: index) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%c = %k0) -> tensor<2xi32> {
    %e = tensor.empty() : tensor<2xi32>
    %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %e) -> tensor<2xi32> {
      %j = arith.subi %c1, %i : index
      %z = tensor.extract %c[%j] : tensor<2xi32>
      %b = tensor.insert %z into %a[%i] : tensor<2xi32>
      scf.yield %b : tensor<2xi32>
    }
    %tied = bufferization.materialize_in_destination %y in %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    scf.yield %tied : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}
