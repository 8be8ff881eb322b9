// RUN: weave-opt -weave-expand-math %s | FileCheck %s
// RUN: weave-opt -weave-expand-math %s | grep -o "math\.[a-z0-9]*" | sort -u | FileCheck %s --check-prefix=LEFT
//
// All functions there are. Of the math dialect only operations that IEEE 754
// fixes are left.
// LEFT:      math.absf
// LEFT-NEXT: math.copysign
// LEFT-NEXT: math.fma
// LEFT-NEXT: math.sqrt
// LEFT-NEXT: math.trunc
// LEFT-NOT:  {{.}}

// CHECK-LABEL: func @single(
func.func @single(%x: f32, %n: i32) -> f32 {
  %0 = math.acos %x : f32
  %1 = math.acosh %0 : f32
  %2 = math.asin %1 : f32
  %3 = math.asinh %2 : f32
  %4 = math.atan %3 : f32
  %5 = math.atanh %4 : f32
  %6 = math.cbrt %5 : f32
  %7 = math.cos %6 : f32
  %8 = math.cosh %7 : f32
  %9 = math.erf %8 : f32
  %10 = math.erfc %9 : f32
  %11 = math.exp %10 : f32
  %12 = math.exp2 %11 : f32
  %13 = math.expm1 %12 : f32
  %14 = math.log %13 : f32
  %15 = math.log10 %14 : f32
  %16 = math.log1p %15 : f32
  %17 = math.log2 %16 : f32
  %18 = math.rsqrt %17 : f32
  %19 = math.sin %18 : f32
  %20 = math.sinh %19 : f32
  %21 = math.tan %20 : f32
  %22 = math.tanh %21 : f32
  %23 = math.atan2 %22, %x : f32
  %24 = math.powf %23, %x : f32
  %25 = math.fpowi %24, %n : f32, i32
  %sin, %cos = math.sincos %25 : f32
  %sum = arith.addf %sin, %cos : f32
  return %sum : f32
}

// CHECK-LABEL: func @double(
func.func @double(%x: f64, %n: i32) -> f64 {
  %0 = math.acos %x : f64
  %1 = math.acosh %0 : f64
  %2 = math.asin %1 : f64
  %3 = math.asinh %2 : f64
  %4 = math.atan %3 : f64
  %5 = math.atanh %4 : f64
  %6 = math.cbrt %5 : f64
  %7 = math.cos %6 : f64
  %8 = math.cosh %7 : f64
  %9 = math.erf %8 : f64
  %10 = math.erfc %9 : f64
  %11 = math.exp %10 : f64
  %12 = math.exp2 %11 : f64
  %13 = math.expm1 %12 : f64
  %14 = math.log %13 : f64
  %15 = math.log10 %14 : f64
  %16 = math.log1p %15 : f64
  %17 = math.log2 %16 : f64
  %18 = math.rsqrt %17 : f64
  %19 = math.sin %18 : f64
  %20 = math.sinh %19 : f64
  %21 = math.tan %20 : f64
  %22 = math.tanh %21 : f64
  %23 = math.atan2 %22, %x : f64
  %24 = math.powf %23, %x : f64
  %25 = math.fpowi %24, %n : f64, i32
  %sin, %cos = math.sincos %25 : f64
  %sum = arith.addf %sin, %cos : f64
  return %sum : f64
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

// Two tensors are read element by element, once they are known to have as many.
// CHECK-LABEL: func @two_tensors(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>)
// CHECK:         cf.assert %{{.*}}, "the operands differ in dimension 0"
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[X]], %[[Y]] : tensor<?xf32>, tensor<?xf32>)
// CHECK-NEXT:    ^bb0(%[[FIRST:.*]]: f32, %[[SECOND:.*]]: f32, %{{.*}}: f32):
// CHECK-DAG:       arith.extf %[[FIRST]] : f32 to f64
// CHECK-DAG:       arith.extf %[[SECOND]] : f32 to f64
// CHECK:           linalg.yield
func.func @two_tensors(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %z = math.powf %x, %y : tensor<?xf32>
  return %z : tensor<?xf32>
}

// Exponents may be integers, which are not extended with the floats.
// CHECK-LABEL: func @integer_exponents(
// CHECK:         ^bb0(%[[BASE:.*]]: f16, %[[EXPONENT:.*]]: i32, %{{.*}}: f16):
// CHECK-DAG:       arith.extf %[[BASE]] : f16 to f32
// CHECK-DAG:       arith.sitofp %[[EXPONENT]] : i32 to f64
func.func @integer_exponents(%x: tensor<4xf16>, %n: tensor<4xi32>) -> tensor<4xf16> {
  %z = math.fpowi %x, %n : tensor<4xf16>, tensor<4xi32>
  return %z : tensor<4xf16>
}
