// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// RUN: not %t 2>/dev/null | count 0
// RUN: %t --n 3
// RUN: weavec -O2 %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// RUN: %t --n 3

// A failed assertion ends the program with its place and message, exit code 1
// and nothing on the standard output. Here extents differ that are only known
// at run time.
func.func @main(%n: index {weave.name = "n", weave.default = 2 : index},
                %x: tensor<3xf32> {weave.name = "x", weave.default = 1.0 : f32})
    -> (tensor<?xf32> {weave.name = "y"}) {
  %one = arith.constant 1.0 : f32
  %xs = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %ones = tensor.splat %one[%n] : tensor<?xf32>
  // CHECK: asserts.mlir:[[#@LINE+1]]:8: the operands differ in dimension 0
  %y = arith.addf %ones, %xs : tensor<?xf32>
  return %y : tensor<?xf32>
}
