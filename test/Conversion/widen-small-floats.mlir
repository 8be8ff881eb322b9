// RUN: weave-opt -weave-widen-small-floats %s | FileCheck %s

// The comparison reads the rounded sum.
// CHECK-LABEL: func @rounds_each_operation(
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-DAG: %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
// CHECK-DAG: arith.cmpf une, %[[SUM]], %[[SUM]] : f32
// CHECK: arith.addi %[[BITS]], %{{.*}} : i32
// CHECK: %[[SMALL:.*]] = arith.bitcast %{{.*}} : i16 to bf16
// CHECK: arith.bitcast %[[SMALL]] : bf16 to i16
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: return %[[LESS]]
func.func @rounds_each_operation(%a: bf16, %b: bf16) -> i1 {
  %s = arith.addf %a, %b : bf16
  %c = arith.cmpf olt, %s, %b : bf16
  return %c : i1
}

// CHECK-LABEL: func @vectors(
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: arith.bitcast %{{.*}} : vector<4xi16> to vector<4xbf16>
func.func @vectors(%v: vector<4xbf16>) -> vector<4xbf16> {
  %w = arith.mulf %v, %v : vector<4xbf16>
  return %w : vector<4xbf16>
}

// Choosing, negating and moving bits round nothing.
// CHECK-LABEL: func @exact(
// CHECK-NEXT: arith.select {{.*}} : bf16
// CHECK-NEXT: arith.negf {{.*}} : bf16
// CHECK-NEXT: arith.addf {{.*}} : f16
// CHECK-NEXT: return
func.func @exact(%c: i1, %a: bf16, %b: bf16, %h: f16) -> (bf16, f16) {
  %s = arith.select %c, %a, %b : bf16
  %n = arith.negf %s : bf16
  %t = arith.addf %h, %h : f16
  return %n, %t : bf16, f16
}

// CHECK-LABEL: func @functions_of_f16(
// CHECK-COUNT-3: arith.extf %{{.*}} : f16 to f32
// CHECK: math.fma %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: math.isnan %{{.*}} : f32
func.func @functions_of_f16(%h: f16) -> (f16, i1) {
  %f = math.fma %h, %h, %h : f16
  %n = math.isnan %f : f16
  return %f, %n : f16, i1
}

// CHECK-LABEL: func @integers(
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK: arith.fptosi %{{.*}} : f32 to i32
func.func @integers(%i: i32, %a: bf16) -> (bf16, i32) {
  %x = arith.sitofp %i : i32 to bf16
  %k = arith.fptosi %a : bf16 to i32
  return %x, %k : bf16, i32
}
