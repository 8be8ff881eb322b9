// SPDX-License-Identifier: Apache-2.0
//
// weave-infer-placement: writes down, as attributes, how values live across
// workers. The hoist reads nothing else, so a test or a person can change them.

#include "scanweave/Analysis/Placement.h"
#include "scanweave/Analysis/Report.h"
#include "scanweave/Analysis/Roots.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

namespace scanweave {
#define GEN_PASS_DEF_INFERPLACEMENT
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

class InferPlacement final
    : public scanweave::impl::InferPlacementBase<InferPlacement> {
  using Base::Base;

  void runOnOperation() override {
    for (const Root &root : findRoots(getOperation()))
      annotate(root);
  }

  /// Annotates the maps and scans of the root, and all ops of which a worker
  /// computes a part.
  void annotate(const Root &root) {
    PlacementAnalysis analysis(root);
    for (Operation *op : root.getOps())
      annotateOp(op, analysis, /*always=*/isa<ScanOp, PMapOp>(op));
    for (auto [map, obstacle] : analysis.getUnpartitioned()) {
      map->setAttr(reasonAttrName,
                   StringAttr::get(map->getContext(),
                                   "it is inside of '" +
                                       obstacle->getName().getStringRef() +
                                       "', so every worker runs all lanes"));
      InFlightDiagnostic remark =
          map->emitRemark() << "not partitioned: every worker runs all lanes";
      remark.attachNote(obstacle->getLoc())
          << "since it is inside of '" << obstacle->getName() << "'";
    }
  }

  void annotateOp(Operation *op, PlacementAnalysis &analysis, bool always) {
    MLIRContext *context = op->getContext();
    const Cut *cut = analysis.getCut(op);
    bool isPartial = cut && cut->isPartial, any = always || isPartial;
    SmallVector<Attribute> placements;
    for (Value result : op->getResults()) {
      Placement placement = analysis.get(result);
      any |= placement.isSharded();
      placements.push_back(
          placement.isSharded()
              ? PlacementAttr::sharded(context, placement.getDim())
          : isPartial ? PlacementAttr::partial(context)
                      : PlacementAttr::replicated(context));
    }
    if (any)
      op->setAttr(placementAttrName, ArrayAttr::get(context, placements));
    if (auto scan = dyn_cast<ScanOp>(op))
      for (Operation &inner : scan.getBody()->without_terminator())
        annotateOp(&inner, analysis, /*always=*/false);
  }
};

} // namespace
