// SPDX-License-Identifier: Apache-2.0
//
// weave-split-collectives: splits maps at the collectives in them, so that no
// lane ever waits for another.

#include "MapSplitter.h"

#include "scanweave/Analysis/LaneVariance.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace scanweave {
#define GEN_PASS_DEF_SPLITCOLLECTIVES
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

/// Where lanes may differ at a collective: those of its own axis, or those of
/// the map between it and its axis.
static StringRef describeLanes(Operation *collective, MapOpInterface map) {
  return getCollectiveAxis(collective) == map.getAxis()
             ? "lanes of its axis"
             : "lanes of a map inside its axis";
}

/// Checks that all lanes of `map` reach `collective` equally often, as far as
/// `op` around it decides.
static LogicalResult verifyAround(Operation *op, Operation *collective,
                                  MapOpInterface map,
                                  const LaneVariance &variance) {
  auto refuse = [&](const Twine &problem, const Twine &note) {
    InFlightDiagnostic diagnostic = collective->emitOpError() << problem;
    diagnostic.attachNote(op->getLoc()) << note;
    return diagnostic;
  };
  StringRef lanes = describeLanes(collective, map);
  auto verifyLoop = [&](ValueRange bounds) -> LogicalResult {
    for (Value bound : bounds)
      if (bound && variance.isVarying(bound))
        return refuse("cannot run in a loop whose number of steps differs "
                      "between " +
                          lanes,
                      "the loop is here");
    return success();
  };
  auto verifyCondition = [&](Value condition) -> LogicalResult {
    if (variance.isVarying(condition))
      return refuse("cannot run under a condition that differs between " +
                        lanes,
                    "the condition is here");
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ScanOp scan) -> LogicalResult {
        if (scan.getFirst() || !scan.getDests().empty())
          return scan.emitOpError()
                 << "is partitioned already; weave-split-collectives has to "
                    "run before weave-hoist-partition";
        return verifyLoop(scan.getLength());
      })
      .Case([&](scf::ForOp loop) {
        return verifyLoop(
            {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      })
      .Case([&](scf::IfOp conditional) {
        return verifyCondition(conditional.getCondition());
      })
      .Case([&](scf::WhileOp loop) {
        return verifyCondition(loop.getConditionOp().getCondition());
      })
      .Default([&](Operation *) -> LogicalResult {
        return refuse("cannot run inside '" + op->getName().getStringRef() +
                          "'; a map can be split at collectives in scans, "
                          "maps, scf.for, scf.if and scf.while",
                      "the region is here");
      });
}

static LogicalResult verifyControlFlow(MapOpInterface map) {
  LaneVariance variance(map);
  WalkResult result = map->walk([&](Operation *collective) {
    if (!isCollective(collective))
      return WalkResult::advance();
    for (Operation *op = collective->getParentOp(); op != map;
         op = op->getParentOp())
      if (failed(verifyAround(op, collective, map, variance)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
class SplitCollectives final
    : public scanweave::impl::SplitCollectivesBase<SplitCollectives> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<MapOpInterface> maps;
    SmallVector<AxisSizeOp> sizes;
    // Inner maps come first: they leave the collectives over outer axes to the
    // outer map's body.
    getOperation()->walk([&](Operation *op) {
      if (auto map = dyn_cast<MapOpInterface>(op))
        maps.push_back(map);
      else if (auto size = dyn_cast<AxisSizeOp>(op))
        sizes.push_back(size);
    });
    for (AxisSizeOp size : sizes) {
      auto map = cast<MapOpInterface>(
          cast<BlockArgument>(size.getAxis()).getOwner()->getParentOp());
      rewriter.setInsertionPoint(map);
      rewriter.replaceOp(size, buildLaneCount(rewriter, map));
    }
    for (MapOpInterface map : maps) {
      if (!hasCollective(map))
        continue;
      if (failed(verifyControlFlow(map)) ||
          failed(MapSplitter(rewriter, map).split()))
        return signalPassFailure();
    }
  }
};
} // namespace
