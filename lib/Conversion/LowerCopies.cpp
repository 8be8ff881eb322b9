// SPDX-License-Identifier: Apache-2.0
//
// weave-lower-copies: copies become loops of our own.

#include "scanweave/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_LOWERCOPIES
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;

namespace {
class LowerCopies final : public scanweave::impl::LowerCopiesBase<LowerCopies> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](memref::CopyOp copy) {
      rewriter.setInsertionPoint(copy);
      rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                  copy.getTarget());
    });
  }
};
} // namespace
