// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t && %t --single %t.f32.npy --double %t.f64.npy
// RUN: weavec -O2 %s -o %t && %t --single %t.2.f32.npy --double %t.2.f64.npy
// RUN: cmp %t.f32.npy %t.2.f32.npy && cmp %t.f64.npy %t.2.f64.npy
// RUN: weavec -O2 --llvm-opt=0 --target-cpu=x86-64-v3 %s -o %t && %t --single %t.3.f32.npy --double %t.3.f64.npy
// RUN: cmp %t.f32.npy %t.3.f32.npy && cmp %t.f64.npy %t.3.f64.npy

// Math functions have the same bits one by one, vectorised, and without LLVM's
// optimiser. The results' bits are mixed, so that each of them counts.
#id = affine_map<(d0) -> (d0)>

func.func private @mix_single(%h: i32, %y: f32) -> i32 {
  %c31 = arith.constant 31 : i32
  %nan = arith.cmpf uno, %y, %y : f32
  %bits = arith.bitcast %y : f32 to i32
  %a = arith.select %nan, %c31, %bits : i32
  %b = arith.muli %h, %c31 : i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}
func.func private @single() -> tensor<1003xi32> {
  %e = tensor.empty() : tensor<1003xi32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<1003xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %middle = arith.constant 200.0 : f32
    %step = arith.constant 0.00390625 : f32
    %d = arith.subf %k, %middle : f32
    %x = arith.mulf %d, %step : f32
    %z = arith.constant 0.703125 : f32
    %h0 = arith.constant 0 : i32
    %acos = math.acos %x : f32
    %h1 = func.call @mix_single(%h0, %acos) : (i32, f32) -> i32
    %acosh = math.acosh %x : f32
    %h2 = func.call @mix_single(%h1, %acosh) : (i32, f32) -> i32
    %asin = math.asin %x : f32
    %h3 = func.call @mix_single(%h2, %asin) : (i32, f32) -> i32
    %asinh = math.asinh %x : f32
    %h4 = func.call @mix_single(%h3, %asinh) : (i32, f32) -> i32
    %atan = math.atan %x : f32
    %h5 = func.call @mix_single(%h4, %atan) : (i32, f32) -> i32
    %atanh = math.atanh %x : f32
    %h6 = func.call @mix_single(%h5, %atanh) : (i32, f32) -> i32
    %cbrt = math.cbrt %x : f32
    %h7 = func.call @mix_single(%h6, %cbrt) : (i32, f32) -> i32
    %cos = math.cos %x : f32
    %h8 = func.call @mix_single(%h7, %cos) : (i32, f32) -> i32
    %cosh = math.cosh %x : f32
    %h9 = func.call @mix_single(%h8, %cosh) : (i32, f32) -> i32
    %erf = math.erf %x : f32
    %h10 = func.call @mix_single(%h9, %erf) : (i32, f32) -> i32
    %erfc = math.erfc %x : f32
    %h11 = func.call @mix_single(%h10, %erfc) : (i32, f32) -> i32
    %exp = math.exp %x : f32
    %h12 = func.call @mix_single(%h11, %exp) : (i32, f32) -> i32
    %exp2 = math.exp2 %x : f32
    %h13 = func.call @mix_single(%h12, %exp2) : (i32, f32) -> i32
    %expm1 = math.expm1 %x : f32
    %h14 = func.call @mix_single(%h13, %expm1) : (i32, f32) -> i32
    %log = math.log %x : f32
    %h15 = func.call @mix_single(%h14, %log) : (i32, f32) -> i32
    %log10 = math.log10 %x : f32
    %h16 = func.call @mix_single(%h15, %log10) : (i32, f32) -> i32
    %log1p = math.log1p %x : f32
    %h17 = func.call @mix_single(%h16, %log1p) : (i32, f32) -> i32
    %log2 = math.log2 %x : f32
    %h18 = func.call @mix_single(%h17, %log2) : (i32, f32) -> i32
    %rsqrt = math.rsqrt %x : f32
    %h19 = func.call @mix_single(%h18, %rsqrt) : (i32, f32) -> i32
    %sin = math.sin %x : f32
    %h20 = func.call @mix_single(%h19, %sin) : (i32, f32) -> i32
    %sinh = math.sinh %x : f32
    %h21 = func.call @mix_single(%h20, %sinh) : (i32, f32) -> i32
    %tan = math.tan %x : f32
    %h22 = func.call @mix_single(%h21, %tan) : (i32, f32) -> i32
    %tanh = math.tanh %x : f32
    %h23 = func.call @mix_single(%h22, %tanh) : (i32, f32) -> i32
    %atan2 = math.atan2 %x, %z : f32
    %h24 = func.call @mix_single(%h23, %atan2) : (i32, f32) -> i32
    %powf = math.powf %x, %z : f32
    %h25 = func.call @mix_single(%h24, %powf) : (i32, f32) -> i32
    %seven = arith.constant 7 : i32
    %fpowi = math.fpowi %x, %seven : f32, i32
    %h26 = func.call @mix_single(%h25, %fpowi) : (i32, f32) -> i32
    linalg.yield %h26 : i32
  } -> tensor<1003xi32>
  return %r : tensor<1003xi32>
}

