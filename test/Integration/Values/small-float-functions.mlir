// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t && %t --half %t.f16.npy --brain %t.bf16.npy
// RUN: weavec -O2 %s -o %t && %t --half %t.2.f16.npy --brain %t.2.bf16.npy
// RUN: cmp %t.f16.npy %t.2.f16.npy && cmp %t.bf16.npy %t.2.bf16.npy
// RUN: weavec -O2 --llvm-opt=0 --target-cpu=x86-64-v3 %s -o %t && %t --half %t.3.f16.npy --brain %t.3.bf16.npy
// RUN: cmp %t.f16.npy %t.3.f16.npy && cmp %t.bf16.npy %t.3.bf16.npy

// Functions of floats of 16 bits have the same bits one by one, vectorised, and
// without LLVM's optimiser. The results' bits are mixed, so that each of them counts.
#id = affine_map<(d0) -> (d0)>

func.func private @mix_half(%h: i16, %y: f16) -> i16 {
  %c31 = arith.constant 31 : i16
  %nan = arith.cmpf uno, %y, %y : f16
  %bits = arith.bitcast %y : f16 to i16
  %a = arith.select %nan, %c31, %bits : i16
  %b = arith.muli %h, %c31 : i16
  %c = arith.addi %a, %b : i16
  return %c : i16
}
func.func private @half() -> tensor<1003xi16> {
  %e = tensor.empty() : tensor<1003xi16>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<1003xi16>) {
  ^bb0(%o: i16):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f16
    %middle = arith.constant 200.0 : f16
    %step = arith.constant 0.00390625 : f16
    %d = arith.subf %k, %middle : f16
    %x = arith.mulf %d, %step : f16
    %z = arith.constant 0.703125 : f16
    %h0 = arith.constant 0 : i16
    %acos = math.acos %x : f16
    %h1 = func.call @mix_half(%h0, %acos) : (i16, f16) -> i16
    %acosh = math.acosh %x : f16
    %h2 = func.call @mix_half(%h1, %acosh) : (i16, f16) -> i16
    %asin = math.asin %x : f16
    %h3 = func.call @mix_half(%h2, %asin) : (i16, f16) -> i16
    %asinh = math.asinh %x : f16
    %h4 = func.call @mix_half(%h3, %asinh) : (i16, f16) -> i16
    %atan = math.atan %x : f16
    %h5 = func.call @mix_half(%h4, %atan) : (i16, f16) -> i16
    %atanh = math.atanh %x : f16
    %h6 = func.call @mix_half(%h5, %atanh) : (i16, f16) -> i16
    %cbrt = math.cbrt %x : f16
    %h7 = func.call @mix_half(%h6, %cbrt) : (i16, f16) -> i16
    %cos = math.cos %x : f16
    %h8 = func.call @mix_half(%h7, %cos) : (i16, f16) -> i16
    %cosh = math.cosh %x : f16
    %h9 = func.call @mix_half(%h8, %cosh) : (i16, f16) -> i16
    %erf = math.erf %x : f16
    %h10 = func.call @mix_half(%h9, %erf) : (i16, f16) -> i16
    %erfc = math.erfc %x : f16
    %h11 = func.call @mix_half(%h10, %erfc) : (i16, f16) -> i16
    %exp = math.exp %x : f16
    %h12 = func.call @mix_half(%h11, %exp) : (i16, f16) -> i16
    %exp2 = math.exp2 %x : f16
    %h13 = func.call @mix_half(%h12, %exp2) : (i16, f16) -> i16
    %expm1 = math.expm1 %x : f16
    %h14 = func.call @mix_half(%h13, %expm1) : (i16, f16) -> i16
    %log = math.log %x : f16
    %h15 = func.call @mix_half(%h14, %log) : (i16, f16) -> i16
    %log10 = math.log10 %x : f16
    %h16 = func.call @mix_half(%h15, %log10) : (i16, f16) -> i16
    %log1p = math.log1p %x : f16
    %h17 = func.call @mix_half(%h16, %log1p) : (i16, f16) -> i16
    %log2 = math.log2 %x : f16
    %h18 = func.call @mix_half(%h17, %log2) : (i16, f16) -> i16
    %rsqrt = math.rsqrt %x : f16
    %h19 = func.call @mix_half(%h18, %rsqrt) : (i16, f16) -> i16
    %sin = math.sin %x : f16
    %h20 = func.call @mix_half(%h19, %sin) : (i16, f16) -> i16
    %sinh = math.sinh %x : f16
    %h21 = func.call @mix_half(%h20, %sinh) : (i16, f16) -> i16
    %tan = math.tan %x : f16
    %h22 = func.call @mix_half(%h21, %tan) : (i16, f16) -> i16
    %tanh = math.tanh %x : f16
    %h23 = func.call @mix_half(%h22, %tanh) : (i16, f16) -> i16
    %atan2 = math.atan2 %x, %z : f16
    %h24 = func.call @mix_half(%h23, %atan2) : (i16, f16) -> i16
    %powf = math.powf %x, %z : f16
    %h25 = func.call @mix_half(%h24, %powf) : (i16, f16) -> i16
    %seven = arith.constant 7 : i32
    %fpowi = math.fpowi %x, %seven : f16, i32
    %h26 = func.call @mix_half(%h25, %fpowi) : (i16, f16) -> i16
    linalg.yield %h26 : i16
  } -> tensor<1003xi16>
  return %r : tensor<1003xi16>
}

