// SPDX-License-Identifier: Apache-2.0
//
// Batching of random draws: the lanes' keys are leading batch dimensions, which
// every draw has already.

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace scanweave;

namespace {

struct KeyRule : BatchableOpInterface::ExternalModel<KeyRule, RandomKeyOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto key = cast<RandomKeyOp>(op);
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    Value seed = batcher.lookup(key.getSeed()), high, low = seed;
    auto type = cast<RankedTensorType>(seed.getType());
    auto words = type.clone(b.getI32Type());
    auto splat = [&](IntegerAttr value) -> Value {
      Value scalar = arith::ConstantOp::create(b, loc, value);
      SmallVector<Value> sizes;
      if (batcher.hasDynamicLanes())
        sizes.push_back(batcher.getLanes(loc));
      return tensor::SplatOp::create(b, loc, scalar, type.getShape(), sizes);
    };
    if (type.getElementType().isInteger(64)) {
      Value by = splat(b.getI64IntegerAttr(32));
      high = arith::ShRUIOp::create(b, loc, seed, by);
      high = arith::TruncIOp::create(b, loc, words, high);
      low = arith::TruncIOp::create(b, loc, words, seed);
    } else {
      high = splat(b.getI32IntegerAttr(0));
    }
    batcher.map(key, stackElements(batcher, loc,
                                   batcher.getBatchedType(key.getType()),
                                   {high, low}));
    return success();
  }
};

struct FoldInRule
    : BatchableOpInterface::ExternalModel<FoldInRule, RandomFoldInOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto fold = cast<RandomFoldInOp>(op);
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    int64_t keyDims =
        cast<RankedTensorType>(fold.getKey().getType()).getRank() - 1;
    auto dataType = dyn_cast<RankedTensorType>(fold.getData().getType());
    int64_t dataDims = dataType ? dataType.getRank() : 0;
    bool keyIsBatched = batcher.isBatched(fold.getKey());
    bool dataIsBatched = batcher.isBatched(fold.getData());
    Value key = batcher.lookup(fold.getKey());
    Value data = batcher.lookup(fold.getData());
    // One key or one number may serve all; else both have all dimensions.
    if (keyDims < dataDims && keyIsBatched) {
      if (!dataIsBatched)
        data = batcher.getBatched(fold.getData());
      SmallVector<OpFoldResult> extents = getExtents(b, loc, data);
      extents.push_back(b.getIndexAttr(2));
      auto newDims = llvm::to_vector(llvm::seq<int64_t>(1, dataDims + 1));
      key = createBroadcast(b, loc, key, extents, newDims);
    } else if (dataDims < keyDims && dataIsBatched) {
      if (!keyIsBatched)
        key = batcher.getBatched(fold.getKey());
      SmallVector<OpFoldResult> extents = getExtents(b, loc, key);
      extents.pop_back();
      auto newDims = llvm::to_vector(llvm::seq<int64_t>(1, keyDims + 1));
      data = createBroadcast(b, loc, data, extents, newDims);
    } else if (keyDims == dataDims && keyDims > 0) {
      key = batcher.getBatched(fold.getKey());
      data = batcher.getBatched(fold.getData());
    }
    auto made = RandomFoldInOp::create(
        b, loc, batcher.getBatchedType(fold.getType()), key, data);
    batcher.map(fold, made);
    return success();
  }
};

template <typename DrawOp>
struct DrawRule
    : BatchableOpInterface::ExternalModel<DrawRule<DrawOp>, DrawOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto draw = cast<DrawOp>(op);
    // A draw of which each lane takes another part, or as much as it likes.
    if (draw.getOffset() && batcher.isBatched(draw.getOffset()))
      return failure();
    for (Value size : draw.getSizes())
      if (batcher.isBatched(size))
        return failure();
    auto made = cast<DrawOp>(batcher.cloneBatched(op));
    if (batcher.hasDynamicLanes()) {
      SmallVector<Value> sizes{batcher.getLanes(op->getLoc())};
      llvm::append_range(sizes, made.getSizes());
      made.getSizesMutable().assign(sizes);
    }
    batcher.map(draw, made.getResult());
    return success();
  }
};

} // namespace

void scanweave::registerRandomBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, WeaveDialect *) {
    RandomKeyOp::attachInterface<KeyRule>(*context);
    RandomFoldInOp::attachInterface<FoldInRule>(*context);
    RandomSplitOp::attachInterface<DrawRule<RandomSplitOp>>(*context);
    RandomBitsOp::attachInterface<DrawRule<RandomBitsOp>>(*context);
    RandomUniformOp::attachInterface<DrawRule<RandomUniformOp>>(*context);
    RandomNormalOp::attachInterface<DrawRule<RandomNormalOp>>(*context);
  });
}
