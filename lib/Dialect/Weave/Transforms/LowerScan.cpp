// SPDX-License-Identifier: Apache-2.0
//
// weave-lower-scan: scans become scf.for loops.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_LOWERSCAN
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {
class LowerScan final : public scanweave::impl::LowerScanBase<LowerScan> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
