// REQUIRES: runtime-shared
// RUN: weave-opt %s --weave-sequential=entry=false \
// RUN:   | mlir-runner -e main -entry-point-result=void \
// RUN:       --shared-libs=%mlir_lib_dir/libmlir_c_runner_utils.so,%runtime_shared | FileCheck %s
// RUN: weave-opt %s --weave-parallel=entry=false \
// RUN:   | mlir-runner -e main -entry-point-result=void \
// RUN:       --shared-libs=%mlir_lib_dir/libmlir_c_runner_utils.so,%runtime_shared | FileCheck %s

// Collectives where they are hard to split at: in loops, conditions and nested
// maps. Values computed by hand.

func.func private @print(%xs: tensor<?xi32>) attributes {no_inline} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %xs, %zero : tensor<?xi32>
  scf.for %k = %zero to %n step %one {
    %x = tensor.extract %xs[%k] : tensor<?xi32>
    vector.print %x : i32
  }
  return
}

// c = [1, 2, 3]; the sum is 6, c = [7, 8, 9]; twice the sum is 48.
func.func private @scan(%xs: tensor<?xi32>, %ws: tensor<2xi32>) -> tensor<?xi32> attributes {no_inline} {
  %ys = weave.pmap %i (%x = %xs : tensor<?xi32>) {
    // The same weights, but every lane's own.
    %zero = arith.subi %x, %x : i32
    %zeros = tensor.splat %zero : tensor<2xi32>
    %own = arith.addi %ws, %zeros : tensor<2xi32>
    %last, %all = weave.scan carry(%c = %x : i32) xs(%w = %own : tensor<2xi32>) {
      %p = arith.muli %c, %w : i32
      %s = weave.psum %p over %i : i32
      %d = arith.addi %c, %s : i32
      weave.yield carry(%d : i32) ys(%c : i32)
    } -> i32, tensor<2xi32>
    weave.yield %last : i32
  } -> tensor<?xi32>
  return %ys : tensor<?xi32>
}

// Ten times the sum over rows, [5, 7, 9], and the row's sum, [6, 15], and 100
// for the second row.
func.func private @nested(%xs: tensor<2x3xi32>) -> tensor<2x3xi32> attributes {no_inline} {
  %ten = arith.constant 10 : i32
  %hundred = arith.constant 100 : i32
  %ys = weave.pmap %i (%row = %xs : tensor<2x3xi32>) {
    %r = weave.vmap %j (%x = %row : tensor<3xi32>) {
      %a = weave.psum %x over %i : i32
      %b = weave.psum %x over %j : i32
      %lane = weave.axis_index %i : index
      %number = arith.index_cast %lane : index to i32
      %c = arith.muli %a, %ten : i32
      %d = arith.addi %c, %b : i32
      %e = arith.muli %number, %hundred : i32
      %y = arith.addi %d, %e : i32
      weave.yield %y : i32
    } -> tensor<3xi32>
    weave.yield %r : tensor<3xi32>
  } -> tensor<2x3xi32>
  return %ys : tensor<2x3xi32>
}

// The lanes' values in reverse, and the largest less the smallest.
func.func private @gather(%xs: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %one = arith.constant 1 : index
  %ys = weave.vmap %i (%x = %xs : tensor<?xi32>) {
    %all = weave.all_gather %x over %i : i32 -> tensor<?xi32>
    %most = weave.pmax %x over %i : i32
    %least = weave.pmin %x over %i : i32
    %n = weave.axis_size %i : index
    %lane = weave.axis_index %i : index
    %after = arith.addi %lane, %one : index
    %at = arith.subi %n, %after : index
    %other = tensor.extract %all[%at] : tensor<?xi32>
    %range = arith.subi %most, %least : i32
    %y = arith.addi %other, %range : i32
    weave.yield %y : i32
  } -> tensor<?xi32>
  return %ys : tensor<?xi32>
}

// Doubled until the sum, 6, is 100 or more.
func.func private @while(%xs: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %limit = arith.constant 100 : i32
  %ys = weave.pmap %i (%x = %xs : tensor<?xi32>) {
    %r = scf.while (%c = %x) : (i32) -> i32 {
      %s = weave.psum %c over %i : i32
      %go = arith.cmpi slt, %s, %limit : i32
      scf.condition(%go) %c : i32
    } do {
    ^bb0(%c: i32):
      %d = arith.addi %c, %c : i32
      scf.yield %d : i32
    }
    weave.yield %r : i32
  } -> tensor<?xi32>
  return %ys : tensor<?xi32>
}

