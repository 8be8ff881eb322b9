// SPDX-License-Identifier: Apache-2.0
//
// weave-merge-slices: one value for equal slices of a tensor.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

namespace scanweave {
#define GEN_PASS_DEF_MERGESLICES
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

static bool areEqual(tensor::ExtractSliceOp a, tensor::ExtractSliceOp b) {
  return a.getOperands() == b.getOperands() && a.getType() == b.getType() &&
         a.getStaticOffsets() == b.getStaticOffsets() &&
         a.getStaticSizes() == b.getStaticSizes() &&
         a.getStaticStrides() == b.getStaticStrides();
}

namespace {
class MergeSlices final : public scanweave::impl::MergeSlicesBase<MergeSlices> {
  using Base::Base;

  void runOnOperation() override {
    DominanceInfo dominance(getOperation());
    // A slice's source may be a slice that has been merged before.
    llvm::DenseMap<Value, SmallVector<tensor::ExtractSliceOp>> slices;
    getOperation()->walk<WalkOrder::PreOrder>([&](tensor::ExtractSliceOp op) {
      SmallVector<tensor::ExtractSliceOp> &others = slices[op.getSource()];
      for (tensor::ExtractSliceOp other : others)
        if (areEqual(op, other) &&
            dominance.properlyDominates(other.getOperation(), op)) {
          op.replaceAllUsesWith(other.getResult());
          op.erase();
          return;
        }
      others.push_back(op);
    });
  }
};
} // namespace
