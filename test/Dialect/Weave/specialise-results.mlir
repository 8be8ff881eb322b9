// RUN: weave-opt %s --weave-specialise-results --split-input-file | FileCheck %s

// Results of dynamic shape are optional: one variant with, one without.
// CHECK-LABEL: func.func @main_variant_0(
//  CHECK-SAME:   -> (f32 {weave.name = "x"}) attributes {weave.results = array<i64: 0>}
//       CHECK:   return %[[X:.*]] : f32
// CHECK-LABEL: func.func @main_variant_1(
//  CHECK-SAME:   -> (f32 {weave.name = "x"}, tensor<?xf32> {weave.help = "all", weave.name = "xs"}) attributes {weave.results = array<i64: 0, 1>}
//   CHECK-NOT: @main(
func.func @main(%x: f32 {weave.name = "x0"}, %n: index {weave.name = "n"})
    -> (f32 {weave.name = "x"}, tensor<?xf32> {weave.name = "xs", weave.help = "all"}) {
  %xs = tensor.splat %x[%n] : tensor<?xf32>
  return %x, %xs : f32, tensor<?xf32>
}

// -----

// Two optional results have four variants.
// CHECK-DAG: @main_variant_0({{.*}} {weave.results = array<i64: 1>}
// CHECK-DAG: @main_variant_1({{.*}} {weave.results = array<i64: 0, 1>}
// CHECK-DAG: @main_variant_2({{.*}} {weave.results = array<i64: 1, 2>}
// CHECK-DAG: @main_variant_3({{.*}} {weave.results = array<i64: 0, 1, 2>}
// CHECK-NOT: @main_variant_4
func.func @main(%a: tensor<?xi1> {weave.name = "a"}, %s: i8 {weave.name = "s", weave.unsigned})
    -> (tensor<?xi1> {weave.name = "b"}, i8 {weave.name = "t"}, tensor<?xi1> {weave.name = "c"}) {
  return %a, %s, %a : tensor<?xi1>, i8, tensor<?xi1>
}

// -----

// More have none, each alone, and all.
// CHECK-DAG: @main_variant_0({{.*}} {weave.results = array<i64>}
// CHECK-DAG: @main_variant_1({{.*}} {weave.results = array<i64: 0>}
// CHECK-DAG: @main_variant_2({{.*}} {weave.results = array<i64: 1>}
// CHECK-DAG: @main_variant_3({{.*}} {weave.results = array<i64: 2>}
// CHECK-DAG: @main_variant_4({{.*}} {weave.results = array<i64: 0, 1, 2>}
// CHECK-NOT: @main_variant_5
func.func @main(%a: tensor<?xf64> {weave.name = "in"})
    -> (tensor<?xf64> {weave.name = "a"}, tensor<?xf64> {weave.name = "b"}, tensor<?xf64> {weave.name = "c"}) {
  return %a, %a, %a : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