func.func private @mix_brain(%h: i16, %y: bf16) -> i16 {
  %c31 = arith.constant 31 : i16
  %nan = arith.cmpf uno, %y, %y : bf16
  %bits = arith.bitcast %y : bf16 to i16
  %a = arith.select %nan, %c31, %bits : i16
  %b = arith.muli %h, %c31 : i16
  %c = arith.addi %a, %b : i16
  return %c : i16
}
func.func private @brain() -> tensor<1003xi16> {
  %e = tensor.empty() : tensor<1003xi16>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<1003xi16>) {
  ^bb0(%o: i16):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to bf16
    %middle = arith.constant 200.0 : bf16
    %step = arith.constant 0.00390625 : bf16
    %d = arith.subf %k, %middle : bf16
    %x = arith.mulf %d, %step : bf16
    %z = arith.constant 0.703125 : bf16
    %h0 = arith.constant 0 : i16
    %acos = math.acos %x : bf16
    %h1 = func.call @mix_brain(%h0, %acos) : (i16, bf16) -> i16
    %acosh = math.acosh %x : bf16
    %h2 = func.call @mix_brain(%h1, %acosh) : (i16, bf16) -> i16
    %asin = math.asin %x : bf16
    %h3 = func.call @mix_brain(%h2, %asin) : (i16, bf16) -> i16
    %asinh = math.asinh %x : bf16
    %h4 = func.call @mix_brain(%h3, %asinh) : (i16, bf16) -> i16
    %atan = math.atan %x : bf16
    %h5 = func.call @mix_brain(%h4, %atan) : (i16, bf16) -> i16
    %atanh = math.atanh %x : bf16
    %h6 = func.call @mix_brain(%h5, %atanh) : (i16, bf16) -> i16
    %cbrt = math.cbrt %x : bf16
    %h7 = func.call @mix_brain(%h6, %cbrt) : (i16, bf16) -> i16
    %cos = math.cos %x : bf16
    %h8 = func.call @mix_brain(%h7, %cos) : (i16, bf16) -> i16
    %cosh = math.cosh %x : bf16
    %h9 = func.call @mix_brain(%h8, %cosh) : (i16, bf16) -> i16
    %erf = math.erf %x : bf16
    %h10 = func.call @mix_brain(%h9, %erf) : (i16, bf16) -> i16
    %erfc = math.erfc %x : bf16
    %h11 = func.call @mix_brain(%h10, %erfc) : (i16, bf16) -> i16
    %exp = math.exp %x : bf16
    %h12 = func.call @mix_brain(%h11, %exp) : (i16, bf16) -> i16
    %exp2 = math.exp2 %x : bf16
    %h13 = func.call @mix_brain(%h12, %exp2) : (i16, bf16) -> i16
    %expm1 = math.expm1 %x : bf16
    %h14 = func.call @mix_brain(%h13, %expm1) : (i16, bf16) -> i16
    %log = math.log %x : bf16
    %h15 = func.call @mix_brain(%h14, %log) : (i16, bf16) -> i16
    %log10 = math.log10 %x : bf16
    %h16 = func.call @mix_brain(%h15, %log10) : (i16, bf16) -> i16
    %log1p = math.log1p %x : bf16
    %h17 = func.call @mix_brain(%h16, %log1p) : (i16, bf16) -> i16
    %log2 = math.log2 %x : bf16
    %h18 = func.call @mix_brain(%h17, %log2) : (i16, bf16) -> i16
    %rsqrt = math.rsqrt %x : bf16
    %h19 = func.call @mix_brain(%h18, %rsqrt) : (i16, bf16) -> i16
    %sin = math.sin %x : bf16
    %h20 = func.call @mix_brain(%h19, %sin) : (i16, bf16) -> i16
    %sinh = math.sinh %x : bf16
    %h21 = func.call @mix_brain(%h20, %sinh) : (i16, bf16) -> i16
    %tan = math.tan %x : bf16
    %h22 = func.call @mix_brain(%h21, %tan) : (i16, bf16) -> i16
    %tanh = math.tanh %x : bf16
    %h23 = func.call @mix_brain(%h22, %tanh) : (i16, bf16) -> i16
    %atan2 = math.atan2 %x, %z : bf16
    %h24 = func.call @mix_brain(%h23, %atan2) : (i16, bf16) -> i16
    %powf = math.powf %x, %z : bf16
    %h25 = func.call @mix_brain(%h24, %powf) : (i16, bf16) -> i16
    %seven = arith.constant 7 : i32
    %fpowi = math.fpowi %x, %seven : bf16, i32
    %h26 = func.call @mix_brain(%h25, %fpowi) : (i16, bf16) -> i16
    linalg.yield %h26 : i16
  } -> tensor<1003xi16>
  return %r : tensor<1003xi16>
}

func.func @main() -> (tensor<1003xi16> {weave.name = "half"}, tensor<1003xi16> {weave.name = "brain"}) {
  %half = func.call @half() : () -> tensor<1003xi16>
  %brain = func.call @brain() : () -> tensor<1003xi16>
  return %half, %brain : tensor<1003xi16>, tensor<1003xi16>
}
