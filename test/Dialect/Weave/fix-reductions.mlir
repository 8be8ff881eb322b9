// RUN: weave-opt %s --weave-fix-reductions | FileCheck %s

// CHECK-DAG: #[[VECTOR:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[NUMBER:.*]] = affine_map<(d0) -> ()>

// A dot product can be cut into grains; its products are fused into the sum.
// CHECK-LABEL: func.func @dot
// CHECK-SAME: (%[[A:.*]]: tensor<10xf32>, %[[B:.*]]: tensor<10xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK: weave.reduce <add> maps [#[[VECTOR]], #[[VECTOR]], #[[NUMBER]]] iterators ["reduction"]
// CHECK-SAME: ins(%[[A]], %[[B]] : tensor<10xf32>, tensor<10xf32>) init(%[[INIT]] : tensor<f32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[NEXT:.*]] = math.fma %[[X]], %[[Y]], %[[ACC]] : f32
// CHECK-NEXT: weave.yield %[[NEXT]] : f32
func.func @dot(%a: tensor<10xf32>, %b: tensor<10xf32>, %init: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%a, %b : tensor<10xf32>, tensor<10xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @matvec
// CHECK: weave.reduce <add> {{.*}} iterators ["parallel", "reduction"]
func.func @matvec(%a: tensor<?x10xf64>, %x: tensor<10xf64>, %init: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.matvec ins(%a, %x : tensor<?x10xf64>, tensor<10xf64>) outs(%init : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @vecmat
// CHECK: weave.reduce <add> {{.*}} iterators ["parallel", "reduction"]
// CHECK: math.fma
func.func @vecmat(%y: tensor<4xf32>, %z: tensor<4x10xf32>, %init: tensor<10xf32>) -> tensor<10xf32> {
  %r = linalg.vecmat ins(%y, %z : tensor<4xf32>, tensor<4x10xf32>) outs(%init : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// Both operands bring parallel dimensions: one ascending chain per result.
// CHECK-LABEL: func.func @matmul
// CHECK-NOT: weave.reduce
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[NEXT:.*]] = math.fma %[[X]], %[[Y]], %[[ACC]] : f32
// CHECK-NEXT: linalg.yield %[[NEXT]]
func.func @matmul(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %init: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%init : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @batch_matmul
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: math.fma
func.func @batch_matmul(%a: tensor<2x3x4xf16>, %b: tensor<2x4x5xf16>, %init: tensor<2x3x5xf16>) -> tensor<2x3x5xf16> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x4xf16>, tensor<2x4x5xf16>) outs(%init : tensor<2x3x5xf16>) -> tensor<2x3x5xf16>
  return %r : tensor<2x3x5xf16>
}

// A window is no projected permutation.
// CHECK-LABEL: func.func @convolution
// CHECK: linalg.generic
// CHECK: math.fma
func.func @convolution(%a: tensor<10xf32>, %k: tensor<3xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.conv_1d ins(%a, %k : tensor<10xf32>, tensor<3xf32>) outs(%init : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @any
// CHECK: weave.reduce <or> {{.*}} iterators ["reduction", "reduction"]
// CHECK: arith.ori
func.func @any(%a: tensor<7x3xi1>, %init: tensor<i1>) -> tensor<i1> {
  %r = linalg.reduce {arith.ori} ins(%a : tensor<7x3xi1>) outs(%init : tensor<i1>) dimensions = [0, 1]
  return %r : tensor<i1>
}

// CHECK-LABEL: func.func @largest
// CHECK: weave.reduce <max>
// CHECK: arith.maximumf
func.func @largest(%a: tensor<7x3xbf16>, %init: tensor<7xbf16>) -> tensor<7xbf16> {
  %r = linalg.reduce {arith.maximumf} ins(%a : tensor<7x3xbf16>) outs(%init : tensor<7xbf16>) dimensions = [1]
  return %r : tensor<7xbf16>
}

// maxnumf drops NaNs and is left as a chain.
// CHECK-LABEL: func.func @number
// CHECK-NOT: weave.reduce
// CHECK: arith.maxnumf
func.func @number(%a: tensor<7xf32>, %init: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce {arith.maxnumf} ins(%a : tensor<7xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// The accumulator may be on either side; a number that is the same for all
// elements is captured; nesting does not matter.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[SCALE:[^ ,:]*]]: f32,
// CHECK: weave.pmap
// CHECK: weave.reduce <add> {{.*}} ins(%{{.*}} : tensor<10xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: math.fma %[[X]], %[[SCALE]], %[[ACC]]
func.func @nested(%xs: tensor<4x10xf32>, %scale: f32, %init: tensor<f32>) -> tensor<4xf32> {
  %ys = weave.pmap %i (%x = %xs : tensor<4x10xf32>) {
    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                         iterator_types = ["reduction"]}
        ins(%x, %scale : tensor<10xf32>, f32) outs(%init : tensor<f32>) {
    ^bb0(%e: f32, %s: f32, %acc: f32):
      %p = arith.mulf %e, %s : f32
      %n = arith.addf %p, %acc : f32
      linalg.yield %n : f32
    } -> tensor<f32>
    %y = tensor.extract %r[] : tensor<f32>
    weave.yield %y : f32
  } -> tensor<4xf32>
  return %ys : tensor<4xf32>
}

// An accumulator used twice, and one that is subtracted from, stay chains.
// CHECK-LABEL: func.func @other_bodies
// CHECK-NOT: weave.reduce
// CHECK: return
func.func @other_bodies(%a: tensor<7xf32>, %init: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = linalg.reduce ins(%a : tensor<7xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%e: f32, %acc: f32) {
      %p = arith.mulf %e, %acc : f32
      %n = arith.addf %p, %acc : f32
      linalg.yield %n : f32
    }
  %s = linalg.reduce ins(%a : tensor<7xf32>) outs(%init : tensor<f32>) dimensions = [0]
    (%e: f32, %acc: f32) {
      %n = arith.subf %e, %acc : f32
      linalg.yield %n : f32
    }
  return %r, %s : tensor<f32>, tensor<f32>
}

// argmax: two results.
// CHECK-LABEL: func.func @argmax
// CHECK-NOT: weave.reduce
// CHECK: linalg.index
func.func @argmax(%a: tensor<7xf32>, %best: tensor<f32>, %at: tensor<index>) -> (tensor<f32>, tensor<index>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%a : tensor<7xf32>) outs(%best, %at : tensor<f32>, tensor<index>) {
  ^bb0(%e: f32, %b: f32, %k: index):
    %i = linalg.index 0 : index
    %c = arith.cmpf ogt, %e, %b : f32
    %b1 = arith.select %c, %e, %b : f32
    %k1 = arith.select %c, %i, %k : index
    linalg.yield %b1, %k1 : f32, index
  } -> (tensor<f32>, tensor<index>)
  return %r#0, %r#1 : tensor<f32>, tensor<index>
}

// Elementwise work has no order to fix.
// CHECK-LABEL: func.func @elementwise
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
func.func @elementwise(%a: tensor<7xf32>, %b: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<7xf32>) outs(%b : tensor<7xf32>) {
  ^bb0(%e: f32, %o: f32):
    %p = arith.mulf %e, %e : f32
    %n = arith.addf %p, %o : f32
    linalg.yield %n : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
