// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t && %t | FileCheck %s
// RUN: weavec -O2 %s -o %t && %t | FileCheck %s
// RUN: weavec -O2 --llvm-opt=0 %s -o %t && %t | FileCheck %s
// RUN: weavec -O2 --target-cpu=x86-64-v3 %s -o %t && %t | FileCheck %s

// Each element type and kind of result: arguments given back, also twice,
// constants, no elements, rank 0, one value for two results.
// CHECK: r0 = [1.5 1.5 1.5]
// CHECK: r1 = [1.5 1.5 1.5]
// CHECK: r2 = [4 5]
// CHECK: r3 = [False  True]
// CHECK: r4 = 2.
// CHECK: r5 = 7
// CHECK: r6 = True
// CHECK: r7 = []
// CHECK: r8 = 3.5
// CHECK: r9 = {{\[\[}}1. 1.]
// CHECK: r10 = [3. 3. 3.]
// CHECK: r11 = [3. 3. 3.]
func.func @main(%x: tensor<3xf32> {weave.name = "x", weave.default = 1.5 : f32},
                %b: tensor<2xi1> {weave.name = "b", weave.default = true},
                %s: f16 {weave.name = "s", weave.default = 2.0 : f16},
                %i: index {weave.name = "i", weave.default = 7 : index},
                %f: i1 {weave.name = "f", weave.default = false},
                %h: tensor<2x2xbf16> {weave.name = "h", weave.default = 0.5 : bf16})
    -> (tensor<3xf32> {weave.name = "r0"}, tensor<3xf32> {weave.name = "r1"},
        tensor<2xi32> {weave.name = "r2"}, tensor<2xi1> {weave.name = "r3"},
        f16 {weave.name = "r4"}, index {weave.name = "r5"}, i1 {weave.name = "r6"},
        tensor<0xf32> {weave.name = "r7"}, tensor<f64> {weave.name = "r8"},
        tensor<2x2xbf16> {weave.name = "r9"}, tensor<3xf32> {weave.name = "r10"},
        tensor<3xf32> {weave.name = "r11"}) {
  %c = arith.constant dense<[4, 5]> : tensor<2xi32>
  %z = tensor.empty() : tensor<0xf32>
  %t = arith.constant dense<3.5> : tensor<f64>
  %mask = arith.constant dense<[true, false]> : tensor<2xi1>
  %b2 = arith.xori %b, %mask : tensor<2xi1>
  %true = arith.constant true
  %f2 = arith.xori %f, %true : i1
  %y = arith.addf %x, %x : tensor<3xf32>
  %h2 = arith.addf %h, %h : tensor<2x2xbf16>
  return %x, %x, %c, %b2, %s, %i, %f2, %z, %t, %h2, %y, %y
      : tensor<3xf32>, tensor<3xf32>, tensor<2xi32>, tensor<2xi1>, f16, index, i1,
        tensor<0xf32>, tensor<f64>, tensor<2x2xbf16>, tensor<3xf32>, tensor<3xf32>
}
