// SPDX-License-Identifier: Apache-2.0
//
// weave-lower-scan: scans become scf.for loops, in the form in which
// bufferization finds carries and stacked outputs to be updated in place.

#include "scanweave/Analysis/Roots.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"
#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_LOWERSCAN
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Lowers one scan.
class ScanLowering {
public:
  ScanLowering(ScanOp scan, IRRewriter &rewriter)
      : scan(scan), rewriter(rewriter), loc(scan.getLoc()) {}

  LogicalResult run() {
    rewriter.setInsertionPoint(scan);
    steps = numberOfSteps();
    SmallVector<Value> inits(scan.getInits());
    if (failed(addDestinations(inits)))
      return failure();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value lower = scan.getFirst() ? Value(scan.getFirst()) : zero;
    Value upper = scan.getLast() ? Value(scan.getLast()) : steps;
    auto loop =
        scf::ForOp::create(rewriter, loc, lower, upper, one, inits,
                           [](OpBuilder &, Location, Value, ValueRange) {});
    moveBody(loop);
    rewriter.replaceOp(scan, loop.getResults());
    if (std::optional<int64_t> unroll = unrollFactor)
      (void)loopUnrollByFactor(loop, *unroll);
    return success();
  }

private:
  Value numberOfSteps() {
    Value length = scan.getLength();
    if (length) {
      // A negative number of steps is none.
      Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      length = rewriter.createOrFold<arith::MaxSIOp>(loc, length, zero);
    }
    Root root(scan);
    for (Value x : scan.getXs()) {
      Value extent = getValueOrCreateConstantIndexOp(
          rewriter, loc, extentOutside(x, 0, root, rewriter));
      if (!length) {
        length = extent;
        continue;
      }
      Value agree = rewriter.createOrFold<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, extent, length);
      if (!matchPattern(agree, m_One()))
        cf::AssertOp::create(rewriter, loc, agree,
                             "scanned inputs differ in their number of steps");
    }
    if (length)
      return length;
    // Only a chunk of a scan may be without both. It is a part of all the
    // steps, which its destinations have; without them, steps have no place.
    if (!scan.getDests().empty())
      return rewriter.createOrFold<tensor::DimOp>(loc, scan.getDests().front(),
                                                  0);
    return scan.getLast();
  }

  LogicalResult addDestinations(SmallVectorImpl<Value> &inits) {
    if (!scan.getDests().empty()) {
      llvm::append_range(inits, scan.getDests());
      return success();
    }
    Root root(scan);
    for (Value result : scan.getStacked()) {
      auto type = cast<RankedTensorType>(result.getType());
      SmallVector<OpFoldResult> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        sizes.push_back(dim == 0 && type.isDynamicDim(0)
                            ? OpFoldResult(steps)
                            : extentOutside(result, dim, root, rewriter));
        if (!sizes.back())
          return scan.emitOpError()
                 << "the extent of dimension " << dim
                 << " of a stacked output is not known before the first step";
      }
      inits.push_back(
          tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType()));
    }
    return success();
  }

  void moveBody(scf::ForOp loop) {
    unrollFactor = scan.getUnroll();
    Block *body = loop.getBody();
    rewriter.setInsertionPointToStart(body);
    index = loop.getInductionVar();
    if (scan.getReverse()) {
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      Value last = arith::SubIOp::create(rewriter, loc, steps, one);
      index = arith::SubIOp::create(rewriter, loc, last, index);
    }
    SmallVector<Value> arguments(
        loop.getRegionIterArgs().take_front(scan.getNumCarries()));
    for (Value x : scan.getXs())
      arguments.push_back(sliceOf(x));

    YieldOp yield = scan.getYield();
    SmallVector<Value> next(yield.getCarries()), values(yield.getValues());
    Operation *before = body->empty() ? nullptr : &body->back();
    // After inlining, what was a body argument is the corresponding value.
    IRMapping mapping;
    mapping.map(scan.getBody()->getArguments(), arguments);
    for (Value &value : next)
      value = mapping.lookupOrDefault(value);
    for (Value &value : values)
      value = mapping.lookupOrDefault(value);
    rewriter.inlineBlockBefore(scan.getBody(), body, body->end(), arguments);
    rewriter.eraseOp(yield);

    SmallVector<Value> results;
    for (auto [i, value] : llvm::enumerate(next)) {
      bool isTaken = llvm::is_contained(ArrayRef(next).take_front(i), value);
      if (isa<RankedTensorType>(value.getType()) &&
          (isTaken || isChoice(value, body))) {
        setInsertionPointBehind(value, body, before);
        value = bufferization::AllocTensorOp::create(
            rewriter, loc, cast<RankedTensorType>(value.getType()),
            ValueRange(), /*copy=*/value);
      }
      rewriter.setInsertionPointToEnd(body);
      results.push_back(inPlace(value, loop.getRegionIterArg(i)));
    }
    for (auto [i, value] : llvm::enumerate(values)) {
      Value dest = loop.getRegionIterArgs()[scan.getNumCarries() + i];
      setInsertionPointBehind(value, body, before);
      results.push_back(store(value, dest, i));
    }
    rewriter.setInsertionPointToEnd(body);
    scf::YieldOp::create(rewriter, loc, results);
  }

  /// This step's slice of a scanned input.
  Value sliceOf(Value x) {
    if (auto split = x.getDefiningOp<RandomSplitOp>())
      if (Value key = keyOf(split))
        return key;
    auto type = cast<RankedTensorType>(x.getType());
    if (type.getRank() == 1)
      return tensor::ExtractOp::create(rewriter, loc, x, index);
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    OpBuilder outside(rewriter.getInsertionBlock()->getParentOp());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(outside, loc, x);
    offsets[0] = index;
    sizes[0] = rewriter.getIndexAttr(1);
    return createExtractSlice(rewriter, loc,
                              cast<RankedTensorType>(getSliceType(type, 0)), x,
                              offsets, sizes, strides);
  }

  /// Keys that only the scan takes are made when they are needed, so that
  /// there is no table of them. Null where the split is of another form.
  Value keyOf(RandomSplitOp split) {
    RankedTensorType type = split.getResult().getType();
    if (!split->hasOneUse() || type.getRank() != 2)
      return {};
    Value counter = index;
    if (split.getStrides()) {
      Value stride = arith::ConstantIndexOp::create(rewriter, loc,
                                                    (*split.getStrides())[0]);
      counter = arith::MulIOp::create(rewriter, loc, counter, stride);
    }
    if (split.getOffset())
      counter =
          arith::AddIOp::create(rewriter, loc, counter, split.getOffset());
    auto one = RankedTensorType::get({1, 2}, type.getElementType());
    Value key =
        RandomSplitOp::create(rewriter, loc, one, split.getKey(), counter,
                              ValueRange(), rewriter.getDenseI64ArrayAttr({1}));
    return tensor::CollapseShapeOp::create(
        rewriter, loc, key, ArrayRef<ReassociationIndices>{{0, 1}});
  }

  /// Whether a value may be one or another at run time, perhaps an old carry.
  /// Bufferization would refuse to overwrite what may be the value itself.
  static bool isChoice(Value value, Block *body) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == body && op->getNumRegions() > 0 &&
           isa<scf::SCFDialect>(op->getDialect()) && !isa<scf::ForOp>(op);
  }

  /// Ties the next carry to the buffer of this one.
  Value inPlace(Value value, Value carry) {
    if (!isa<RankedTensorType>(value.getType()) || value == carry)
      return value;
    return bufferization::MaterializeInDestinationOp::create(rewriter, loc,
                                                             value, carry)
        .getResult();
  }

  /// A stacked value goes to its place as soon as it is there: it may be the
  /// old carry, which this step overwrites.
  void setInsertionPointBehind(Value value, Block *body, Operation *before) {
    Operation *definition = value.getDefiningOp();
    if (definition && definition->getBlock() == body)
      return rewriter.setInsertionPointAfter(definition);
    if (before)
      return rewriter.setInsertionPointAfter(before);
    rewriter.setInsertionPointToStart(body);
  }

  Value store(Value value, Value dest, unsigned output) {
    Value condition =
        scan.getStoreIf().empty() ? Value() : scan.getStoreIf()[output];
    if (!condition || matchPattern(condition, m_One()))
      return insert(rewriter, value, dest);
    auto branch = scf::IfOp::create(
        rewriter, loc, condition,
        [&](OpBuilder &builder, Location) {
          Value inserted = insert(builder, value, dest);
          scf::YieldOp::create(builder, loc, inserted);
        },
        [&](OpBuilder &builder, Location) {
          scf::YieldOp::create(builder, loc, dest);
        });
    return branch.getResult(0);
  }

  Value insert(OpBuilder &builder, Value value, Value dest) {
    auto type = cast<RankedTensorType>(dest.getType());
    if (!isa<RankedTensorType>(value.getType()))
      return tensor::InsertOp::create(builder, loc, value, dest, index);
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(1)};
    llvm::append_range(sizes, tensor::getMixedSizes(builder, loc, value));
    offsets[0] = index;
    return createInsertSlice(builder, loc, value, dest, offsets, sizes,
                             strides);
  }

  ScanOp scan;
  IRRewriter &rewriter;
  Location loc;
  Value steps, index;
  std::optional<int64_t> unrollFactor;
};

class LowerScan final : public scanweave::impl::LowerScanBase<LowerScan> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ScanOp> scans;
    getOperation()->walk([&](ScanOp scan) { scans.push_back(scan); });
    IRRewriter rewriter(&getContext());
    for (ScanOp scan : scans)
      if (failed(ScanLowering(scan, rewriter).run()))
        return signalPassFailure();
  }
};

} // namespace
