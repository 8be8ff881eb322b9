// SPDX-License-Identifier: Apache-2.0
//
// RUN: weave-opt -weave-expand-math %s | FileCheck %s
//
// Nothing is left that a library would round, and no flag that lets LLVM.
// RUN: weave-opt -weave-expand-math %s | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: math.{{exp|expm1|log|log1p|tanh}}
// EXACT-NOT: fastmath

// A logarithm: subnormals scaled up, the exponent and the fraction by their bits,
// a polynomial of fused multiply-adds, the special values last.
// CHECK-LABEL: func @log(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK:         %[[LEAST:.*]] = arith.constant 1.17549435E-38 : f32
// CHECK:         %[[SUBNORMAL:.*]] = arith.cmpf olt, %[[X]], %[[LEAST]] : f32
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[X]], %{{.*}} : f32
// CHECK:         %[[NORMAL:.*]] = arith.select %[[SUBNORMAL]], %[[SCALED]], %[[X]] : f32
// CHECK:         arith.bitcast %[[NORMAL]] : f32 to i32
// CHECK:         arith.shrsi
// CHECK:         arith.sitofp
// CHECK-COUNT-7: math.fma
// CHECK:         arith.constant 0x7F800000 : f32
// CHECK:         arith.cmpf ugt, %[[X]], %{{.*}} : f32
// CHECK:         %[[RESULT:.*]] = arith.select
// CHECK-NEXT:    return %[[RESULT]]
func.func @log(%x: f32) -> f32 {
  %y = math.log %x : f32
  return %y : f32
}

// f64 has coefficients and constants of its own. The power of two comes in two
// factors, so that subnormal results round once.
// CHECK-LABEL: func @exp_f64(
// CHECK:         arith.constant 1.4426950408889634 : f64
// CHECK-COUNT-11: math.fma
// CHECK:         arith.shrsi %{{.*}}, %{{.*}} : i64
// CHECK:         %[[PART:.*]] = arith.mulf
// CHECK:         %[[RESULT:.*]] = arith.mulf %[[PART]], %{{.*}} : f64
// CHECK-NEXT:    return %[[RESULT]]
func.func @exp_f64(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

// The rest of the supported functions.
// CHECK-LABEL: func @others(
// CHECK:         arith.divf
func.func @others(%x: f32) -> f32 {
  %a = math.expm1 %x : f32
  %b = math.log1p %a : f32
  %c = math.tanh %b : f32
  return %c : f32
}

// On a vector, constants are vectors.
// CHECK-LABEL: func @vector(
// CHECK:         arith.constant dense<{{.*}}> : vector<8xf32>
// CHECK:         math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<8xf32>
func.func @vector(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  return %y : vector<8xf32>
}

// On a tensor of any shape, the arithmetic is the body of one linalg.generic.
// CHECK-LABEL: func @tensor(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>)
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x3xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty(%[[SIZE]]) : tensor<?x3xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      ins(%[[X]] : tensor<?x3xf32>) outs(%[[EMPTY]] : tensor<?x3xf32>)
// CHECK-NEXT:    ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK:           arith.cmpf olt, %[[ELEMENT]]
// CHECK-COUNT-8:   math.fma
// CHECK:           linalg.yield
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @tensor(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = math.exp %x : tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// CHECK-LABEL: func @rank_zero(
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = []
func.func @rank_zero(%x: tensor<f32>) -> tensor<f32> {
  %y = math.log1p %x : tensor<f32>
  return %y : tensor<f32>
}

// What has one right result stays as it is.
// CHECK-LABEL: func @exact(
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    math.fma
// CHECK-NEXT:    math.absf
// CHECK-NEXT:    math.floor
// CHECK-NEXT:    math.ceil
// CHECK-NEXT:    math.round
// CHECK-NEXT:    math.roundeven
// CHECK-NEXT:    math.trunc
// CHECK-NEXT:    math.copysign
// CHECK-NEXT:    math.isnan
// CHECK-NEXT:    math.ctpop
// CHECK-NEXT:    return
func.func @exact(%x: f16, %n: i32) -> (f16, i1, i32) {
  %a = math.sqrt %x : f16
  %b = math.fma %a, %x, %x : f16
  %c = math.absf %b : f16
  %d = math.floor %c : f16
  %e = math.ceil %d : f16
  %f = math.round %e : f16
  %g = math.roundeven %f : f16
  %h = math.trunc %g : f16
  %i = math.copysign %h, %x : f16
  %j = math.isnan %i : f16
  %k = math.ctpop %n : i32
  return %i, %j, %k : f16, i1, i32
}
