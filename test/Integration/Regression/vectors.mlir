// SPDX-License-Identifier: Apache-2.0
//
// Loops over blocks of vectors compute what single numbers do: whole blocks, what
// is left of them, masked blocks columns of sums and products of matrices, of elements of several widths.
//
// RUN: %python %S/../Generator/compare.py --weavec weavec --threads 1,2 --program %s \
// RUN:     --build="-O2 --target-cpu=x86-64-v3" --build="-O2 --llvm-opt=0" | FileCheck %s

// CHECK: none: [0]
// CHECK-NEXT: one: [1] 1
// CHECK-NEXT: prime: [67] 1 3 5 7 {{.*}} 131 133{{$}}
// CHECK-NEXT: many: [1000] 1 3 5 7 {{.*}} 1997 1999{{$}}
// CHECK-NEXT: quotients: [100] 0 1 1 1 1 1 1 1 8 {{.*}} 14 99{{$}}
// CHECK-NEXT: bytes: [43] 0 -7 -14 {{.*}} -31 -38{{$}}
// CHECK-NEXT: normals: [3, 37]
// CHECK-NEXT: columns: [37] 0 3 6 {{.*}} 105 108{{$}}
// CHECK-NEXT: tall: [45] 0 1000 2000 {{.*}} 44000{{$}}
// CHECK-NEXT: product: [3, 19] 0 666 1332 {{.*}} 11988 0 666 {{.*}} 11988{{$}}
// CHECK-NEXT: large: [64, 83] {{-?[0-9.]+ -?[0-9.]+ }}
// CHECK-NEXT: products: [1000, 19] 0 990 1980 {{.*}} 17820 0 990 {{.*}} 17820{{$}}

#id = affine_map<(d0) -> (d0)>

