// RUN: weave-opt %s -weave-verify-rounding | FileCheck %s

// What is fixed to the bit passes: plain arithmetic, fma, sqrt, ordered
// reductions, fmod, and functions of one's own.
// CHECK-LABEL: llvm.func @exact
llvm.func @exact(%a: f32, %b: f32, %v: vector<8xf32>) -> f32 {
  %0 = llvm.fadd %a, %b : f32
  %1 = llvm.intr.fma(%0, %a, %b) : (f32, f32, f32) -> f32
  %2 = llvm.intr.sqrt(%1) : (f32) -> f32
  %3 = llvm.intr.maximum(%2, %b) : (f32, f32) -> f32
  // CHECK: llvm.intr.vector.reduce.fadd
  %4 = "llvm.intr.vector.reduce.fadd"(%3, %v) : (f32, vector<8xf32>) -> f32
  %5 = llvm.frem %4, %a : f32
  %6 = llvm.call @f(%5) : (f32) -> f32
  llvm.return %6 : f32
}
llvm.func @f(f32) -> f32
