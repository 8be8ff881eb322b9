// SPDX-License-Identifier: Apache-2.0
//
// Batching of the weave dialect's own loops and of what belongs to an axis: a
// scan in a vmap scans over batched carries, a map in a vmap maps over batched
// slices.

#include "Rules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace scanweave;

namespace {

//===----------------------------------------------------------------------===//
// weave.scan
//===----------------------------------------------------------------------===//

struct ScanRule : BatchableOpInterface::ExternalModel<ScanRule, ScanOp> {
  void propagateBatched(Operation *op, BatchAnalysis &analysis) const {
    auto scan = cast<ScanOp>(op);
    for (auto [slice, x] : llvm::zip_equal(scan.getSliceArgs(), scan.getXs()))
      if (analysis.isBatched(x))
        analysis.setBatched(slice);
    YieldOp yield = scan.getYield();
    analysis.visitLoop(*scan.getBody(), scan.getInits(), scan.getCarryArgs(),
                       yield.getCarries());
    for (auto [argument, result] :
         llvm::zip_equal(scan.getCarryArgs(), scan.getFinalCarries()))
      if (analysis.isBatched(argument))
        analysis.setBatched(result);
    for (auto [value, result] :
         llvm::zip_equal(yield.getValues(), scan.getStacked()))
      if (analysis.isBatched(value))
        analysis.setBatched(result);
  }

  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto scan = cast<ScanOp>(op);
    // A number of steps of its own for each lane, or the form of worker code.
    if ((scan.getLength() && batcher.isBatched(scan.getLength())) ||
        scan.getFirst() || !scan.getDests().empty())
      return failure();
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    SmallVector<Value> inits, xs;
    for (auto [init, argument] :
         llvm::zip_equal(scan.getInits(), scan.getCarryArgs()))
      inits.push_back(batcher.get(init, batcher.isBatched(argument)));
    // Steps in front, then lanes.
    for (Value x : scan.getXs())
      xs.push_back(batcher.isBatched(x)
                       ? moveDim(b, loc, batcher.lookup(x), 0, 1)
                       : batcher.lookup(x));
    YieldOp yield = scan.getYield();
    SmallVector<Type> types;
    for (auto [result, argument] :
         llvm::zip_equal(scan.getFinalCarries(), scan.getCarryArgs()))
      types.push_back(batcher.getType(result, batcher.isBatched(argument)));
    for (auto [result, value] :
         llvm::zip_equal(scan.getStacked(), yield.getValues())) {
      int64_t steps = cast<RankedTensorType>(result.getType()).getDimSize(0);
      types.push_back(
          batcher.isBatched(value)
              ? getStackedType(batcher.getBatchedType(value.getType()), 0,
                               steps)
              : result.getType());
    }
    Value length =
        scan.getLength() ? batcher.lookup(scan.getLength()) : Value();
    auto made =
        ScanOp::create(b, loc, types, inits, xs, length, scan.getReverse());
    made.setUnrollAttr(scan.getUnrollAttr());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());

    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    for (auto [from, to] : llvm::zip_equal(scan.getBody()->getArguments(),
                                           made.getBody()->getArguments()))
      batcher.map(from, to);
    if (failed(batcher.batchBlock(*scan.getBody())))
      return failure();
    SmallVector<Value> carries;
    for (auto [next, argument] :
         llvm::zip_equal(yield.getCarries(), scan.getCarryArgs()))
      carries.push_back(batcher.get(next, batcher.isBatched(argument)));
    YieldOp::create(b, loc, carries, batcher.lookup(yield.getValues()));

    b.setInsertionPointAfter(made);
    for (auto [from, to] :
         llvm::zip_equal(scan.getFinalCarries(), made.getFinalCarries()))
      batcher.map(from, to);
    for (auto [from, to] :
         llvm::zip_equal(scan.getStacked(), made.getStacked()))
      batcher.map(from, batcher.isBatched(from) ? moveDim(b, loc, to, 1, 0)
                                                : Value(to));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

template <typename MapOp>
struct MapRule : BatchableOpInterface::ExternalModel<MapRule<MapOp>, MapOp> {
  void propagateBatched(Operation *op, BatchAnalysis &analysis) const {
    auto map = cast<MapOpInterface>(op);
    for (auto [slice, input] :
         llvm::zip_equal(map.getSliceArgs(), map.getInputs()))
      if (analysis.isBatched(input))
        analysis.setBatched(slice);
    analysis.visit(map.getRegion().front());
    for (auto [value, result] :
         llvm::zip_equal(map.getYielded(), op->getResults()))
      if (analysis.isBatched(value))
        analysis.setBatched(result);
  }

  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto map = cast<MapOp>(op);
    auto interface = cast<MapOpInterface>(op);
    // A map's element shapes are static (rule M6).
    if (batcher.hasDynamicLanes() ||
        (map.getLanes() && batcher.isBatched(map.getLanes())))
      return failure();
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    SmallVector<int64_t> inAxes, outAxes;
    for (auto [input, axis] : llvm::zip_equal(map.getInputs(), map.getInAxes()))
      inAxes.push_back(axis + batcher.isBatched(input));
    SmallVector<Type> types;
    for (auto [result, axis] :
         llvm::zip_equal(map.getResults(), map.getOutAxes())) {
      outAxes.push_back(axis + batcher.isBatched(result));
      types.push_back(batcher.getType(result, batcher.isBatched(result)));
    }
    auto made =
        MapOp::create(b, loc, types, batcher.lookup(map.getInputs()),
                      map.getLanes() ? batcher.lookup(map.getLanes()) : Value(),
                      inAxes, outAxes);
    made.setScheduleAttr(map.getScheduleAttr());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    batcher.mapAxis(interface.getAxis(), made.getBody()->getArgument(0));
    for (auto [from, to] :
         llvm::zip_equal(interface.getSliceArgs(),
                         made.getBody()->getArguments().drop_front()))
      batcher.map(from, to);
    if (failed(batcher.batchBlock(*map.getBody())))
      return failure();
    YieldOp::create(b, loc, ValueRange(),
                    batcher.lookup(interface.getYielded()));
    b.setInsertionPointAfter(made);
    for (auto [from, to] : llvm::zip_equal(map.getResults(), made.getResults()))
      batcher.map(from, to);
    return success();
  }
};

struct AxisIndexRule
    : BatchableOpInterface::ExternalModel<AxisIndexRule, AxisIndexOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.map(op->getResult(0), batcher.createIota(op->getLoc()));
    return success();
  }
};

struct AxisSizeRule
    : BatchableOpInterface::ExternalModel<AxisSizeRule, AxisSizeOp> {
  void propagateBatched(Operation *, BatchAnalysis &) const {}
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.map(op->getResult(0), batcher.getLanes(op->getLoc()));
    return success();
  }
};

} // namespace

void scanweave::registerWeaveLoopBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, WeaveDialect *) {
    ScanOp::attachInterface<ScanRule>(*context);
    PMapOp::attachInterface<MapRule<PMapOp>>(*context);
    VMapOp::attachInterface<MapRule<VMapOp>>(*context);
    AxisIndexOp::attachInterface<AxisIndexRule>(*context);
    AxisSizeOp::attachInterface<AxisSizeRule>(*context);
  });
}
