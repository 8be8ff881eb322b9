// RUN: weave-opt %s -split-input-file -weave-settle-carries | FileCheck %s
// RUN: weave-opt %s -split-input-file -weave-settle-carries=max-period=1 | FileCheck %s --check-prefix=ALWAYS

#id = affine_map<(d0) -> (d0)>
#back = affine_map<(d0) -> (7 - d0)>

// What is computed element by element may overwrite the carry.
// CHECK-LABEL: func.func @elementwise(
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}) -> (tensor<8xf32>)
// CHECK: %[[V:.*]] = linalg.generic
// CHECK: %[[T:.*]] = bufferization.materialize_in_destination %[[V]] in %[[U]]
// CHECK: scf.yield %[[T]]
// CHECK-NOT: scf.for
func.func @elementwise(%u0: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%u : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %a : f32
      linalg.yield %q : f32
    } -> tensor<8xf32>
    %t = bufferization.materialize_in_destination %v in %u : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#back = affine_map<(d0) -> (7 - d0)>

// An element that depends on others would read what is overwritten already: the
// carry goes to a scratch buffer and back, two steps at a time; a step that is
// left over copies.
// CHECK-LABEL: func.func @stencil(
// CHECK-SAME: %[[U0:.*]]: tensor<8xf32>, %[[N:.*]]: index)
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[S0:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: %[[PAIRS:.*]]:2 = scf.for {{.*}} step %[[C2]] iter_args(%[[U:.*]] = %[[U0]], %[[S:.*]] = %[[S0]])
// CHECK: %[[V:.*]] = linalg.generic {{.*}} ins(%[[U]] :
// CHECK: %[[T:.*]] = bufferization.materialize_in_destination %[[V]] in %[[S]]
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[T]] :
// CHECK: %[[X:.*]] = bufferization.materialize_in_destination %[[W]] in %[[U]]
// CHECK: scf.yield %[[X]], %[[T]]
// CHECK: scf.for {{.*}} iter_args(%[[L:.*]] = %[[PAIRS]]#0)
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[L]] :
// CHECK: %[[OWN:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<8xf32>) outs(%[[OWN]] :
// CHECK: %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[COPY]] : tensor<8xf32>) outs(%[[L]] :
// CHECK: scf.yield %[[BACK]]

// ALWAYS-LABEL: func.func @stencil(
// ALWAYS: scf.for {{.*}} iter_args(%[[L:.*]] = %{{.*}}) -> (tensor<8xf32>)
// ALWAYS: linalg.generic {{.*}} ins(%[[L]] :
// ALWAYS: linalg.generic {{.*}} outs(%[[L]] :
// ALWAYS-NOT: scf.for
// ALWAYS: return
func.func @stencil(%u0: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0) -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %v = linalg.generic {indexing_maps = [#back, #id], iterator_types = ["parallel"]}
        ins(%u : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<8xf32>
    %t = bufferization.materialize_in_destination %v in %u : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Carries that trade places stay where they are; after two steps each is back.
// CHECK-LABEL: func.func @swap(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK-NOT: materialize_in_destination
// CHECK: %[[A1:.*]] = tensor.insert %{{.*}} into %[[B]]
// CHECK: %[[A2:.*]] = tensor.insert %{{.*}} into %[[A]]
// CHECK: scf.yield %[[A2]], %[[A1]]
func.func @swap(%a0: tensor<8xf32>, %b0: tensor<8xf32>, %n: index, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0) -> (tensor<8xf32>, tensor<8xf32>) {
    %v = tensor.insert %x into %b[%c0] : tensor<8xf32>
    %ta = bufferization.materialize_in_destination %v in %a : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %tb = bufferization.materialize_in_destination %a in %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %ta, %tb : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A loop over lanes that updates the carry in place needs no tie.
// CHECK-LABEL: func.func @lanes(
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}) -> (tensor<8xf32>)
// CHECK: %[[V:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[U]])
// CHECK-NOT: materialize_in_destination
// CHECK: scf.yield %[[V]]
func.func @lanes(%u0: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0) -> (tensor<8xf32>) {
    %v = scf.for %l = %c0 to %c8 step %c1 iter_args(%w = %u) -> (tensor<8xf32>) {
      %a = tensor.extract %w[%l] : tensor<8xf32>
      %q = arith.addf %a, %a : f32
      %x = tensor.insert %q into %w[%l] : tensor<8xf32>
      scf.yield %x : tensor<8xf32>
    }
    %t = bufferization.materialize_in_destination %v in %u : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// The carry is read behind what overwrites it: it needs a scratch buffer.
// CHECK-LABEL: func.func @read_after(
// CHECK: tensor.empty() : tensor<8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[U:[a-z0-9]+]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[S:[a-z0-9]+]] = %{{.*}})
// CHECK: %[[V:.*]] = tensor.insert %{{.*}} into %[[U]]
// CHECK: tensor.extract %[[U]]
// CHECK: bufferization.materialize_in_destination %[[V]] in %[[S]]
func.func @read_after(%u0: tensor<8xf32>, %n: index, %y0: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %y = %y0) -> (tensor<8xf32>, f32) {
    %v = tensor.insert %y into %u[%c0] : tensor<8xf32>
    %old = tensor.extract %u[%c0] : tensor<8xf32>
    %t = bufferization.materialize_in_destination %v in %u : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %t, %old : tensor<8xf32>, f32
  }
  return %r#0, %r#1 : tensor<8xf32>, f32
}

// -----

// Five carries in a ring would need five steps at a time: they are copied, all
// out of the way before any is overwritten.
// CHECK-LABEL: func.func @ring(
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9]+]] = %{{[a-z0-9]+}},
// CHECK-COUNT-5: linalg.generic {{.*}} outs(%{{[0-9]+}} :
// CHECK: linalg.generic {{.*}} outs(%[[A]] :
// CHECK-COUNT-4: linalg.generic
// CHECK: scf.yield
// CHECK-NOT: scf.for
func.func @ring(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x, %d = %x, %e = %x)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %ta = bufferization.materialize_in_destination %b in %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %tb = bufferization.materialize_in_destination %c in %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %tc = bufferization.materialize_in_destination %d in %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %td = bufferization.materialize_in_destination %e in %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %te = bufferization.materialize_in_destination %a in %e : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %ta, %tb, %tc, %td, %te : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  return %r#0 : tensor<2xf32>
}