// Two of three are larger than 1.
func.func private @truth(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) attributes {no_inline} {
  %one = arith.constant 1 : i32
  %ys:2 = weave.vmap %i (%x = %xs : tensor<?xi32>) {
    %c = arith.cmpi sgt, %x, %one : i32
    %count = weave.psum %c over %i : i1
    %mean = weave.pmean %c over %i : i1
    %any = weave.pmax %c over %i : i1
    %bits = arith.bitcast %mean : f32 to i32
    %y = arith.select %any, %bits, %one : i32
    weave.yield %count, %y : i32, i32
  } -> tensor<?xi32>, tensor<?xi32>
  return %ys#0, %ys#1 : tensor<?xi32>, tensor<?xi32>
}

// The order of a sum over lanes: grains of four, a tree over 75 grains. The
// values are those of reduction-order.mlir.
func.func private @order(%n: index) -> tensor<?xi32> attributes {no_inline} {
  %modulus = arith.constant 1013 : index
  %third = arith.constant 0x3EAAAAAB : f32
  %ys = weave.pmap %i lanes(%n) {
    %lane = weave.axis_index %i : index
    %square = arith.muli %lane, %lane : index
    %cube = arith.muli %square, %lane : index
    %rest = arith.remui %cube, %modulus : index
    %integer = arith.index_cast %rest : index to i32
    %number = arith.sitofp %integer : i32 to f32
    %v = arith.mulf %number, %third : f32
    %s = weave.psum %v over %i : f32
    %bits = arith.bitcast %s : f32 to i32
    weave.yield %bits : i32
  } -> tensor<?xi32>
  return %ys : tensor<?xi32>
}

func.func @main() {
  %xs = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %lanes = tensor.cast %xs : tensor<3xi32> to tensor<?xi32>
  %ws = arith.constant dense<[1, 2]> : tensor<2xi32>

  // CHECK: 55
  // CHECK-NEXT: 56
  // CHECK-NEXT: 57
  %scan = func.call @scan(%lanes, %ws) : (tensor<?xi32>, tensor<2xi32>) -> tensor<?xi32>
  func.call @print(%scan) : (tensor<?xi32>) -> ()

  // CHECK-NEXT: 56
  // CHECK-NEXT: 76
  // CHECK-NEXT: 96
  // CHECK-NEXT: 165
  // CHECK-NEXT: 185
  // CHECK-NEXT: 205
  %matrix = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %nested = func.call @nested(%matrix) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %flat = tensor.collapse_shape %nested [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %flat_lanes = tensor.cast %flat : tensor<6xi32> to tensor<?xi32>
  func.call @print(%flat_lanes) : (tensor<?xi32>) -> ()

  // CHECK-NEXT: 5
  // CHECK-NEXT: 4
  // CHECK-NEXT: 3
  %gather = func.call @gather(%lanes) : (tensor<?xi32>) -> tensor<?xi32>
  func.call @print(%gather) : (tensor<?xi32>) -> ()

  // CHECK-NEXT: 32
  // CHECK-NEXT: 64
  // CHECK-NEXT: 96
  %while = func.call @while(%lanes) : (tensor<?xi32>) -> tensor<?xi32>
  func.call @print(%while) : (tensor<?xi32>) -> ()

  // CHECK-NEXT: 2
  // CHECK-NEXT: 2
  // CHECK-NEXT: 2
  // CHECK-NEXT: 1059760811
  // CHECK-NEXT: 1059760811
  // CHECK-NEXT: 1059760811
  %truth:2 = func.call @truth(%lanes) : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  func.call @print(%truth#0) : (tensor<?xi32>) -> ()
  func.call @print(%truth#1) : (tensor<?xi32>) -> ()

  // CHECK-COUNT-300: 1195439617
  %n = arith.constant 300 : index
  %order = func.call @order(%n) : (index) -> tensor<?xi32>
  func.call @print(%order) : (tensor<?xi32>) -> ()

  // No lanes, no values.
  // CHECK-NEXT: 1
  %none = tensor.extract_slice %xs[0] [0] [1] : tensor<3xi32> to tensor<0xi32>
  %no_lanes = tensor.cast %none : tensor<0xi32> to tensor<?xi32>
  %empty = func.call @scan(%no_lanes, %ws) : (tensor<?xi32>, tensor<2xi32>) -> tensor<?xi32>
  func.call @print(%empty) : (tensor<?xi32>) -> ()
  %empty_truth:2 = func.call @truth(%no_lanes) : (tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)
  func.call @print(%empty_truth#1) : (tensor<?xi32>) -> ()
  %end = arith.constant 1 : i32
  vector.print %end : i32
  return
}
