// SPDX-License-Identifier: Apache-2.0
//
// Passes over the weave dialect, in the order in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerScan : Pass<"weave-lower-scan"> {
  let summary = "lower weave.scan to scf.for";
  let description = [{
    Each scan becomes an `scf.for` over its steps. Stacked outputs are written
    in place, one step at a time, into their destination.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD
