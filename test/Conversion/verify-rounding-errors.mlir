// RUN: weave-opt %s -split-input-file -verify-diagnostics -weave-verify-rounding

llvm.func @flags(%a: f32) -> f32 {
  // expected-error @below {{'llvm.fadd' op has the fast-math flags 'contract', with which LLVM chooses the rounding}}
  %0 = llvm.fadd %a, %a {fastmathFlags = #llvm.fastmath<contract>} : f32
  // All are reported, not only the first.
  // expected-error @below {{'llvm.fmul' op has the fast-math flags 'nnan, ninf', with which LLVM chooses the rounding}}
  %1 = llvm.fmul %0, %a {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32
  llvm.return %1 : f32
}

// -----

llvm.func @fmuladd(%a: f32) -> f32 {
  // expected-error @below {{'llvm.intr.fmuladd' op rounds once or twice as the target likes; use math.fma instead of vector.fma or vector.contract}}
  %0 = llvm.intr.fmuladd(%a, %a, %a) : (f32, f32, f32) -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @unordered(%a: f32, %v: vector<8xf32>) -> f32 {
  // expected-error @below {{'llvm.intr.vector.reduce.fadd' op has the fast-math flags 'reassoc', with which LLVM chooses the rounding}}
  %0 = "llvm.intr.vector.reduce.fadd"(%a, %v) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<8xf32>) -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @intrinsics(%a: f32, %v: vector<4xf64>) -> f32 {
  // expected-error @below {{'llvm.intr.exp' op has no result that is fixed to the bit; expand it before}}
  %0 = llvm.intr.exp(%a) : (f32) -> f32
  // expected-error @below {{'llvm.intr.sin' op has no result that is fixed to the bit; expand it before}}
  %1 = llvm.intr.sin(%v) : (vector<4xf64>) -> vector<4xf64>
  // The sign of zero is open.
  // expected-error @below {{'llvm.intr.maxnum' op has no result that is fixed to the bit; expand it before}}
  %2 = llvm.intr.maxnum(%0, %a) : (f32, f32) -> f32
  // expected-error @below {{'llvm.call_intrinsic' op calls 'llvm.canonicalize.f32', of which nothing is known here}}
  %3 = llvm.call_intrinsic "llvm.canonicalize.f32"(%a) : (f32) -> f32
  llvm.return %3 : f32
}

// -----

llvm.func @expf(f32) -> f32
llvm.func @pow(f64, f64) -> f64
llvm.func @libm(%a: f32, %b: f64) -> f32 {
  // expected-error @below {{'llvm.call' op calls libm's 'pow', whose rounding differs between machines; run weave-expand-math before}}
  %0 = llvm.call @pow(%b, %b) : (f64, f64) -> f64
  // expected-error @below {{'llvm.call' op calls libm's 'expf', whose rounding differs between machines; run weave-expand-math before}}
  %1 = llvm.call @expf(%a) : (f32) -> f32
  llvm.return %1 : f32
}

// -----

func.func @math(%a: f32) -> f32 {
  // expected-error @below {{'math.tanh' op is left; its rounding is not decided: run weave-expand-math and convert-math-to-llvm before weave-verify-rounding}}
  %0 = math.tanh %a : f32
  return %0 : f32
}

// -----

// expected-error @below {{'llvm.func' op has the attribute 'no_nans_fp_math', with which LLVM chooses the rounding}}
llvm.func @attribute(%a: f32) -> f32 attributes {no_nans_fp_math = true} {
  llvm.return %a : f32
}
