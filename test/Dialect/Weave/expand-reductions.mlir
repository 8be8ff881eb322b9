// RUN: weave-opt %s --weave-expand-reductions --canonicalize -split-input-file | FileCheck %s
// RUN: weave-opt %s --weave-expand-reductions="unroll=2" --canonicalize -split-input-file | FileCheck %s --check-prefix=LOOP

#vector = affine_map<(d0) -> (d0)>
#number = affine_map<(d0) -> ()>

// Few elements: straight code. The third has no neighbour and moves up.
// CHECK-LABEL: func.func @number
// CHECK-SAME: (%[[A:.*]]: tensor<3xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK-NOT: linalg
// CHECK-DAG: %[[A0:.*]] = tensor.extract %[[A]][%c0]
// CHECK-DAG: %[[A1:.*]] = tensor.extract %[[A]][%c1]
// CHECK-DAG: %[[A2:.*]] = tensor.extract %[[A]][%c2]
// CHECK-DAG: %[[I:.*]] = tensor.extract %[[INIT]][]
// CHECK-DAG: %[[T0:.*]] = arith.addf %[[A0]], %[[A1]] : f32
// CHECK: %[[T1:.*]] = arith.addf %[[T0]], %[[A2]] : f32
// CHECK: %[[S:.*]] = arith.addf %[[I]], %[[T1]] : f32
// CHECK: tensor.from_elements %[[S]] : tensor<f32>
// LOOP-LABEL: func.func @number
// One element per grain: all rows at once, then the tree's levels.
// LOOP: %[[ROWS:.*]] = linalg.generic {{.*}}"parallel"
// LOOP: scf.for {{.*}} iter_args(%{{.*}} = %[[ROWS]])
func.func @number(%a: tensor<3xf32>, %init: tensor<f32>) -> tensor<f32> {
  %r = weave.reduce <add> maps [#vector, #number] iterators ["reduction"]
      ins(%a : tensor<3xf32>) init(%init : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %next = arith.addf %x, %acc : f32
    weave.yield %next : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// The noise-weighted sum of evolution strategies: one op over the parameters.
// CHECK-LABEL: func.func @vecmat
// CHECK-SAME: (%[[Y:.*]]: tensor<4xf32>, %[[Z:.*]]: tensor<4x10xf32>)
// CHECK-COUNT-4: tensor.extract %[[Y]]
// CHECK-COUNT-4: tensor.extract_slice %[[Z]][{{[0-3]}}, 0] [1, 10] [1, 1] : tensor<4x10xf32> to tensor<10xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]}
// CHECK-COUNT-4: math.fma
// CHECK-COUNT-3: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return %[[R]]
func.func @vecmat(%y: tensor<4xf32>, %z: tensor<4x10xf32>) -> tensor<10xf32> {
  %identity = arith.constant dense<-0.0> : tensor<10xf32>
  %r = weave.reduce <add> maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>,
                                affine_map<(d0, d1) -> (d1)>] iterators ["reduction", "parallel"]
      ins(%y, %z : tensor<4xf32>, tensor<4x10xf32>) init(%identity : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %next = math.fma %a, %b, %acc : f32
    weave.yield %next : f32
  } -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

#vector = affine_map<(d0) -> (d0)>
#number = affine_map<(d0) -> ()>

// 1001 elements in grains of 8, the last one of 1: 126 rows.
// CHECK-LABEL: func.func @chains
// CHECK-SAME: (%[[A:.*]]: tensor<1001xf64>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<126xf64>
// CHECK: scf.for %[[G:.*]] = %c0 to %c126 step %c1 iter_args(%{{.*}} = %[[EMPTY]])
// CHECK: %[[OFFSET:.*]] = arith.muli %[[G]], %c8
// CHECK: %[[REST:.*]] = arith.subi %c1001, %[[OFFSET]]
// CHECK: %[[SIZE:.*]] = arith.minsi %[[REST]], %c8
// CHECK: tensor.extract_slice %[[A]][%[[OFFSET]]] [%[[SIZE]]] [1]
// CHECK: linalg.fill ins(%{{.*}} : f64)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: tensor.insert_slice
// Six of the seven levels are in place, the last one is not.
// CHECK: scf.for %[[LEVEL:.*]] = %c0 to %c6 step %c1
// CHECK: arith.shli %c1, %[[LEVEL]]
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: tensor.extract %{{.*}}[%c0]
// CHECK: tensor.extract %{{.*}}[%c64]
func.func @chains(%a: tensor<1001xf64>, %init: tensor<f64>) -> tensor<f64> {
  %r = weave.reduce <add> maps [#vector, #number] iterators ["reduction"]
      ins(%a : tensor<1001xf64>) init(%init : tensor<f64>) {
  ^bb0(%x: f64, %acc: f64):
    %next = arith.addf %x, %acc : f64
    weave.yield %next : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}

// -----

#all = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

// An extent only known at run time: 128 rows whatever it is, the first of them
// the identity in case there is nothing.
// CHECK-LABEL: func.func @dynamic
// CHECK: tensor.empty() : tensor<128x3xi32>
// CHECK: linalg.fill ins(%c-2147483648_i32 : i32)
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: scf.for %{{.*}} = %c0 to %c7 step %c1
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: arith.maxsi
func.func @dynamic(%a: tensor<?x3xi32>, %init: tensor<3xi32>) -> tensor<3xi32> {
  %r = weave.reduce <max> maps [#all, #row] iterators ["parallel", "reduction"]
      ins(%a : tensor<?x3xi32>) init(%init : tensor<3xi32>) {
  ^bb0(%x: i32, %acc: i32):
    %next = arith.maxsi %x, %acc : i32
    weave.yield %next : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

// Nothing to reduce: the init.
// CHECK-LABEL: func.func @nothing
// CHECK-SAME: %[[INIT:[^ ]*]]: tensor<f32>)
// CHECK-NEXT: return %[[INIT]]
func.func @nothing(%a: tensor<0xf32>, %init: tensor<f32>) -> tensor<f32> {
  %r = weave.reduce <add> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] iterators ["reduction"]
      ins(%a : tensor<0xf32>) init(%init : tensor<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %next = arith.addf %x, %acc : f32
    weave.yield %next : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// A worker's rows live in a buffer for all 4 grains.
// CHECK-LABEL: func.func @partial
// CHECK-SAME: (%[[Y:.*]]: tensor<?xf32>, %[[Z:.*]]: tensor<?x10xf32>)
// CHECK: %[[SIZE:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x10xf32>
// CHECK: %[[ROWS:.*]] = scf.for %[[G:.*]] = %c0 to %[[SIZE]] step %c1 iter_args(%[[INTO:.*]] = %[[EMPTY]])
// CHECK-DAG: %[[ELEMENT:.*]] = tensor.extract %[[Y]][%[[G]]]
// CHECK-DAG: %[[ROW:.*]] = tensor.extract_slice %[[Z]][%[[G]], 0] [1, 10] [1, 1]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[ROW]] : tensor<10xf32>)
// CHECK: math.fma
// CHECK: tensor.insert_slice %{{.*}} into %[[INTO]][%[[G]], 0] [1, 10] [1, 1]
// CHECK: tensor.extract_slice %[[ROWS]][0, 0] [%[[SIZE]], 10] [1, 1] : tensor<4x10xf32> to tensor<?x10xf32>
func.func @partial(%y: tensor<?xf32>, %z: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %n = arith.constant 4 : index
  %rows = weave.partial_reduce <add> maps [#row, #all, #column] iterators ["reduction", "parallel"] extent(%n)
      ins(%y, %z : tensor<?xf32>, tensor<?x10xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %next = math.fma %a, %b, %acc : f32
    weave.yield %next : f32
  } -> tensor<?x10xf32>
  return %rows : tensor<?x10xf32>
}

// -----

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// With one element per grain, a plain sum's rows are the input.
// CHECK-LABEL: func.func @rows_of_input
// CHECK-SAME: %[[PART:[^ ]*]]: tensor<?x10xf32>)
// CHECK-NEXT: return %[[PART]]
func.func @rows_of_input(%part: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %n = arith.constant 100 : index
  %rows = weave.partial_reduce <add> maps [#all, #column] iterators ["reduction", "parallel"] extent(%n)
      ins(%part : tensor<?x10xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %next = arith.addf %x, %acc : f32
    weave.yield %next : f32
  } -> tensor<?x10xf32>
  return %rows : tensor<?x10xf32>
}

// -----

// CHECK-LABEL: func.func @tree
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @tree(%rows: tensor<5x10xf32>) -> tensor<10xf32> {
  %r = weave.tree_reduce <add> %rows : tensor<5x10xf32> -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

// CHECK-LABEL: func.func @grain
// CHECK: math.ctlz
// CHECK: arith.shli
func.func @grain(%n: index) -> index {
  %g = weave.grain %n : index
  return %g : index
}
