// SPDX-License-Identifier: Apache-2.0
//
// Scans, loops and conditions in a vmap.
//
// RUN: weave-opt -weave-batch-vmap -canonicalize %s | FileCheck %s

// A counter and an input that are the same on all lanes stay so; the other carry is
// batched, although it begins alike on all lanes.
// CHECK-LABEL: func @scan(
// CHECK-SAME:    %[[XS:.*]]: tensor<5x7xf32>, %[[KS:.*]]: tensor<5xf32>, %{{.*}}: f32)
// CHECK:         %[[INIT:.*]] = tensor.splat %{{.*}} : tensor<7xf32>
// CHECK:         weave.scan carry(%[[C:.*]] = %[[INIT]] : tensor<7xf32>, %[[N:.*]] = %{{.*}} : index)
// CHECK-SAME:      xs(%[[K:.*]] = %[[KS]] : tensor<5xf32>, %[[X:.*]] = %[[XS]] : tensor<5x7xf32>) reverse unroll(2)
// CHECK:           %[[K7:.*]] = tensor.splat %[[K]] : tensor<7xf32>
// CHECK:           arith.mulf %[[C]], %[[K7]] : tensor<7xf32>
// CHECK:           arith.addi %[[N]], %{{.*}} : index
// CHECK:           weave.yield carry(%{{.*}}, %{{.*}} : tensor<7xf32>, index) ys(%[[C]] : tensor<7xf32>)
// CHECK:         } -> tensor<7xf32>, index, tensor<5x7xf32>
func.func @scan(%xs: tensor<5x7xf32>, %ks: tensor<5xf32>, %x0: f32) -> (tensor<7xf32>, tensor<5x7xf32>, tensor<7xindex>) {
  %r:3 = weave.vmap %i (%x = %xs : tensor<5x7xf32>) in_axes [1] out_axes [0, 1, 0] {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f:3 = weave.scan carry(%c = %x0 : f32, %n = %c0 : index) xs(%k = %ks : tensor<5xf32>, %y = %x : tensor<5xf32>) reverse unroll(2) {
      %d = arith.mulf %c, %k : f32
      %e = arith.addf %d, %y : f32
      %n1 = arith.addi %n, %c1 : index
      weave.yield carry(%e, %n1 : f32, index) ys(%c : f32)
    } -> f32, index, tensor<5xf32>
    weave.yield %f#0, %f#2, %f#1 : f32, tensor<5xf32>, index
  } -> tensor<7xf32>, tensor<5x7xf32>, tensor<7xindex>
  return %r#0, %r#1, %r#2 : tensor<7xf32>, tensor<5x7xf32>, tensor<7xindex>
}

// Two carries that depend on each other: both are batched.
// CHECK-LABEL: func @swapped_carries(
// CHECK:         weave.scan carry(%{{.*}} : tensor<3xf32>, %{{.*}} : tensor<3xf32>)
func.func @swapped_carries(%xs: tensor<3xf32>, %s: f32, %n: index) -> tensor<3xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<3xf32>) {
    %f:2 = weave.scan carry(%a = %s : f32, %b = %x : f32) length(%n) {
      weave.yield carry(%b, %a : f32, f32)
    } -> f32, f32
    weave.yield %f#0 : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func @for(
// CHECK-SAME:    %[[XS:.*]]: tensor<4xf32>, %[[N:.*]]: index)
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[A:.*]] = %[[XS]]) -> (tensor<4xf32>)
// CHECK:           arith.mulf %[[A]], %[[XS]] : tensor<4xf32>
func.func @for(%xs: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
      %y = arith.mulf %a, %x : f32
      scf.yield %y : f32
    }
    weave.yield %f : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A condition that is the same on all lanes stays one; each lane's own becomes a
// selection.
// CHECK-LABEL: func @if(
// CHECK-SAME:    %[[XS:.*]]: tensor<4xf32>, %[[P:.*]]: i1)
// CHECK:         %[[A:.*]] = scf.if %[[P]] -> (tensor<4xf32>)
// CHECK:           arith.addf %[[XS]], %[[XS]] : tensor<4xf32>
// CHECK:         %[[POS:.*]] = arith.cmpf ogt, %[[XS]]
// CHECK:         %[[ROOT:.*]] = math.sqrt %[[XS]] : tensor<4xf32>
// CHECK:         arith.select %[[POS]], %[[ROOT]], %[[A]] : tensor<4xi1>, tensor<4xf32>
func.func @if(%xs: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %a = scf.if %p -> f32 {
      %y = arith.addf %x, %x : f32
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    %pos = arith.cmpf ogt, %x, %zero : f32
    %b = scf.if %pos -> f32 {
      %y = math.sqrt %x : f32
      scf.yield %y : f32
    } else {
      scf.yield %a : f32
    }
    weave.yield %b : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A loop that all lanes run equally often, but with a condition of each lane's own.
// CHECK-LABEL: func @if_in_for(
// CHECK:         scf.for
// CHECK:           arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x2xi1>, tensor<4x2xf32>
func.func @if_in_for(%xs: tensor<4x2xf32>, %ps: tensor<4xi1>) -> tensor<4x2xf32> {
  %r = weave.vmap %i (%x = %xs : tensor<4x2xf32>, %p = %ps : tensor<4xi1>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %f = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<2xf32> {
      %b = scf.if %p -> tensor<2xf32> {
        %y = arith.mulf %a, %x : tensor<2xf32>
        scf.yield %y : tensor<2xf32>
      } else {
        scf.yield %a : tensor<2xf32>
      }
      scf.yield %b : tensor<2xf32>
    }
    weave.yield %f : tensor<2xf32>
  } -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
