// RUN: weave-opt -weave-fuse-elementwise -split-input-file %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// One op of two that read the same tensor.
// CHECK-LABEL: func @siblings(
// CHECK-SAME: %[[A:.*]]: tensor<7xf32>, %[[B:.*]]: tensor<7xf32>
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @siblings(%a: tensor<7xf32>, %b: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %e = tensor.empty() : tensor<7xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<7xf32>) outs(%e : tensor<7xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.mulf %x, %x : f32
      linalg.yield %y : f32
  } -> tensor<7xf32>
  %f = tensor.empty() : tensor<7xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<7xf32>, tensor<7xf32>) outs(%f : tensor<7xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
  } -> tensor<7xf32>
  return %v, %w : tensor<7xf32>, tensor<7xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A result that two others read stays one, computed once.
// CHECK-LABEL: func @read_twice(
// CHECK: %[[R:.*]]:2 = linalg.generic
// CHECK: %[[SQUARE:.*]] = arith.mulf
// CHECK: %[[SUM:.*]] = arith.addf %[[SQUARE]]
// CHECK: %[[LESS:.*]] = arith.subf %[[SQUARE]]
// CHECK: linalg.yield %[[SUM]], %[[LESS]]
// CHECK-NOT: linalg.generic
func.func @read_twice(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %square = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.mulf %x, %x : f32
      linalg.yield %y : f32
  } -> tensor<?xf32>
  %v = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%square, %a : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %z = arith.addf %x, %y : f32
      linalg.yield %z : f32
  } -> tensor<?xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%square, %a : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %z = arith.subf %x, %y : f32
      linalg.yield %z : f32
  } -> tensor<?xf32>
  return %v, %w : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is computed once, before a loop, is not computed in each step.
// CHECK-LABEL: func @outside_of_a_loop(
// CHECK: linalg.generic
// CHECK: math.sqrt
// CHECK: scf.for
// CHECK-NOT: math.sqrt
// CHECK: arith.addf
func.func @outside_of_a_loop(%a: tensor<7xf32>, %b: tensor<7xf32>, %n: index) -> tensor<7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<7xf32>
  %v = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<7xf32>, tensor<7xf32>) outs(%e : tensor<7xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = math.sqrt %x : f32
      %z = arith.mulf %s, %y : f32
      linalg.yield %z : f32
  } -> tensor<7xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %a) -> tensor<7xf32> {
    %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%c, %v : tensor<7xf32>, tensor<7xf32>) outs(%e : tensor<7xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %z = arith.addf %x, %y : f32
        linalg.yield %z : f32
    } -> tensor<7xf32>
    scf.yield %w : tensor<7xf32>
  }
  return %r : tensor<7xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d1)>
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// Nor what is computed once for each row, for each element of it.
// CHECK-LABEL: func @along_a_new_dimension(
// CHECK: math.sqrt
// CHECK: linalg.generic
// CHECK-NOT: math.sqrt
// CHECK: return
func.func @along_a_new_dimension(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<1000x7xf32> {
  %e = tensor.empty() : tensor<7xf32>
  %v = linalg.generic {indexing_maps = [#id1, #id1, #id1], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<7xf32>, tensor<7xf32>) outs(%e : tensor<7xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = math.sqrt %x : f32
      %z = arith.mulf %s, %y : f32
      linalg.yield %z : f32
  } -> tensor<7xf32>
  %f = tensor.empty() : tensor<1000x7xf32>
  %w = linalg.generic {indexing_maps = [#row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<7xf32>) outs(%f : tensor<1000x7xf32>) {
    ^bb0(%x: f32, %o: f32):
      %z = arith.addf %x, %x : f32
      linalg.yield %z : f32
  } -> tensor<1000x7xf32>
  return %w : tensor<1000x7xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Ops of other extents, or which read each other elsewhere, stay apart; so do
// those that something between them ties to their places.
// CHECK-LABEL: func @apart(
// CHECK-COUNT-5: linalg.generic
// CHECK: return
func.func @apart(%a: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = math.sqrt %x : f32
      linalg.yield %y : f32
  } -> tensor<8xf32>
  %c7 = arith.constant 7 : index
  %last = tensor.extract %v[%c7] : tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.mulf %x, %last : f32
      linalg.yield %y : f32
  } -> tensor<8xf32>
  %part = tensor.extract_slice %v[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %other = tensor.extract_slice %a[1] [%c7] [1] : tensor<8xf32> to tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%part : tensor<?xf32>) outs(%f : tensor<?xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
  } -> tensor<?xf32>
  %g = tensor.empty(%c7) : tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%other : tensor<?xf32>) outs(%g : tensor<?xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.negf %x : f32
      linalg.yield %y : f32
  } -> tensor<?xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<8xf32>) outs(%w : tensor<8xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.addf %x, %o : f32
      linalg.yield %y : f32
  } -> tensor<8xf32>
  return %h, %v, %p, %q : tensor<8xf32>, tensor<8xf32>, tensor<?xf32>, tensor<?xf32>
}
