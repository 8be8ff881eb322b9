// SPDX-License-Identifier: Apache-2.0
//
// weave-hoist-partition: moves the partitioning over workers out of scans.
// Each outermost scan or pmap becomes one spmd region in which every worker
// runs it on its own lanes.

#include "Localizer.h"

#include "scanweave/Analysis/Report.h"
#include "scanweave/Analysis/Roots.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"
#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_HOISTPARTITION
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Builds the spmd region of one root.
class Hoist {
public:
  explicit Hoist(const Root &root)
      : root(root), builder(root.back()), loc(root.front()->getLoc()) {
    builder.setInsertionPointAfter(root.back());
  }

  LogicalResult run() {
    for (Operation *op : root.getOps())
      op->walk([&](ScanOp scan) {
        if (!root.isDirect(scan))
          gatherUnknown(scan);
      });
    auto scan = dyn_cast<ScanOp>(root.front());
    return scan ? hoistScan(scan) : hoistMaps();
  }

private:
  /// A stacked output of an inner scan, the extent of whose cut dimension is
  /// only known in that scan, is stacked whole.
  void gatherUnknown(ScanOp scan) {
    auto attribute = scan->getAttrOfType<ArrayAttr>(placementAttrName);
    if (!attribute)
      return;
    OpBuilder before(scan);
    SmallVector<Attribute> placements(attribute.getValue());
    for (unsigned i = scan.getNumCarries(); i < scan->getNumResults(); ++i)
      if (std::optional<int64_t> dim = placedDim(scan, i);
          dim && !extentOutside(scan.getResult(i), *dim, Root(scan), before))
        placements[i] = PlacementAttr::replicated(scan.getContext());
    scan->setAttr(placementAttrName, before.getArrayAttr(placements));
  }

  /// Leaves the root as it is and says why.
  LogicalResult refuse(const Twine &reason) {
    root.front()->setAttr(reasonAttrName, builder.getStringAttr(reason));
    root.front()->emitRemark() << "not partitioned: " << reason;
    return failure();
  }

