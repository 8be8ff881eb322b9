// RUN: weave-opt %s --weave-split-collectives --canonicalize -split-input-file | FileCheck %s

// The operand is an input: nothing is left for a first map. The sum starts at
// the identity.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: %[[XS:.*]]: tensor<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: %[[T:.*]] = weave.reduce <add> {{.*}} iterators ["reduction"] ins(%[[XS]] : tensor<4xf32>) init(%[[ZERO]] : tensor<f32>)
// CHECK: %[[S:.*]] = tensor.extract %[[T]][]
// CHECK: %[[YS:.*]] = weave.pmap %{{.*}} (%[[X:.*]] = %[[XS]] : tensor<4xf32>) schedule(dynamic) {
// CHECK-NEXT: %[[Y:.*]] = arith.divf %[[X]], %[[S]]
// CHECK-NEXT: weave.yield %[[Y]]
// CHECK: return %[[YS]]
func.func @sum(%xs: tensor<4xf32>) -> tensor<4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) schedule(dynamic) {
    %s = weave.psum %x over %i : f32
    %y = arith.divf %x, %s : f32
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

// Independent collectives share a split; a dependent one has its own. What is
// the same for all lanes is computed once; a lane's number is computed again.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]]:2 = weave.vmap
// CHECK: arith.mulf
// CHECK: arith.cmpi
// CHECK-NOT: weave.vmap
// CHECK: weave.reduce <add> {{.*}} iterators ["reduction", "parallel"] ins(%[[A]]#0 : tensor<?x3xf32>)
// CHECK: %[[LANES:.*]] = arith.sitofp {{.*}} : i64 to f32
// CHECK: %[[SPLAT:.*]] = tensor.splat %[[LANES]] : tensor<3xf32>
// CHECK: %[[MEAN:.*]] = arith.divf %{{.*}}, %[[SPLAT]] : tensor<3xf32>
// CHECK: weave.reduce <max>
// CHECK: weave.reduce <add> {{.*}} ins(%[[A]]#1 : tensor<?xi1>) init(%{{.*}} : tensor<i32>)
// CHECK-NEXT: ^bb0(%[[TRUTH:.*]]: i1, %[[COUNT:.*]]: i32):
// CHECK-NEXT: %[[ONE:.*]] = arith.extui %[[TRUTH]] : i1 to i32
// CHECK-NEXT: arith.addi %[[ONE]], %[[COUNT]]
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[MEAN]], %[[MEAN]]
// CHECK: %[[B:.*]]:2 = weave.vmap %[[I:.*]] (%[[X:.*]] = %[[A]]#0 : tensor<?x3xf32>)
// CHECK-DAG: arith.subf %[[X]], %[[SQUARE]]
// CHECK-DAG: weave.axis_index %[[I]]
// CHECK: weave.reduce <add> {{.*}} ins(%[[B]]#0 : tensor<?x3xf32>)
// CHECK: weave.vmap
// CHECK-NOT: weave.vmap
func.func @chain(%xs: tensor<?x3xf32>, %w: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?xi32>) {
  %r:2 = weave.vmap %i (%x = %xs : tensor<?x3xf32>) {
    %lane = weave.axis_index %i : index
    %number = arith.index_cast %lane : index to i32
    %a = arith.mulf %x, %w : tensor<3xf32>
    %mean = weave.pmean %a over %i : tensor<3xf32>
    %most = weave.pmax %x over %i : tensor<3xf32>
    %square = arith.mulf %mean, %mean : tensor<3xf32>
    %b = arith.subf %a, %square : tensor<3xf32>
    %zero = arith.constant 0 : i32
    %c = arith.cmpi sgt, %number, %zero : i32
    %count = weave.psum %c over %i : i1
    %v = weave.psum %b over %i : tensor<3xf32>
    %d = arith.addf %v, %most : tensor<3xf32>
    %e = arith.addf %d, %a : tensor<3xf32>
    %o = arith.addi %number, %count : i32
    weave.yield %e, %o : tensor<3xf32>, i32
  } -> tensor<?x3xf32>, tensor<?xi32>
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<?xi32>
}

// -----

