// RUN: weave-opt -weave-expand-math %s | FileCheck %s
// RUN: weave-opt -weave-expand-math %s | grep -o "math\.[a-z0-9]*" | sort -u | FileCheck %s --check-prefix=LEFT
//
// All functions of one operand there are. Of the math dialect only operations that
// IEEE 754 fixes are left.
// LEFT:      math.absf
// LEFT-NEXT: math.copysign
// LEFT-NEXT: math.fma
// LEFT-NEXT: math.sqrt
// LEFT-NOT:  {{.}}

// CHECK-LABEL: func @single(
func.func @single(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  %1 = math.cosh %0 : f32
  %2 = math.exp %1 : f32
  %3 = math.exp2 %2 : f32
  %4 = math.expm1 %3 : f32
  %5 = math.log %4 : f32
  %6 = math.log10 %5 : f32
  %7 = math.log1p %6 : f32
  %8 = math.log2 %7 : f32
  %9 = math.rsqrt %8 : f32
  %10 = math.sin %9 : f32
  %11 = math.sinh %10 : f32
  %12 = math.tan %11 : f32
  %13 = math.tanh %12 : f32
  return %13 : f32
}

// CHECK-LABEL: func @double(
func.func @double(%x: f64) -> f64 {
  %0 = math.cos %x : f64
  %1 = math.cosh %0 : f64
  %2 = math.exp %1 : f64
  %3 = math.exp2 %2 : f64
  %4 = math.expm1 %3 : f64
  %5 = math.log %4 : f64
  %6 = math.log10 %5 : f64
  %7 = math.log1p %6 : f64
  %8 = math.log2 %7 : f64
  %9 = math.rsqrt %8 : f64
  %10 = math.sin %9 : f64
  %11 = math.sinh %10 : f64
  %12 = math.tan %11 : f64
  %13 = math.tanh %12 : f64
  return %13 : f64
}

// On vectors all operations are of their shape, in whatever format they compute:
// nothing is taken apart.
// CHECK-LABEL: func @sine_of_vector(
// CHECK:         arith.extf %{{.*}} : vector<8xf32> to vector<8xf64>
// CHECK:         arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi64>
// CHECK:         arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK-NEXT:    return
func.func @sine_of_vector(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.sin %x : vector<8xf32>
  return %y : vector<8xf32>
}

// Floats of 16 bits go through f32 and are rounded once more.
// CHECK-LABEL: func @half(
// CHECK-SAME:    %[[X:.*]]: f16)
// CHECK:         %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK:         arith.cmpf olt, %[[WIDE]]
// CHECK:         %[[RESULT:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT:    return %[[RESULT]]
func.func @half(%x: f16) -> f16 {
  %y = math.exp %x : f16
  return %y : f16
}

// CHECK-LABEL: func @brain_float(
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[ELEMENT:.*]]: bf16, %{{.*}}: bf16):
// CHECK:           arith.extf %[[ELEMENT]] : bf16 to f32
// CHECK:           %[[RESULT:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT:      linalg.yield %[[RESULT]] : bf16
func.func @brain_float(%x: tensor<4x?xbf16>) -> tensor<4x?xbf16> {
  %y = math.tanh %x : tensor<4x?xbf16>
  return %y : tensor<4x?xbf16>
}
