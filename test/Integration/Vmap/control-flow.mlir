// SPDX-License-Identifier: Apache-2.0
//
// Scans, loops and conditions in a vmap, batched or lane by lane.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --threads 1,2 --program %s | FileCheck %s

// Lanes 0, 1, 2, 3.
// CHECK: powers: [4] 0 1 8 27
// CHECK: sums: [4, 3] 0 0 0 0 1 3 0 2 6 0 3 9
// CHECK: chosen: [4] 7 7 4 9
// CHECK: own_rounds: [4] 0 10 30 60
// CHECK: guarded: [4] 10 20 30 -1
// CHECK: collatz: [4] 0 0 1 7
// CHECK: scattered: [4, 3] 9 0 0 0 9 0 0 0 9 9 0 0
// CHECK: gathered: [4, 2] 10 20 20 30 10 20 20 30

func.func @main(%three: i32 {weave.name = "three", weave.default = 3 : i32}) -> (
    tensor<4xi32> {weave.name = "powers"}, tensor<4x3xi32> {weave.name = "sums"}, tensor<4xi32> {weave.name = "chosen"},
    tensor<4xi32> {weave.name = "own_rounds"}, tensor<4xi32> {weave.name = "guarded"},
    tensor<4xi32> {weave.name = "collatz"}, tensor<4x3xi32> {weave.name = "scattered"},
    tensor<4x2xi32> {weave.name = "gathered"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nine = arith.constant 9 : i32
  %steps = arith.index_cast %three : i32 to index
  %table = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %rows = arith.constant dense<0> : tensor<4x3xi32>
  %r:8 = weave.vmap %i (%row = %rows : tensor<4x3xi32>) {
    %lane = weave.axis_index %i : index
    %x = arith.index_cast %lane : index to i32

    %power = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %one) -> i32 {
      %b = arith.muli %a, %x : i32
      scf.yield %b : i32
    }
    // The stacked carries: 0, x, and x + 2 x.
    %sum:3 = weave.scan carry(%a = %zero : i32, %k = %one : i32) length(%steps) {
      %b = arith.muli %k, %x : i32
      %c = arith.addi %a, %b : i32
      %l = arith.addi %k, %one : i32
      weave.yield carry(%c, %l : i32, i32) ys(%a : i32)
    } -> i32, i32, tensor<?xi32>
    %stacked = tensor.cast %sum#2 : tensor<?xi32> to tensor<3xi32>

    %is_big = arith.cmpi sgt, %x, %one : i32
    %chosen = scf.if %is_big -> i32 {
      %square = arith.muli %x, %x : i32
      scf.yield %square : i32
    } else {
      %seven = arith.constant 7 : i32
      scf.yield %seven : i32
    }

    // As many rounds as the lane's number.
    %rounds = scf.for %k = %c0 to %lane step %c1 iter_args(%a = %zero) -> i32 {
      %t = tensor.extract %table[%k] : tensor<3xi32>
      %b = arith.addi %a, %t : i32
      scf.yield %b : i32
    }
    // Lane 3 must not read.
    %is_in = arith.cmpi ult, %lane, %c3 : index
    %guarded = scf.if %is_in -> i32 {
      %t = tensor.extract %table[%lane] : tensor<3xi32>
      scf.yield %t : i32
    } else {
      %m1 = arith.constant -1 : i32
      scf.yield %m1 : i32
    }
    // The steps from x to 1.
    %w:2 = scf.while (%a = %x, %count = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %a, %one : i32
      scf.condition(%more) %a, %count : i32, i32
    } do {
    ^bb0(%a: i32, %count: i32):
      %bit = arith.andi %a, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      %half = arith.shrui %a, %one : i32
      %triple = arith.muli %a, %three : i32
      %up = arith.addi %triple, %one : i32
      %next = arith.select %odd, %up, %half : i32
      %counted = arith.addi %count, %one : i32
      scf.yield %next, %counted : i32, i32
    }

    // Each lane's own places: lane modulo 3, and lane modulo 2.
    %at = arith.remui %lane, %c3 : index
    %scattered = tensor.insert %nine into %row[%at] : tensor<3xi32>
    %from = arith.remui %lane, %c2 : index
    %gathered = tensor.extract_slice %table[%from] [2] [1] : tensor<3xi32> to tensor<2xi32>

    weave.yield %power, %stacked, %chosen, %rounds, %guarded, %w#1, %scattered, %gathered
      : i32, tensor<3xi32>, i32, i32, i32, i32, tensor<3xi32>, tensor<2xi32>
  } -> tensor<4xi32>, tensor<4x3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4x3xi32>, tensor<4x2xi32>
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7
    : tensor<4xi32>, tensor<4x3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4x3xi32>, tensor<4x2xi32>
}
