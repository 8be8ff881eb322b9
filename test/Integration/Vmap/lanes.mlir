// SPDX-License-Identifier: Apache-2.0
//
// No lane, one, seven, and a number known at run time only: the batched form gives
// what one lane after the other gives.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --threads 1,2 --program %s | FileCheck %s

// CHECK: none: [0]
// CHECK: one: [1] 1.75
// CHECK: seven: [7] 0.75 2.75 4.75 6.75 8.75 10.75 12.75
// CHECK: dynamic: [5] 0.5 1.5 4.5 9.5 16.5
// CHECK: no_dynamic: [0]
// CHECK: columns: [3, 2] 0.5 10.5 1.5 11.5 2.5 12.5

func.func private @numbers(%n: index) -> tensor<?xf32> {
  %r = weave.vmap %i lanes(%n) {
    %lane = weave.axis_index %i : index
    %l = arith.index_cast %lane : index to i32
    %f = arith.sitofp %l : i32 to f32
    weave.yield %f : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @main(%s: f32 {weave.name = "s", weave.default = 0.5 : f32}, %n: i32 {weave.name = "n", weave.default = 5 : i32}) -> (
    tensor<0xf32> {weave.name = "none"}, tensor<1xf32> {weave.name = "one"}, tensor<7xf32> {weave.name = "seven"},
    tensor<?xf32> {weave.name = "dynamic"}, tensor<?xf32> {weave.name = "no_dynamic"},
    tensor<3x2xf32> {weave.name = "columns"}) {
  %quarter = arith.constant 0.25 : f32
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %xs0 = tensor.empty() : tensor<0xf32>
  %none = weave.vmap %i (%x = %xs0 : tensor<0xf32>) {
    %y = arith.addf %x, %s : f32
    weave.yield %y : f32
  } -> tensor<0xf32>
  %xs1 = tensor.from_elements %s : tensor<1xf32>
  %one = weave.vmap %i (%x = %xs1 : tensor<1xf32>) {
    %y = arith.addf %x, %s : f32
    %z = arith.addf %y, %s : f32
    %w = arith.addf %z, %quarter : f32
    weave.yield %w : f32
  } -> tensor<1xf32>
  %xs7d = func.call @numbers(%c7) : (index) -> tensor<?xf32>
  %xs7 = tensor.cast %xs7d : tensor<?xf32> to tensor<7xf32>
  %seven = weave.vmap %i (%x = %xs7 : tensor<7xf32>) {
    %two = arith.constant 2.0 : f32
    %t = arith.addf %s, %quarter : f32
    %y = math.fma %x, %two, %t : f32
    weave.yield %y : f32
  } -> tensor<7xf32>
  %m = arith.index_cast %n : i32 to index
  %xsn = func.call @numbers(%m) : (index) -> tensor<?xf32>
  %dynamic = weave.vmap %i (%x = %xsn : tensor<?xf32>) {
    %y = math.fma %x, %x, %s : f32
    weave.yield %y : f32
  } -> tensor<?xf32>
  %zero = arith.subi %m, %m : index
  %xsz = func.call @numbers(%zero) : (index) -> tensor<?xf32>
  %no_dynamic = weave.vmap %i (%x = %xsz : tensor<?xf32>) {
    %y = math.fma %x, %x, %s : f32
    weave.yield %y : f32
  } -> tensor<?xf32>
  %table = arith.constant dense<[[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]> : tensor<2x3xf32>
  %columns = weave.vmap %i (%x = %table : tensor<2x3xf32>) in_axes [1] {
    %ss = tensor.splat %s : tensor<2xf32>
    %y = arith.addf %x, %ss : tensor<2xf32>
    weave.yield %y : tensor<2xf32>
  } -> tensor<3x2xf32>
  return %none, %one, %seven, %dynamic, %no_dynamic, %columns
    : tensor<0xf32>, tensor<1xf32>, tensor<7xf32>, tensor<?xf32>, tensor<?xf32>, tensor<3x2xf32>
}