// A tensor of rank 0 crosses as a number; all_gather is the stack itself.
// CHECK-LABEL: func.func @gather
// CHECK: %[[A:.*]]:2 = weave.pmap {{.*}} out_axes [1, 0]
// CHECK: } -> tensor<3x4xf32>, tensor<4xf32>
// CHECK: weave.pmap %{{.*}} (%{{.*}} = %[[A]]#0 : tensor<3x4xf32>, %[[N:.*]] = %[[A]]#1 : tensor<4xf32>) in_axes [1, 0] {
// CHECK: %[[RANK0:.*]] = tensor.from_elements %[[N]] : tensor<f32>
// CHECK: linalg.matvec ins(%[[A]]#0
// CHECK: linalg.dot {{.*}} outs(%[[RANK0]]
func.func @gather(%xs: tensor<4x3xf32>) -> tensor<4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4x3xf32>) {
    %one = arith.constant dense<1.0> : tensor<f32>
    %n = linalg.dot ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%one : tensor<f32>) -> tensor<f32>
    %y = arith.mulf %x, %x : tensor<3xf32>
    %all = weave.all_gather %y over %i dim(1) : tensor<3xf32> -> tensor<3x4xf32>
    %w = arith.constant dense<2.0> : tensor<4xf32>
    %r = linalg.matvec ins(%all, %w : tensor<3x4xf32>, tensor<4xf32>) outs(%y : tensor<3xf32>) -> tensor<3xf32>
    %q = linalg.dot ins(%r, %r : tensor<3xf32>, tensor<3xf32>) outs(%n : tensor<f32>) -> tensor<f32>
    %z = tensor.extract %q[] : tensor<f32>
    weave.yield %z : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// -----

// A place to write to stays in the map that writes it.
// CHECK-LABEL: func.func @destination
// CHECK: weave.reduce
// CHECK: weave.pmap
// CHECK-NEXT: tensor.empty
// CHECK: linalg.generic
func.func @destination(%xs: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4x3xf32>) {
    %empty = tensor.empty() : tensor<3xf32>
    %s = weave.psum %x over %i : tensor<3xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                         iterator_types = ["parallel"]}
        ins(%x, %s : tensor<3xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %c = arith.divf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<3xf32>
    weave.yield %r : tensor<3xf32>
  } -> tensor<4x3xf32>
  return %ys : tensor<4x3xf32>
}

// -----

// A collective over an outer axis leaves the inner map for all of its lanes at
// once; without the inner axis it is the same for all of these.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[XS:.*]]: tensor<8x4xf32>
// CHECK: %[[OUTER:.*]] = weave.reduce <add> {{.*}} ins(%[[XS]] : tensor<8x4xf32>) init(%{{.*}} : tensor<4xf32>)
// CHECK: weave.reduce <add> {{.*}} ins(%[[OUTER]] : tensor<4xf32>) init(%{{.*}} : tensor<f32>)
// CHECK: weave.pmap
// CHECK: weave.vmap
func.func @nested(%xs: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %ys = weave.pmap %i (%row = %xs : tensor<8x4xf32>) {
    %r = weave.vmap %j (%x = %row : tensor<4xf32>) {
      %a = weave.psum %x over %i : f32
      %b = weave.psum %a over %j : f32
      %y = arith.mulf %b, %x : f32
      weave.yield %y : f32
    } -> tensor<4xf32>
    weave.yield %r : tensor<4xf32>
  } -> tensor<8x4xf32>
  return %ys : tensor<8x4xf32>
}

// -----

// The number of lanes is a constant or an extent; nothing is split for it.
// CHECK-LABEL: func.func @size
// CHECK-SAME: %[[XS:.*]]: tensor<?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[XS]], %c0
// CHECK-NOT: weave.axis_size
func.func @size(%xs: tensor<?xf32>) -> (tensor<?xindex>, tensor<?xindex>) {
  %three = arith.constant 3 : index
  %r:2 = weave.vmap %i (%x = %xs : tensor<?xf32>) {
    %n = weave.axis_size %i : index
    %inner = weave.vmap %j lanes(%three) {
      %m = weave.axis_size %j : index
      weave.yield %m : index
    } -> tensor<3xindex>
    %first = arith.constant 0 : index
    %m = tensor.extract %inner[%first] : tensor<3xindex>
    weave.yield %n, %m : index, index
  } -> tensor<?xindex>, tensor<?xindex>
  return %r#0, %r#1 : tensor<?xindex>, tensor<?xindex>
}
