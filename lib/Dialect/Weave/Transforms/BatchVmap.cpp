// SPDX-License-Identifier: Apache-2.0
//
// weave-batch-vmap: a vmap becomes operations on all of its lanes at once.

#include "scanweave/Dialect/Weave/Transforms/Batching.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace scanweave {
#define GEN_PASS_DEF_BATCHVMAP
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {
class BatchVmap final : public scanweave::impl::BatchVmapBase<BatchVmap> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerBatchingRules(registry);
  }

  void runOnOperation() override {
    // Inner vmaps first: what they become is batched with the rest of the outer
    // one's body.
    SmallVector<VMapOp> maps;
    getOperation()->walk([&](VMapOp map) { maps.push_back(map); });
    for (VMapOp map : maps) {
      if (failed(checkAxis(map)))
        return signalPassFailure();
      if (hasEffects(map))
        continue;
      OpBuilder builder(map);
      BatchAnalysis analysis(map);
      Batcher batcher(builder, map, analysis);
      FailureOr<SmallVector<Value>> results = batcher.batchMap(map);
      // What cannot be batched is a map still, and lowered as one.
      if (failed(results))
        continue;
      map->replaceAllUsesWith(*results);
      map.erase();
    }
  }

  static LogicalResult checkAxis(VMapOp map) {
    for (Operation *user : map.getBody()->getArgument(0).getUsers())
      if (!isa<AxisIndexOp, AxisSizeOp>(user))
        return user->emitError()
               << "'" << user->getName()
               << "' is a collective of a vmap; weave-split-collectives has to "
                  "run before weave-batch-vmap";
    return success();
  }

  /// Batching changes the order of what different lanes do.
  static bool hasEffects(VMapOp map) {
    WalkResult result = map.getBody()->walk([](Operation *op) {
      if (isMemoryEffectFree(op) || isa<CallOpInterface>(op) ||
          op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        return WalkResult::advance();
      op->emitRemark() << "the vmap runs lane by lane: '" << op->getName()
                       << "' has effects";
      return WalkResult::interrupt();
    });
    return result.wasInterrupted();
  }
};
} // namespace