func.func private @odd(%n: index) -> tensor<?xf64> {
  %e = tensor.empty(%n) : tensor<?xf64>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<?xf64>) {
    ^bb0(%o: f64):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i64
      %f = arith.sitofp %k : i64 to f64
      %d = arith.addf %f, %f : f64
      %u = arith.constant 1.0 : f64
      %s = arith.addf %d, %u : f64
      linalg.yield %s : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// The divisor is zero now and then, and beyond the end of a masked block.
func.func private @quotients(%n: index) -> tensor<?xi32> {
  %e = tensor.empty(%n) : tensor<?xi32>
  %numbers:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      outs(%e, %e : tensor<?xi32>, tensor<?xi32>) {
    ^bb0(%o: i32, %p: i32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i32
      %seven = arith.constant 7 : i32
      %m = arith.remsi %k, %seven : i32
      linalg.yield %k, %m : i32, i32
  } -> (tensor<?xi32>, tensor<?xi32>)
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%numbers#0, %numbers#1 : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %zero = arith.constant 0 : i32
      %isZero = arith.cmpi eq, %b, %zero : i32
      %q = arith.divsi %a, %b : i32
      %seven = arith.constant 7 : i32
      %whole = arith.divsi %a, %seven : i32
      %safe = arith.select %isZero, %whole, %q : i32
      linalg.yield %safe : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

func.func @main(%n0: index {weave.name = "n0", weave.default = 0 : index},
                %n1: index {weave.name = "n1", weave.default = 1 : index},
                %n67: index {weave.name = "n67", weave.default = 67 : index},
                %n1000: index {weave.name = "n1000", weave.default = 1000 : index},
                %n100: index {weave.name = "n100", weave.default = 100 : index},
                %seed: i32 {weave.name = "seed", weave.default = 3 : i32})
    -> (tensor<?xf64> {weave.name = "none"}, tensor<?xf64> {weave.name = "one"},
        tensor<?xf64> {weave.name = "prime"}, tensor<?xf64> {weave.name = "many"},
        tensor<?xi32> {weave.name = "quotients"}, tensor<43xi8> {weave.name = "bytes"},
        tensor<3x37xf32> {weave.name = "normals"}, tensor<37xf32> {weave.name = "columns"},
        tensor<45xf64> {weave.name = "tall"}, tensor<3x19xf32> {weave.name = "product"},
        tensor<64x83xf32> {weave.name = "large"}, tensor<?x19xf64> {weave.name = "products"}) {
  %none = func.call @odd(%n0) : (index) -> tensor<?xf64>
  %one = func.call @odd(%n1) : (index) -> tensor<?xf64>
  %prime = func.call @odd(%n67) : (index) -> tensor<?xf64>
  %many = func.call @odd(%n1000) : (index) -> tensor<?xf64>
  %quotients = func.call @quotients(%n100) : (index) -> tensor<?xi32>

  %eb = tensor.empty() : tensor<43xi8>
  %bytes = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%eb : tensor<43xi8>) {
    ^bb0(%o: i8):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i8
      %f = arith.constant -7 : i8
      %d = arith.muli %k, %f : i8
      linalg.yield %d : i8
  } -> tensor<43xi8>

  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %normals = weave.random.normal %key : tensor<2xi32> -> tensor<3x37xf32>

  // Sums of columns: of 3 equal rows, and of 1000.
  %e37 = tensor.empty() : tensor<3x37xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                          iterator_types = ["parallel", "parallel"]} outs(%e37 : tensor<3x37xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      linalg.yield %f : f32
  } -> tensor<3x37xf32>
  %zeros37 = arith.constant dense<0.0> : tensor<37xf32>
  %columns = linalg.reduce {arith.addf} ins(%rows : tensor<3x37xf32>) outs(%zeros37 : tensor<37xf32>)
      dimensions = [0]
  %e45 = tensor.empty(%n1000) : tensor<?x45xf64>
  %talls = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                           iterator_types = ["parallel", "parallel"]} outs(%e45 : tensor<?x45xf64>) {
    ^bb0(%o: f64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %f = arith.sitofp %k : i64 to f64
      linalg.yield %f : f64
  } -> tensor<?x45xf64>
  %zeros45 = arith.constant dense<0.0> : tensor<45xf64>
  %tall = linalg.reduce {arith.addf} ins(%talls : tensor<?x45xf64>) outs(%zeros45 : tensor<45xf64>)
      dimensions = [0]

  %e19 = tensor.empty() : tensor<37x19xf32>
  %right = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                           iterator_types = ["parallel", "parallel"]} outs(%e19 : tensor<37x19xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i32
      %f = arith.sitofp %k : i32 to f32
      linalg.yield %f : f32
  } -> tensor<37x19xf32>
  %zeros19 = arith.constant dense<0.0> : tensor<3x19xf32>
  %product = linalg.matmul ins(%rows, %right : tensor<3x37xf32>, tensor<37x19xf32>)
                           outs(%zeros19 : tensor<3x19xf32>) -> tensor<3x19xf32>
  %zeros83 = arith.constant dense<0.0> : tensor<64x83xf32>
  %left83 = weave.random.normal %key : tensor<2xi32> -> tensor<64x128xf32>
  %right83 = weave.random.normal %key : tensor<2xi32> -> tensor<128x83xf32>
  %large = linalg.matmul ins(%left83, %right83 : tensor<64x128xf32>, tensor<128x83xf32>)
                         outs(%zeros83 : tensor<64x83xf32>) -> tensor<64x83xf32>
  %d19 = tensor.empty() : tensor<45x19xf64>
  %rights = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
                            iterator_types = ["parallel", "parallel"]} outs(%d19 : tensor<45x19xf64>) {
    ^bb0(%o: f64):
      %i = linalg.index 1 : index
      %k = arith.index_cast %i : index to i64
      %f = arith.sitofp %k : i64 to f64
      linalg.yield %f : f64
  } -> tensor<45x19xf64>
  %zero = arith.constant 0.0 : f64
  %ed19 = tensor.empty(%n1000) : tensor<?x19xf64>
  %zerosd19 = linalg.fill ins(%zero : f64) outs(%ed19 : tensor<?x19xf64>) -> tensor<?x19xf64>
  %products = linalg.matmul ins(%talls, %rights : tensor<?x45xf64>, tensor<45x19xf64>)
                            outs(%zerosd19 : tensor<?x19xf64>) -> tensor<?x19xf64>
  return %none, %one, %prime, %many, %quotients, %bytes, %normals, %columns, %tall, %product, %large,
    %products
      : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xi32>, tensor<43xi8>,
        tensor<3x37xf32>, tensor<37xf32>, tensor<45xf64>, tensor<3x19xf32>,
        tensor<64x83xf32>, tensor<?x19xf64>
}
