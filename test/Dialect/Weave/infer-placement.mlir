// RUN: weave-opt %s -weave-infer-placement -verify-diagnostics -split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
#row = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// A draw that a pmap maps is made in part, a contraction over the lanes gives
// partial sums, and what follows from them is replicated.
// CHECK-LABEL: func @es
func.func @es(%x0: tensor<10xf32>, %keys: tensor<?x2xi32>) -> tensor<10xf32> {
  %zero = arith.constant dense<0.0> : tensor<10xf32>
  // CHECK: weave.scan {{.*}} attributes {weave.placement = [#weave.placement<replicated>]}
  %x = weave.scan carry(%c = %x0 : tensor<10xf32>) xs(%k = %keys : tensor<?x2xi32>) {
    // CHECK: weave.random.normal {{.*}} {weave.placement = [#weave.placement<sharded(0)>]}
    %zs = weave.random.normal %k : tensor<2xi32> -> tensor<4x10xf32>
    // CHECK: weave.pmap {{.*}} attributes {weave.placement = [#weave.placement<sharded(0)>]}
    %ys = weave.pmap %i (%z = %zs : tensor<4x10xf32>) {
      %c0 = arith.constant 0 : index
      %y = tensor.extract %z[%c0] : tensor<10xf32>
      weave.yield %y : f32
    } -> tensor<4xf32>
    // CHECK: weave.reduce {{.*}} attributes {weave.placement = [#weave.placement<partial>]}
    %g = weave.reduce <add> maps [#row, #both, #col] iterators ["reduction", "parallel"]
        ins(%ys, %zs : tensor<4xf32>, tensor<4x10xf32>) init(%zero : tensor<10xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %r = math.fma %a, %b, %acc : f32
        weave.yield %r : f32
    } -> tensor<10xf32>
    // CHECK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<10xf32>
    %n = arith.addf %c, %g : tensor<10xf32>
    weave.yield carry(%n : tensor<10xf32>)
  } -> tensor<10xf32>
  return %x : tensor<10xf32>
}

// -----

// Swapped carries are sharded both, though only one is a pmap's result, and
// stacked outputs are cut one dimension further in.
// CHECK-LABEL: func @swapped
func.func @swapped(%a0: tensor<13xf32>, %b0: tensor<13xf32>) -> (tensor<13xf32>, tensor<7x13xf32>) {
  %n = arith.constant 7 : index
  // CHECK: weave.scan {{.*}}[#weave.placement<sharded(0)>, #weave.placement<sharded(0)>, #weave.placement<sharded(1)>]
  %a, %b, %ys = weave.scan carry(%a = %a0 : tensor<13xf32>, %b = %b0 : tensor<13xf32>) length(%n) {
    %y = weave.pmap %i (%x = %a : tensor<13xf32>) {
      %r = arith.mulf %x, %x : f32
      weave.yield %r : f32
    } -> tensor<13xf32>
    // CHECK: arith.addf {{.*}} {weave.placement = [#weave.placement<sharded(0)>]}
    %z = arith.addf %y, %b : tensor<13xf32>
    weave.yield carry(%b, %z : tensor<13xf32>, tensor<13xf32>) ys(%y : tensor<13xf32>)
  } -> tensor<13xf32>, tensor<13xf32>, tensor<7x13xf32>
  return %a, %ys : tensor<13xf32>, tensor<7x13xf32>
}

// -----

// A carry whose next value is needed whole elsewhere, along another dimension,
// is replicated.
// CHECK-LABEL: func @disagree
func.func @disagree(%a0: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %n = arith.constant 7 : index
  // CHECK: weave.scan {{.*}} attributes {weave.placement = [#weave.placement<replicated>]}
  %a = weave.scan carry(%a = %a0 : tensor<5x5xf32>) length(%n) {
    // CHECK: weave.pmap {{.*}}[#weave.placement<sharded(0)>]
    %y = weave.pmap %i (%x = %a : tensor<5x5xf32>) {
      weave.yield %x : tensor<5xf32>
    } -> tensor<5x5xf32>
    %e = tensor.empty() : tensor<5x5xf32>
    // CHECK: linalg.transpose {{.*}}
    %t = linalg.transpose ins(%y : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) permutation = [1, 0]
    %c = tensor.extract_slice %t[0, 0] [5, 5] [1, 1] : tensor<5x5xf32> to tensor<5x5xf32>
    weave.yield carry(%c : tensor<5x5xf32>)
  } -> tensor<5x5xf32>
  return %a : tensor<5x5xf32>
}

// -----

// What is only used in part is made in part; what is also needed whole isn't.
// CHECK-LABEL: func @narrow
func.func @narrow(%a0: tensor<6xf32>, %s0: f32) -> (tensor<6xf32>, tensor<6xf32>) {
  %n = arith.constant 7 : index
  %a, %w = weave.scan carry(%a = %a0 : tensor<6xf32>, %w = %a0 : tensor<6xf32>) length(%n) {
    // CHECK: math.sqrt {{.*}} {weave.placement = [#weave.placement<sharded(0)>]}
    %only = math.sqrt %w : tensor<6xf32>
    // CHECK: math.absf %{{[a-z_0-9]+}} : tensor<6xf32>
    %also = math.absf %w : tensor<6xf32>
    %y = weave.pmap %i (%x = %only : tensor<6xf32>, %v = %also : tensor<6xf32>) {
      %r = arith.mulf %x, %v : f32
      weave.yield %r : f32
    } -> tensor<6xf32>
    weave.yield carry(%y, %also : tensor<6xf32>, tensor<6xf32>)
  } -> tensor<6xf32>, tensor<6xf32>
  return %a, %w : tensor<6xf32>, tensor<6xf32>
}

// -----

// A pmap under control flow stays whole, which is said.
// CHECK-LABEL: func @under_if
func.func @under_if(%p0: tensor<6xf32>, %cond: i1) -> tensor<6xf32> {
  %n = arith.constant 4 : index
  %p = weave.scan carry(%c = %p0 : tensor<6xf32>) length(%n) {
    // CHECK: weave.pmap {{.*}}[#weave.placement<sharded(0)>]
    %q = weave.pmap %i (%x = %c : tensor<6xf32>) {
      %r = arith.mulf %x, %x : f32
      weave.yield %r : f32
    } -> tensor<6xf32>
    // expected-note @below {{since it is inside of 'scf.if'}}
    %t = scf.if %cond -> tensor<6xf32> {
      // CHECK: scf.if
      // CHECK-NOT: weave.placement
      // expected-remark @below {{not partitioned: every worker runs all lanes}}
      %y = weave.pmap %i (%x = %q : tensor<6xf32>) {
        %r = arith.mulf %x, %x : f32
        weave.yield %r : f32
      } -> tensor<6xf32>
      scf.yield %y : tensor<6xf32>
    } else {
      scf.yield %q : tensor<6xf32>
    }
    weave.yield carry(%t : tensor<6xf32>)
  } -> tensor<6xf32>
  return %p : tensor<6xf32>
}
