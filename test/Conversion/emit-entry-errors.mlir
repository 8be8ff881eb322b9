// RUN: weave-opt %s --weave-emit-entry --split-input-file --verify-diagnostics

// expected-error @below {{the program has no variants: run weave-specialise-results before weave-emit-entry}}
module {
  func.func @main() {
    return
  }
}

// -----

module {
  // expected-error @below {{the program is on tensors: run one-shot-bufferize before weave-emit-entry}}
  func.func @main_variant_0(%a: tensor<3xf32> {weave.name = "a"}) attributes {weave.results = array<i64>} {
    return
  }
}
