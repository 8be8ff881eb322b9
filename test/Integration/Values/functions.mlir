// REQUIRES: weavec
// RUN: weavec -O0 %s -o %t && %t --single %t.f32.npy --double %t.f64.npy --half %t.f16.npy --brain %t.bf16.npy
// RUN: weavec -O2 %s -o %t && %t --single %t.2.f32.npy --double %t.2.f64.npy --half %t.2.f16.npy --brain %t.2.bf16.npy
// RUN: cmp %t.f32.npy %t.2.f32.npy && cmp %t.f64.npy %t.2.f64.npy && cmp %t.f16.npy %t.2.f16.npy && cmp %t.bf16.npy %t.2.bf16.npy
// RUN: weavec -O2 --llvm-opt=0 --target-cpu=x86-64-v3 %s -o %t && %t --single %t.3.f32.npy --double %t.3.f64.npy --half %t.3.f16.npy --brain %t.3.bf16.npy
// RUN: cmp %t.f32.npy %t.3.f32.npy && cmp %t.f64.npy %t.3.f64.npy && cmp %t.f16.npy %t.3.f16.npy && cmp %t.bf16.npy %t.3.bf16.npy

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
    %cos = math.cos %x : f32
    %h1 = func.call @mix_single(%h0, %cos) : (i32, f32) -> i32
    %cosh = math.cosh %x : f32
    %h2 = func.call @mix_single(%h1, %cosh) : (i32, f32) -> i32
    %exp = math.exp %x : f32
    %h3 = func.call @mix_single(%h2, %exp) : (i32, f32) -> i32
    %exp2 = math.exp2 %x : f32
    %h4 = func.call @mix_single(%h3, %exp2) : (i32, f32) -> i32
    %expm1 = math.expm1 %x : f32
    %h5 = func.call @mix_single(%h4, %expm1) : (i32, f32) -> i32
    %log = math.log %x : f32
    %h6 = func.call @mix_single(%h5, %log) : (i32, f32) -> i32
    %log10 = math.log10 %x : f32
    %h7 = func.call @mix_single(%h6, %log10) : (i32, f32) -> i32
    %log1p = math.log1p %x : f32
    %h8 = func.call @mix_single(%h7, %log1p) : (i32, f32) -> i32
    %log2 = math.log2 %x : f32
    %h9 = func.call @mix_single(%h8, %log2) : (i32, f32) -> i32
    %rsqrt = math.rsqrt %x : f32
    %h10 = func.call @mix_single(%h9, %rsqrt) : (i32, f32) -> i32
    %sin = math.sin %x : f32
    %h11 = func.call @mix_single(%h10, %sin) : (i32, f32) -> i32
    %sinh = math.sinh %x : f32
    %h12 = func.call @mix_single(%h11, %sinh) : (i32, f32) -> i32
    %tan = math.tan %x : f32
    %h13 = func.call @mix_single(%h12, %tan) : (i32, f32) -> i32
    %tanh = math.tanh %x : f32
    %h14 = func.call @mix_single(%h13, %tanh) : (i32, f32) -> i32
    linalg.yield %h14 : i32
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
    %cos = math.cos %x : f64
    %h1 = func.call @mix_double(%h0, %cos) : (i64, f64) -> i64
    %cosh = math.cosh %x : f64
    %h2 = func.call @mix_double(%h1, %cosh) : (i64, f64) -> i64
    %exp = math.exp %x : f64
    %h3 = func.call @mix_double(%h2, %exp) : (i64, f64) -> i64
    %exp2 = math.exp2 %x : f64
    %h4 = func.call @mix_double(%h3, %exp2) : (i64, f64) -> i64
    %expm1 = math.expm1 %x : f64
    %h5 = func.call @mix_double(%h4, %expm1) : (i64, f64) -> i64
    %log = math.log %x : f64
    %h6 = func.call @mix_double(%h5, %log) : (i64, f64) -> i64
    %log10 = math.log10 %x : f64
    %h7 = func.call @mix_double(%h6, %log10) : (i64, f64) -> i64
    %log1p = math.log1p %x : f64
    %h8 = func.call @mix_double(%h7, %log1p) : (i64, f64) -> i64
    %log2 = math.log2 %x : f64
    %h9 = func.call @mix_double(%h8, %log2) : (i64, f64) -> i64
    %rsqrt = math.rsqrt %x : f64
    %h10 = func.call @mix_double(%h9, %rsqrt) : (i64, f64) -> i64
    %sin = math.sin %x : f64
    %h11 = func.call @mix_double(%h10, %sin) : (i64, f64) -> i64
    %sinh = math.sinh %x : f64
    %h12 = func.call @mix_double(%h11, %sinh) : (i64, f64) -> i64
    %tan = math.tan %x : f64
    %h13 = func.call @mix_double(%h12, %tan) : (i64, f64) -> i64
    %tanh = math.tanh %x : f64
    %h14 = func.call @mix_double(%h13, %tanh) : (i64, f64) -> i64
    linalg.yield %h14 : i64
  } -> tensor<1003xi64>
  return %r : tensor<1003xi64>
}

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
    %cos = math.cos %x : f16
    %h1 = func.call @mix_half(%h0, %cos) : (i16, f16) -> i16
    %cosh = math.cosh %x : f16
    %h2 = func.call @mix_half(%h1, %cosh) : (i16, f16) -> i16
    %exp = math.exp %x : f16
    %h3 = func.call @mix_half(%h2, %exp) : (i16, f16) -> i16
    %exp2 = math.exp2 %x : f16
    %h4 = func.call @mix_half(%h3, %exp2) : (i16, f16) -> i16
    %expm1 = math.expm1 %x : f16
    %h5 = func.call @mix_half(%h4, %expm1) : (i16, f16) -> i16
    %log = math.log %x : f16
    %h6 = func.call @mix_half(%h5, %log) : (i16, f16) -> i16
    %log10 = math.log10 %x : f16
    %h7 = func.call @mix_half(%h6, %log10) : (i16, f16) -> i16
    %log1p = math.log1p %x : f16
    %h8 = func.call @mix_half(%h7, %log1p) : (i16, f16) -> i16
    %log2 = math.log2 %x : f16
    %h9 = func.call @mix_half(%h8, %log2) : (i16, f16) -> i16
    %rsqrt = math.rsqrt %x : f16
    %h10 = func.call @mix_half(%h9, %rsqrt) : (i16, f16) -> i16
    %sin = math.sin %x : f16
    %h11 = func.call @mix_half(%h10, %sin) : (i16, f16) -> i16
    %sinh = math.sinh %x : f16
    %h12 = func.call @mix_half(%h11, %sinh) : (i16, f16) -> i16
    %tan = math.tan %x : f16
    %h13 = func.call @mix_half(%h12, %tan) : (i16, f16) -> i16
    %tanh = math.tanh %x : f16
    %h14 = func.call @mix_half(%h13, %tanh) : (i16, f16) -> i16
    linalg.yield %h14 : i16
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
    %cos = math.cos %x : bf16
    %h1 = func.call @mix_brain(%h0, %cos) : (i16, bf16) -> i16
    %cosh = math.cosh %x : bf16
    %h2 = func.call @mix_brain(%h1, %cosh) : (i16, bf16) -> i16
    %exp = math.exp %x : bf16
    %h3 = func.call @mix_brain(%h2, %exp) : (i16, bf16) -> i16
    %exp2 = math.exp2 %x : bf16
    %h4 = func.call @mix_brain(%h3, %exp2) : (i16, bf16) -> i16
    %expm1 = math.expm1 %x : bf16
    %h5 = func.call @mix_brain(%h4, %expm1) : (i16, bf16) -> i16
    %log = math.log %x : bf16
    %h6 = func.call @mix_brain(%h5, %log) : (i16, bf16) -> i16
    %log10 = math.log10 %x : bf16
    %h7 = func.call @mix_brain(%h6, %log10) : (i16, bf16) -> i16
    %log1p = math.log1p %x : bf16
    %h8 = func.call @mix_brain(%h7, %log1p) : (i16, bf16) -> i16
    %log2 = math.log2 %x : bf16
    %h9 = func.call @mix_brain(%h8, %log2) : (i16, bf16) -> i16
    %rsqrt = math.rsqrt %x : bf16
    %h10 = func.call @mix_brain(%h9, %rsqrt) : (i16, bf16) -> i16
    %sin = math.sin %x : bf16
    %h11 = func.call @mix_brain(%h10, %sin) : (i16, bf16) -> i16
    %sinh = math.sinh %x : bf16
    %h12 = func.call @mix_brain(%h11, %sinh) : (i16, bf16) -> i16
    %tan = math.tan %x : bf16
    %h13 = func.call @mix_brain(%h12, %tan) : (i16, bf16) -> i16
    %tanh = math.tanh %x : bf16
    %h14 = func.call @mix_brain(%h13, %tanh) : (i16, bf16) -> i16
    linalg.yield %h14 : i16
  } -> tensor<1003xi16>
  return %r : tensor<1003xi16>
}

func.func @main() -> (tensor<1003xi32> {weave.name = "single"}, tensor<1003xi64> {weave.name = "double"},
                      tensor<1003xi16> {weave.name = "half"}, tensor<1003xi16> {weave.name = "brain"}) {
  %a = func.call @single() : () -> tensor<1003xi32>
  %b = func.call @double() : () -> tensor<1003xi64>
  %c = func.call @half() : () -> tensor<1003xi16>
  %d = func.call @brain() : () -> tensor<1003xi16>
  return %a, %b, %c, %d : tensor<1003xi32>, tensor<1003xi64>, tensor<1003xi16>, tensor<1003xi16>
}
