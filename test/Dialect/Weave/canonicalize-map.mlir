// RUN: weave-opt %s -canonicalize -split-input-file | FileCheck %s

// Unused results and inputs go; the axes of the others stay theirs.
// CHECK-LABEL: func @unused
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x3xf32>, %[[Y:[^:]+]]: tensor<3x4xf32>
// CHECK: weave.pmap %{{.*}} (%[[B:.*]] = %[[Y]] : tensor<3x4xf32>) in_axes [1] out_axes [1] schedule(dynamic) attributes {note, weave.placement = [#weave.placement<sharded(1)>]} {
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[B]], %[[B]]
// CHECK-NEXT: weave.yield %[[S]] : tensor<3xf32>
// CHECK-NEXT: } -> tensor<3x4xf32>
func.func @unused(%x: tensor<4x3xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r:2 = weave.pmap %i (%a = %x : tensor<4x3xf32>, %b = %y : tensor<3x4xf32>) in_axes [0, 1] out_axes [0, 1]
      schedule(dynamic) attributes {note, weave.placement = [#weave.placement<sharded(0)>, #weave.placement<sharded(1)>]} {
    %0 = arith.mulf %a, %a : tensor<3xf32>
    %1 = arith.addf %b, %b : tensor<3xf32>
    weave.yield %0, %1 : tensor<3xf32>, tensor<3xf32>
  } -> tensor<4x3xf32>, tensor<3x4xf32>
  return %r#1 : tensor<3x4xf32>
}

// -----

// The number of lanes stays when the input that gave it goes.
// CHECK-LABEL: func @lanes_static
// CHECK: weave.vmap %{{.*}} lanes(%c4) {
func.func @lanes_static(%x: tensor<4xf32>) -> tensor<4xindex> {
  %r = weave.vmap %i (%a = %x : tensor<4xf32>) {
    %l = weave.axis_index %i : index
    weave.yield %l : index
  } -> tensor<4xindex>
  return %r : tensor<4xindex>
}

// CHECK-LABEL: func @lanes_dynamic
// CHECK-SAME: %[[X:[^:]+]]: tensor<3x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: weave.vmap %{{.*}} lanes(%[[N]]) {
func.func @lanes_dynamic(%x: tensor<3x?xf32>) -> tensor<?xindex> {
  %r = weave.vmap %i (%a = %x : tensor<3x?xf32>) in_axes [1] {
    %l = weave.axis_index %i : index
    weave.yield %l : index
  } -> tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

// A result that is an input's slice is the input, if it is stacked as it was.
// CHECK-LABEL: func @identity
// CHECK-SAME: %[[X:[^:]+]]: tensor<4x4xf32>
// CHECK: %[[R:.*]] = weave.pmap %{{.*}} (%[[A:.*]] = %[[X]] : tensor<4x4xf32>) out_axes [1] {
// CHECK-NEXT: weave.yield %[[A]] : tensor<4xf32>
// CHECK: return %[[X]], %[[R]]
func.func @identity(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %r:2 = weave.pmap %i (%a = %x : tensor<4x4xf32>) out_axes [0, 1] {
    weave.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  } -> tensor<4x4xf32>, tensor<4x4xf32>
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A captured value is repeated, which takes no map.
// CHECK-LABEL: func @captured
// CHECK-SAME: %[[S:[^:]+]]: f32, %[[V:[^:]+]]: tensor<3xf32>, %[[N:[^:]+]]: index, %[[X:[^:]+]]: tensor<?xf32>
// CHECK-NOT: weave.pmap
// CHECK-DAG: %[[SPLAT:.*]] = tensor.splat %[[S]][%[[N]]] : tensor<?xf32>
// CHECK-DAG: %[[DIM:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[EMPTY:.*]] = tensor.empty(%[[DIM]]) : tensor<3x?xf32>
// CHECK-DAG: %[[B:.*]] = linalg.broadcast ins(%[[V]] : tensor<3xf32>) outs(%[[EMPTY]] : tensor<3x?xf32>) dimensions = [1]
// CHECK: return %[[SPLAT]], %[[B]]
func.func @captured(%s: f32, %v: tensor<3xf32>, %n: index, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<3x?xf32>) {
  %0 = weave.pmap %i lanes(%n) {
    weave.yield %s : f32
  } -> tensor<?xf32>
  %1 = weave.pmap %i (%a = %x : tensor<?xf32>) out_axes [1] {
    weave.yield %v : tensor<3xf32>
  } -> tensor<3x?xf32>
  return %0, %1 : tensor<?xf32>, tensor<3x?xf32>
}

// -----

// What is mapped or stacked twice in the same way is so once.
// CHECK-LABEL: func @twice
// CHECK: %[[R:.*]] = weave.vmap %{{.*}} (%[[A:.*]] = %{{.*}} : tensor<4x4xf32>, %[[B:.*]] = %{{.*}} : tensor<4x4xf32>) in_axes [0, 1] {
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[B]]
// CHECK-NEXT: weave.yield %[[T]] : tensor<4xf32>
// CHECK: return %[[R]], %[[R]]
func.func @twice(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %r:2 = weave.vmap %i (%a = %x : tensor<4x4xf32>, %b = %x : tensor<4x4xf32>, %c = %x : tensor<4x4xf32>) in_axes [0, 0, 1] {
    %0 = arith.addf %a, %b : tensor<4xf32>
    %1 = arith.addf %0, %c : tensor<4xf32>
    weave.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
  } -> tensor<4x4xf32>, tensor<4x4xf32>
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A constant number of lanes makes results static and is the axis' size.
// CHECK-LABEL: func @static_lanes
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK: %[[R:.*]] = weave.pmap %[[I:.*]] lanes(%[[SEVEN]]) {
// CHECK-NEXT: %[[L:.*]] = weave.axis_index %[[I]] : index
// CHECK-NEXT: arith.addi %[[L]], %[[SEVEN]]
// CHECK: } -> tensor<7xindex>
// CHECK: tensor.cast %[[R]] : tensor<7xindex> to tensor<?xindex>
func.func @static_lanes() -> tensor<?xindex> {
  %n = arith.constant 7 : index
  %r = weave.pmap %i lanes(%n) {
    %l = weave.axis_index %i : index
    %m = weave.axis_size %i : index
    %s = arith.addi %l, %m : index
    weave.yield %s : index
  } -> tensor<?xindex>
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func @cast_input
// CHECK: weave.pmap %{{.*}} (%{{.*}} = %{{.*}} : tensor<3x4xf32>) in_axes [1] {
// CHECK: } -> tensor<4x3xf32>
func.func @cast_input(%x: tensor<3x4xf32>) -> tensor<?x3xf32> {
  %any = tensor.cast %x : tensor<3x4xf32> to tensor<3x?xf32>
  %r = weave.pmap %i (%a = %any : tensor<3x?xf32>) in_axes [1] {
    %0 = arith.addf %a, %a : tensor<3xf32>
    weave.yield %0 : tensor<3xf32>
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

// No lanes give empty results.
// CHECK-LABEL: func @no_lanes
// CHECK-NOT: weave.pmap
// CHECK: tensor.empty() : tensor<3x0xf32>
func.func @no_lanes(%x: tensor<0x3xf32>) -> tensor<3x0xf32> {
  %r = weave.pmap %i (%a = %x : tensor<0x3xf32>) out_axes [1] {
    %0 = arith.addf %a, %a : tensor<3xf32>
    weave.yield %0 : tensor<3xf32>
  } -> tensor<3x0xf32>
  return %r : tensor<3x0xf32>
}

// -----

// Of one lane, collectives are its own value; a count of booleans has another
// type and stays.
// CHECK-LABEL: func @one_lane
// CHECK: weave.pmap %[[I:.*]] (%[[A:.*]] = %{{.*}} : tensor<1xf32>) {
// CHECK-NEXT: %[[C:.*]] = weave.psum %{{.*}} over %[[I]] : i1
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: weave.yield %[[S]], %[[T]], %[[C]]
func.func @one_lane(%x: tensor<1xf32>, %b: i1) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) {
  %r:3 = weave.pmap %i (%a = %x : tensor<1xf32>) {
    %0 = weave.psum %a over %i : f32
    %1 = weave.pmean %a over %i : f32
    %2 = weave.pmax %a over %i : f32
    %3 = weave.pmin %a over %i : f32
    %4 = weave.psum %b over %i : i1
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %2, %3 : f32
    weave.yield %5, %6, %4 : f32, f32, i32
  } -> tensor<1xf32>, tensor<1xf32>, tensor<1xi32>
  return %r#0, %r#1, %r#2 : tensor<1xf32>, tensor<1xf32>, tensor<1xi32>
}
