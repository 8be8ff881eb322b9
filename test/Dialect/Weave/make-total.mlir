// SPDX-License-Identifier: Apache-2.0
//
// RUN: weave-opt -weave-make-total %s | FileCheck %s
// RUN: weave-opt -weave-make-total %s -o %t.once
// RUN: weave-opt -weave-make-total %t.once | diff %t.once -
// RUN: weave-opt -weave-make-total -canonicalize %s | FileCheck %s --check-prefix=FOLD

// Signed division: by 1 where it is undefined, and -1 where the divisor is zero.
// CHECK-LABEL: func @divsi(
// CHECK-SAME:    %[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[B]], %[[ZERO]] : i32
// CHECK:         %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK:         %[[IS_LEAST:.*]] = arith.cmpi eq, %[[A]], %[[LEAST]] : i32
// CHECK:         %[[IS_MINUS_ONE:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : i32
// CHECK:         %[[OVERFLOWS:.*]] = arith.andi %[[IS_LEAST]], %[[IS_MINUS_ONE]] : i1
// CHECK:         %[[UNDEFINED:.*]] = arith.ori %[[IS_ZERO]], %[[OVERFLOWS]] : i1
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         %[[SAFE:.*]] = arith.select %[[UNDEFINED]], %[[ONE]], %[[B]] : i32
// CHECK:         %[[Q:.*]] = arith.divsi %[[A]], %[[SAFE]] {weave.total} : i32
// CHECK:         %[[R:.*]] = arith.select %[[IS_ZERO]], %{{.*}}, %[[Q]] : i32
// CHECK:         return %[[R]]
func.func @divsi(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// An unsigned remainder by zero is the dividend.
// CHECK-LABEL: func @remui(
// CHECK-SAME:    %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[B]], %{{.*}} : index
// CHECK-NOT:     arith.ori
// CHECK:         %[[R:.*]] = arith.remui %[[A]], %{{.*}} {weave.total} : index
// CHECK:         arith.select %[[IS_ZERO]], %[[A]], %[[R]] : index
func.func @remui(%a: index, %b: index) -> index {
  %r = arith.remui %a, %b : index
  return %r : index
}

// The ceiling and floor forms, on the index type and in the index dialect.
// CHECK-LABEL: func @ceil_and_floor(
// CHECK:         arith.ceildivsi %{{.*}}, %{{.*}} {weave.total} : i64
// CHECK:         arith.floordivsi %{{.*}}, %{{.*}} {weave.total} : i64
// CHECK:         arith.ceildivui %{{.*}}, %{{.*}} {weave.total} : index
// CHECK:         arith.floordivsi %{{.*}}, %{{.*}} {weave.total} : index
func.func @ceil_and_floor(%a: i64, %b: i64, %i: index, %j: index) -> (i64, i64, index, index) {
  %0 = arith.ceildivsi %a, %b : i64
  %1 = arith.floordivsi %a, %b : i64
  %2 = index.ceildivu %i, %j
  %3 = index.floordivs %i, %j
  return %0, %1, %2, %3 : i64, i64, index, index
}

// A constant divisor that is neither 0 nor -1 needs no guard.
// CHECK-LABEL: func @safe_constants(
// CHECK-NOT:     select
// CHECK-NOT:     weave.total
// CHECK:         return
func.func @safe_constants(%a: tensor<3xi32>, %i: index) -> (tensor<3xi32>, tensor<3xi32>, index) {
  %c = arith.constant dense<[1, 7, -2]> : tensor<3xi32>
  %0 = arith.divsi %a, %c : tensor<3xi32>
  %s = arith.constant dense<31> : tensor<3xi32>
  %1 = arith.shli %0, %s : tensor<3xi32>
  %n = arith.constant -1 : index
  %2 = arith.divui %i, %n : index
  return %0, %1, %2 : tensor<3xi32>, tensor<3xi32>, index
}

// Bools have no safe divisor.
// CHECK-LABEL: func @bools(
// CHECK-SAME:    %[[A:.*]]: i1, %[[B:.*]]: i1)
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[B]]
// CHECK:         arith.ori %[[A]], %[[IS_ZERO]] : i1
// CHECK:         arith.andi %[[A]], %{{.*}} : i1
func.func @bools(%a: i1, %b: i1) -> (i1, i1) {
  %0 = arith.divsi %a, %b : i1
  %1 = arith.remsi %a, %b : i1
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func @shifts(
// CHECK-SAME:    %[[A:.*]]: vector<4xi8>, %[[B:.*]]: vector<4xi8>)
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi8>
// CHECK:         %[[IN_RANGE:.*]] = arith.cmpi ule, %[[B]], %{{.*}} : vector<4xi8>
// CHECK:         %[[SAFE:.*]] = arith.select %[[IN_RANGE]], %[[B]], %[[ZERO]]
// CHECK:         %[[L:.*]] = arith.shli %[[A]], %[[SAFE]] {weave.total} : vector<4xi8>
// CHECK:         arith.select %[[IN_RANGE]], %[[L]], %[[ZERO]]
// CHECK:         %[[MOST:.*]] = arith.constant dense<7> : vector<4xi8>
// CHECK:         %[[AMOUNT:.*]] = arith.minui %[[B]], %[[MOST]] : vector<4xi8>
// CHECK:         arith.shrsi %[[A]], %[[AMOUNT]] {weave.total} : vector<4xi8>
func.func @shifts(%a: vector<4xi8>, %b: vector<4xi8>) -> (vector<4xi8>, vector<4xi8>) {
  %0 = arith.shli %a, %b : vector<4xi8>
  %1 = arith.shrsi %a, %b : vector<4xi8>
  return %0, %1 : vector<4xi8>, vector<4xi8>
}

// Dynamic extents: the constants are splats.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[A:.*]]: tensor<?x3xf64>)
// CHECK:         tensor.dim %[[A]]
// CHECK:         tensor.splat %{{.*}}[%{{.*}}] : tensor<?x3xf64>
// CHECK:         arith.fptosi %{{.*}} {weave.total} : tensor<?x3xf64> to tensor<?x3xi32>
func.func @dynamic(%a: tensor<?x3xf64>) -> tensor<?x3xi32> {
  %0 = arith.fptosi %a : tensor<?x3xf64> to tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}

// Promises are dropped.
// CHECK-LABEL: func @promises(
// CHECK:         arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:         arith.divui %{{.*}}, %{{.*}} : i32
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:         math.sqrt %{{.*}} : f32
func.func @promises(%a: i32, %x: f32) -> (i32, f32) {
  %0 = arith.addi %a, %a overflow<nsw> : i32
  %c = arith.constant 8 : i32
  %1 = arith.divui %0, %c exact : i32
  %2 = arith.mulf %x, %x fastmath<fast> : f32
  %3 = math.sqrt %2 fastmath<nnan> : f32
  return %1, %3 : i32, f32
}

// The values themselves, as canonicalisation folds them.
// FOLD-LABEL: func @division_values(
// FOLD-DAG:     %[[M1:.*]] = arith.constant -1 : i32
// FOLD-DAG:     %[[SEVEN:.*]] = arith.constant 7 : i32
// FOLD-DAG:     %[[LEAST:.*]] = arith.constant -2147483648 : i32
// FOLD-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// FOLD:         return %[[M1]], %[[SEVEN]], %[[M1]], %[[SEVEN]], %[[LEAST]], %[[ZERO]], %[[LEAST]], %[[LEAST]]
func.func @division_values() -> (i32, i32, i32, i32, i32, i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %least = arith.constant -2147483648 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.divsi %seven, %zero : i32
  %1 = arith.remsi %seven, %zero : i32
  %2 = arith.divui %seven, %zero : i32
  %3 = arith.remui %seven, %zero : i32
  %4 = arith.divsi %least, %m1 : i32
  %5 = arith.remsi %least, %m1 : i32
  %6 = arith.floordivsi %least, %m1 : i32
  %7 = arith.ceildivsi %least, %m1 : i32
  return %0, %1, %2, %3, %4, %5, %6, %7 : i32, i32, i32, i32, i32, i32, i32, i32
}

// FOLD-LABEL: func @shift_values(
// FOLD-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// FOLD-DAG:     %[[M1:.*]] = arith.constant -1 : i32
// FOLD:         return %[[ZERO]], %[[ZERO]], %[[M1]], %[[M1]]
func.func @shift_values() -> (i32, i32, i32, i32) {
  %x = arith.constant -5 : i32
  %width = arith.constant 32 : i32
  %m1 = arith.constant -1 : i32
  %0 = arith.shli %x, %width : i32
  %1 = arith.shrui %x, %m1 : i32
  %2 = arith.shrsi %x, %width : i32
  %3 = arith.shrsi %x, %m1 : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// FOLD-LABEL: func @conversion_values(
// FOLD-DAG:     %[[MOST:.*]] = arith.constant 127 : i8
// FOLD-DAG:     %[[LEAST:.*]] = arith.constant -128 : i8
// FOLD-DAG:     %[[ZERO:.*]] = arith.constant 0 : i8
// FOLD-DAG:     %[[M127:.*]] = arith.constant -127 : i8
// FOLD-DAG:     %[[ALL:.*]] = arith.constant -1 : i8
// FOLD:         return %[[MOST]], %[[LEAST]], %[[ZERO]], %[[M127]], %[[ZERO]], %[[ALL]], %[[ZERO]], %[[MOST]]
func.func @conversion_values() -> (i8, i8, i8, i8, i8, i8, i8, i8) {
  %big = arith.constant 1.0e10 : f32
  %small = arith.constant -128.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %in = arith.constant -127.0 : f32
  %inf = arith.constant 0x7C00 : f16
  %0 = arith.fptosi %big : f32 to i8
  %1 = arith.fptosi %small : f32 to i8
  %2 = arith.fptosi %nan : f32 to i8
  %3 = arith.fptosi %in : f32 to i8
  %4 = arith.fptoui %in : f32 to i8
  %5 = arith.fptoui %big : f32 to i8
  %6 = arith.fptoui %nan : f32 to i8
  %7 = arith.fptosi %inf : f16 to i8
  return %0, %1, %2, %3, %4, %5, %6, %7 : i8, i8, i8, i8, i8, i8, i8, i8
}