func.func private @mix_double(%h: i64, %y: f64) -> i64 {
  %c31 = arith.constant 31 : i64
  %nan = arith.cmpf uno, %y, %y : f64
  %bits = arith.bitcast %y : f64 to i64
  %a = arith.select %nan, %c31, %bits : i64
  %b = arith.muli %h, %c31 : i64
  %c = arith.addi %a, %b : i64
  return %c : i64
}
func.func private @double() -> tensor<1003xi64> {
  %e = tensor.empty() : tensor<1003xi64>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<1003xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f64
    %middle = arith.constant 200.0 : f64
    %step = arith.constant 0.00390625 : f64
    %d = arith.subf %k, %middle : f64
    %x = arith.mulf %d, %step : f64
    %z = arith.constant 0.703125 : f64
    %h0 = arith.constant 0 : i64
    %acos = math.acos %x : f64
    %h1 = func.call @mix_double(%h0, %acos) : (i64, f64) -> i64
    %acosh = math.acosh %x : f64
    %h2 = func.call @mix_double(%h1, %acosh) : (i64, f64) -> i64
    %asin = math.asin %x : f64
    %h3 = func.call @mix_double(%h2, %asin) : (i64, f64) -> i64
    %asinh = math.asinh %x : f64
    %h4 = func.call @mix_double(%h3, %asinh) : (i64, f64) -> i64
    %atan = math.atan %x : f64
    %h5 = func.call @mix_double(%h4, %atan) : (i64, f64) -> i64
    %atanh = math.atanh %x : f64
    %h6 = func.call @mix_double(%h5, %atanh) : (i64, f64) -> i64
    %cbrt = math.cbrt %x : f64
    %h7 = func.call @mix_double(%h6, %cbrt) : (i64, f64) -> i64
    %cos = math.cos %x : f64
    %h8 = func.call @mix_double(%h7, %cos) : (i64, f64) -> i64
    %cosh = math.cosh %x : f64
    %h9 = func.call @mix_double(%h8, %cosh) : (i64, f64) -> i64
    %erf = math.erf %x : f64
    %h10 = func.call @mix_double(%h9, %erf) : (i64, f64) -> i64
    %erfc = math.erfc %x : f64
    %h11 = func.call @mix_double(%h10, %erfc) : (i64, f64) -> i64
    %exp = math.exp %x : f64
    %h12 = func.call @mix_double(%h11, %exp) : (i64, f64) -> i64
    %exp2 = math.exp2 %x : f64
    %h13 = func.call @mix_double(%h12, %exp2) : (i64, f64) -> i64
    %expm1 = math.expm1 %x : f64
    %h14 = func.call @mix_double(%h13, %expm1) : (i64, f64) -> i64
    %log = math.log %x : f64
    %h15 = func.call @mix_double(%h14, %log) : (i64, f64) -> i64
    %log10 = math.log10 %x : f64
    %h16 = func.call @mix_double(%h15, %log10) : (i64, f64) -> i64
    %log1p = math.log1p %x : f64
    %h17 = func.call @mix_double(%h16, %log1p) : (i64, f64) -> i64
    %log2 = math.log2 %x : f64
    %h18 = func.call @mix_double(%h17, %log2) : (i64, f64) -> i64
    %rsqrt = math.rsqrt %x : f64
    %h19 = func.call @mix_double(%h18, %rsqrt) : (i64, f64) -> i64
    %sin = math.sin %x : f64
    %h20 = func.call @mix_double(%h19, %sin) : (i64, f64) -> i64
    %sinh = math.sinh %x : f64
    %h21 = func.call @mix_double(%h20, %sinh) : (i64, f64) -> i64
    %tan = math.tan %x : f64
    %h22 = func.call @mix_double(%h21, %tan) : (i64, f64) -> i64
    %tanh = math.tanh %x : f64
    %h23 = func.call @mix_double(%h22, %tanh) : (i64, f64) -> i64
    %atan2 = math.atan2 %x, %z : f64
    %h24 = func.call @mix_double(%h23, %atan2) : (i64, f64) -> i64
    %powf = math.powf %x, %z : f64
    %h25 = func.call @mix_double(%h24, %powf) : (i64, f64) -> i64
    %seven = arith.constant 7 : i32
    %fpowi = math.fpowi %x, %seven : f64, i32
    %h26 = func.call @mix_double(%h25, %fpowi) : (i64, f64) -> i64
    linalg.yield %h26 : i64
  } -> tensor<1003xi64>
  return %r : tensor<1003xi64>
}

func.func @main() -> (tensor<1003xi32> {weave.name = "single"}, tensor<1003xi64> {weave.name = "double"}) {
  %single = func.call @single() : () -> tensor<1003xi32>
  %double = func.call @double() : () -> tensor<1003xi64>
  return %single, %double : tensor<1003xi32>, tensor<1003xi64>
}