  /// An uninitialised tensor of a result's type and extents.
  FailureOr<Value> emptyLike(Value result) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      type = RankedTensorType::get({}, result.getType());
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      sizes.push_back(extentOutside(result, dim, root, builder));
      if (!sizes.back())
        return refuse("the extent of dimension " + Twine(dim) +
                      " of a result is not known before the first step");
    }
    return tensor::EmptyOp::create(builder, loc, sizes, type.getElementType())
        .getResult();
  }

  //===-- Maps ------------------------------------------------------------===//

  LogicalResult hoistMaps() {
    auto isOutside = [&](OpOperand &use) {
      return !root.contains(use.getOwner());
    };
    SmallVector<Value> escaping, inits;
    for (Operation *op : root.getOps())
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUses(), isOutside)) {
          FailureOr<Value> init = emptyLike(result);
          if (failed(init))
            return failure();
          escaping.push_back(result);
          inits.push_back(*init);
        }
    auto spmd = SpmdOp::create(builder, loc, Value(), inits);
    moveUsersAfter(spmd);
    builder.setInsertionPointToEnd(spmd.getBody());
    Localizer localizer(builder, spmd.getTeam());
    for (Operation *op : root.getOps())
      localizer.localize(op);
    SmallVector<Value> values;
    SmallVector<Attribute> placements;
    for (Value value : escaping) {
      const Local &local = localizer.get(value);
      values.push_back(box(local.value));
      placements.push_back(
          local.dim ? PlacementAttr::sharded(builder.getContext(), *local.dim)
                    : PlacementAttr::replicated(builder.getContext()));
    }
    FinishOp::create(builder, loc, values, builder.getArrayAttr(placements));
    builder.setInsertionPointAfter(spmd);
    for (auto [value, result] : llvm::zip_equal(escaping, spmd.getResults()))
      value.replaceUsesWithIf(unbox(result, value.getType()), isOutside);
    for (Operation *op : llvm::reverse(root.getOps()))
      op->erase();
    return success();
  }

  /// Ops between the root's ops that use its results, which none of its ops
  /// uses, follow the region.
  void moveUsersAfter(SpmdOp spmd) {
    SmallVector<Operation *> users;
    auto isLate = [&](Value operand) {
      Operation *op = operand.getDefiningOp();
      return op && (root.isDirect(op) || llvm::is_contained(users, op));
    };
    for (Operation *op = root.front(); op != spmd; op = op->getNextNode()) {
      if (root.isDirect(op))
        continue;
      bool late = false;
      op->walk([&](Operation *inner) {
        late |= llvm::any_of(inner->getOperands(), isLate);
      });
      if (late)
        users.push_back(op);
    }
    for (Operation *op : llvm::reverse(users))
      op->moveAfter(spmd);
  }

  //===-- Scans -----------------------------------------------------------===//

  /// Scalars travel in and out of the region as tensors of rank 0.
  Value box(Value value) {
    if (isa<RankedTensorType>(value.getType()))
      return value;
    return tensor::FromElementsOp::create(
        builder, loc, RankedTensorType::get({}, value.getType()), value);
  }
  Value unbox(Value value, Type type) {
    if (isa<RankedTensorType>(type))
      return value;
    return tensor::ExtractOp::create(builder, loc, value, ValueRange());
  }

  Value numberOfSteps(ScanOp scan) {
    if (scan.getLength())
      return scan.getLength();
    OpFoldResult steps = extentOutside(scan.getXs().front(), 0, root, builder);
    return getValueOrCreateConstantIndexOp(builder, loc, steps);
  }

  /// Only the region needs keys that only the scan takes: made in it, each
  /// step's can be drawn when it is needed.
  void sinkDraws(ScanOp scan, Localizer &localizer) {
    for (Value x : scan.getXs()) {
      Operation *op = x.getDefiningOp();
      if (op && isDraw(op) && x.hasOneUse())
        localizer.localize(op);
    }
  }

  LogicalResult hoistScan(ScanOp scan) {
    unsigned carries = scan.getNumCarries();
    SmallVector<Value> inits;
    for (Value init : scan.getInits())
      inits.push_back(box(init));
    for (Value result : scan.getStacked()) {
      FailureOr<Value> dest = emptyLike(result);
      if (failed(dest))
        return failure();
      inits.push_back(*dest);
    }
    auto spmd = SpmdOp::create(builder, loc, numberOfSteps(scan), inits);
    builder.setInsertionPointToEnd(spmd.getBody());
    Localizer localizer(builder, spmd.getTeam());
    sinkDraws(scan, localizer);

    SmallVector<Local> locals;
    for (auto [i, init] : llvm::enumerate(scan.getInits())) {
      Value argument = spmd.getInitArgs()[i];
      std::optional<int64_t> dim = placedDim(scan, i);
      if (!dim) {
        locals.push_back(
            {unbox(argument, init.getType()), std::nullopt, Value()});
        continue;
      }
      Value extent = tensor::DimOp::create(builder, loc, argument, *dim);
      locals.push_back({localizer.slice(argument, *dim, extent), dim, extent});
    }
    Localizer::Destinations destinations =
        makeDestinations(scan, spmd, localizer);
    ScanOp local = localizer.localizeScan(scan, locals, &destinations);

    SmallVector<Value> values;
    SmallVector<Attribute> placements;
    MLIRContext *context = scan.getContext();
    for (unsigned i = 0; i < carries; ++i) {
      std::optional<int64_t> dim = placedDim(scan, i);
      values.push_back(box(local.getResult(i)));
      placements.push_back(dim ? PlacementAttr::sharded(context, *dim)
                               : PlacementAttr::replicated(context));
    }
    for (unsigned i = carries; i < scan->getNumResults(); ++i) {
      values.push_back(putBack(scan, spmd, local, i));
      placements.push_back(PlacementAttr::inPlace(context));
    }
    FinishOp::create(builder, loc, values, builder.getArrayAttr(placements));

    builder.setInsertionPointAfter(spmd);
    for (auto [global, result] :
         llvm::zip_equal(scan.getResults(), spmd.getResults()))
      global.replaceAllUsesWith(unbox(result, global.getType()));
    scan.erase();
    return success();
  }

  /// Replicated outputs are stored by worker 0; of the others each worker
  /// stores its part.
  Localizer::Destinations makeDestinations(ScanOp scan, SpmdOp spmd,
                                           Localizer &localizer) {
    Localizer::Destinations destinations{
        spmd.getFirst(), spmd.getLast(), {}, {}, {}};
    if (!scan.getNumStacked())
      return destinations;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value worker =
        WorkerOp::create(builder, loc, builder.getIndexType(), spmd.getTeam());
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, worker, zero);
    Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
    for (unsigned i = scan.getNumCarries(); i < scan->getNumResults(); ++i) {
      Value argument = spmd.getInitArgs()[i];
      std::optional<int64_t> dim = placedDim(scan, i);
      Value dest = argument, extent;
      if (dim) {
        extent = tensor::DimOp::create(builder, loc, argument, *dim);
        dest = localizer.slice(argument, *dim, extent);
      }
      destinations.extents.push_back(extent);
      destinations.dests.push_back(dest);
      destinations.storeIf.push_back(dim ? always : isFirst);
    }
    return destinations;
  }

  /// A part of a stacked output goes back to where its slice came from.
  Value putBack(ScanOp scan, SpmdOp spmd, ScanOp local, unsigned i) {
    Value value = local.getResult(i);
    if (!placedDim(scan, i))
      return value;
    Value dest = local.getDests()[i - scan.getNumCarries()];
    auto slice = dest.getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice) // It has no elements.
      return spmd.getInitArgs()[i];
    return createInsertSlice(builder, loc, value, spmd.getInitArgs()[i],
                             slice.getMixedOffsets(), slice.getMixedSizes(),
                             slice.getMixedStrides());
  }

  const Root &root;
  OpBuilder builder;
  Location loc;
};

class HoistPartition final
    : public scanweave::impl::HoistPartitionBase<HoistPartition> {
  using Base::Base;

  void runOnOperation() override {
    for (const Root &root : findRoots(getOperation())) {
      for (Operation *op : root.getOps())
        if (isa<ScanOp, PMapOp>(op) && !op->hasAttr(placementAttrName)) {
          op->emitError() << "has no placement: run weave-infer-placement "
                             "before weave-hoist-partition";
          return signalPassFailure();
        }
      // A root that can't be hoisted stays: the general path lowers it.
      (void)Hoist(root).run();
    }
    getOperation()->walk(
        [](Operation *op) { op->removeAttr(placementAttrName); });
  }
};

} // namespace
