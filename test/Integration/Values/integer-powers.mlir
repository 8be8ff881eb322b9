// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t && %t | FileCheck %s
// RUN: weavec %s -o %t && %t | FileCheck %s

// Powers with integers: exact ones, signs, and what is beyond the format.
// CHECK: r0 = [   -1.  1024.  0.125    -8.    inf     0.     1. 59049.]
// CHECK: r1 = [   -1.  1024.  0.125    -8.  1e+60  1e-60     1. 59049.]
func.func @main() -> (tensor<8xf32> {weave.name = "r0"}, tensor<8xf64> {weave.name = "r1"}) {
  %x = arith.constant dense<[-1.0, 2.0, 2.0, -2.0, 10.0, 10.0, 0.0, -3.0]> : tensor<8xf32>
  %n = arith.constant dense<[7, 10, -3, 3, 60, -60, 0, 10]> : tensor<8xi32>
  %y = math.fpowi %x, %n : tensor<8xf32>, tensor<8xi32>
  %wide = arith.extf %x : tensor<8xf32> to tensor<8xf64>
  %z = math.fpowi %wide, %n : tensor<8xf64>, tensor<8xi32>
  return %y, %z : tensor<8xf32>, tensor<8xf64>
}
