// SPDX-License-Identifier: Apache-2.0
//
// weave-lower-maps: pmaps and vmaps become loops over their lanes, one lane
// after the other. In an spmd region a pmap's lanes are the worker's own.

#include "scanweave/Analysis/Roots.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"
#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_LOWERMAPS
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Lowers one map.
class MapLowering {
public:
  MapLowering(MapOpInterface map, IRRewriter &rewriter)
      : map(map), rewriter(rewriter), loc(map->getLoc()) {}

  LogicalResult run() {
    rewriter.setInsertionPoint(map);
    Value lanes = numberOfLanes();
    SmallVector<Value> dests;
    if (failed(makeDestinations(lanes, dests)))
      return failure();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    auto loop =
        scf::ForOp::create(rewriter, loc, zero, lanes, one, dests,
                           [](OpBuilder &, Location, Value, ValueRange) {});
    if (failed(replaceAxis(loop.getInductionVar(), lanes)))
      return failure();
    moveBody(loop);
    rewriter.replaceOp(map, loop.getResults());
    return success();
  }

private:
  /// The input whose lanes the lanes of a result may replace one by one: of the
  /// same shape and not needed behind the map, such as the carry of which the
  /// map computes the next. Null where there is none.
  Value getReplaced(OpResult result, int64_t axis) {
    auto isFree = [&](Value input) {
      if (input.getParentBlock() != map->getBlock() ||
          llvm::is_contained(replaced, input))
        return false;
      // A value of its own, not a part of another one.
      if (auto argument = dyn_cast<BlockArgument>(input)) {
        auto scan = dyn_cast<ScanOp>(map->getParentOp());
        if (!scan || argument.getArgNumber() >= scan.getNumCarries())
          return false;
      } else if (!isa<scf::ForOp, MapOpInterface>(input.getDefiningOp())) {
        return false;
      }
      for (OpOperand &use : input.getUses()) {
        Operation *user =
            map->getBlock()->findAncestorOpInBlock(*use.getOwner());
        if (user == use.getOwner() && user == map)
          continue;
        // A scan stores what it stacks as soon as it is there.
        if (auto yield = dyn_cast<YieldOp>(user);
            yield && isa<ScanOp>(yield->getParentOp()) &&
            use.getOperandNumber() >= yield.getCarries().size())
          continue;
        if (!user->isBeforeInBlock(map))
          return false;
      }
      return true;
    };
    for (auto [input, inAxis] :
         llvm::zip_equal(map.getInputs(), map.getInAxes()))
      if (inAxis == axis && input.getType() == result.getType() &&
          llvm::count(map.getInputs(), input) == 1 && isFree(input))
        return input;
    return {};
  }

  Value numberOfLanes() {
    Value lanes = map.getLanes();
    Root root(map);
    for (auto [input, axis] :
         llvm::zip_equal(map.getInputs(), map.getInAxes())) {
      Value extent = getValueOrCreateConstantIndexOp(
          rewriter, loc, extentOutside(input, axis, root, rewriter));
      if (!lanes) {
        lanes = extent;
        continue;
      }
      Value agree = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, extent, lanes);
      if (!matchPattern(agree, m_One()))
        cf::AssertOp::create(rewriter, loc, agree,
                             "mapped inputs differ in their number of lanes");
    }
    return lanes;
  }

  LogicalResult makeDestinations(Value lanes, SmallVectorImpl<Value> &dests) {
    Root root(map);
    for (auto [result, axis] :
         llvm::zip_equal(map->getResults(), map.getOutAxes())) {
      if (Value input = getReplaced(result, axis)) {
        replaced.push_back(input);
        dests.push_back(input);
        continue;
      }
      auto type = cast<RankedTensorType>(result.getType());
      SmallVector<OpFoldResult> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        sizes.push_back(dim == axis && type.isDynamicDim(dim)
                            ? OpFoldResult(lanes)
                            : extentOutside(result, dim, root, rewriter));
        if (!sizes.back())
          return map->emitOpError()
                 << "the extent of dimension " << dim
                 << " of a result is not known before the first lane";
      }
      dests.push_back(
          tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType()));
    }
    return success();
  }

  /// The axis token's uses, which can only be its index and size.
  LogicalResult replaceAxis(Value lane, Value lanes) {
    for (Operation *user : llvm::make_early_inc_range(map.getAxis().getUsers()))
      if (isa<AxisIndexOp>(user))
        rewriter.replaceOp(user, lane);
      else if (isa<AxisSizeOp>(user))
        rewriter.replaceOp(user, lanes);
      else
        return user->emitOpError()
               << "is a collective: run weave-split-collectives before "
                  "weave-lower-maps";
    return success();
  }

  void moveBody(scf::ForOp loop) {
    Block *from = &map.getRegion().front(), *body = loop.getBody();
    rewriter.setInsertionPointToStart(body);
    Value lane = loop.getInductionVar();
    SmallVector<Value> arguments;
    for (auto [input, axis] :
         llvm::zip_equal(map.getInputs(), map.getInAxes())) {
      // From the loop's own state, where earlier lanes are replaced already.
      Value source = input;
      if (llvm::is_contained(replaced, input))
        for (auto [init, state] :
             llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
          if (init == input)
            source = state;
      arguments.push_back(sliceOf(source, axis, lane));
    }
    from->eraseArgument(0);
    Operation *yield = from->getTerminator();
    IRMapping mapping;
    mapping.map(from->getArguments(), arguments);
    SmallVector<Value> values;
    for (Value value : yield->getOperands())
      values.push_back(mapping.lookupOrDefault(value));
    rewriter.inlineBlockBefore(from, body, body->end(), arguments);
    rewriter.eraseOp(yield);
    rewriter.setInsertionPointToEnd(body);
    SmallVector<Value> results;
    for (auto [value, dest, axis] :
         llvm::zip_equal(values, loop.getRegionIterArgs(), map.getOutAxes()))
      results.push_back(insert(value, dest, axis, lane));
    scf::YieldOp::create(rewriter, loc, results);
  }

  Value sliceOf(Value input, int64_t axis, Value lane) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() == 1)
      return tensor::ExtractOp::create(rewriter, loc, input, lane);
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, input);
    offsets[axis] = lane;
    sizes[axis] = rewriter.getIndexAttr(1);
    return createExtractSlice(rewriter, loc,
                              cast<RankedTensorType>(getSliceType(type, axis)),
                              input, offsets, sizes, strides);
  }

  Value insert(Value value, Value dest, int64_t axis, Value lane) {
    auto type = cast<RankedTensorType>(dest.getType());
    if (!isa<RankedTensorType>(value.getType()))
      return tensor::InsertOp::create(rewriter, loc, value, dest, lane);
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, value);
    sizes.insert(sizes.begin() + axis, rewriter.getIndexAttr(1));
    offsets[axis] = lane;
    return createInsertSlice(rewriter, loc, value, dest, offsets, sizes,
                             strides);
  }

  MapOpInterface map;
  IRRewriter &rewriter;
  Location loc;
  SmallVector<Value> replaced;
};

class LowerMaps final : public scanweave::impl::LowerMapsBase<LowerMaps> {
  using Base::Base;

  void runOnOperation() override {
    // Inner maps first.
    SmallVector<MapOpInterface> maps;
    getOperation()->walk([&](MapOpInterface map) { maps.push_back(map); });
    IRRewriter rewriter(&getContext());
    for (MapOpInterface map : maps)
      if (failed(MapLowering(map, rewriter).run()))
        return signalPassFailure();
  }
};

} // namespace
