// SPDX-License-Identifier: Apache-2.0
//
// Cloning ops of which a worker computes a part.

#include "Localizer.h"

#include "scanweave/Analysis/Roots.h"
#include "scanweave/Dialect/Weave/Transforms/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

void Localizer::localizeCut(Operation *op, const Cut &cut) {
  if (auto reduce = dyn_cast<ReduceOp>(op); reduce && cut.isPartial)
    return localizePartial(reduce, cut);
  if (isDraw(op))
    return localizeDraw(op, *cut.results[0]);
  if (isa<tensor::EmptyOp, tensor::SplatOp>(op))
    return localizeSized(op, *cut.results[0]);

  Location loc = op->getLoc();
  IRMapping mapping;
  Value extent;
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), cut.operands)) {
    mapping.map(operand, dim ? part(operand, *dim) : whole(operand));
    if (dim && !extent)
      extent = this->extent(operand, *dim, loc);
  }
  // One value may be needed both whole and in part, or cut in two ways.
  SmallVector<Value> operands;
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), cut.operands))
    operands.push_back(dim ? part(operand, *dim) : whole(operand));
  mapCaptured(op, mapping);
  Operation *clone = builder.clone(*op, mapping);
  clone->setOperands(operands);
  clone->removeAttr(placementAttrName);
  for (auto [result, dim] : llvm::zip_equal(clone->getResults(), cut.results))
    result.setType(partType(result.getType(), *dim));

  // An index along the cut dimension counts from the worker's first.
  clone->walk([&](linalg::IndexOp index) {
    if (index.getDim() != cut.iteration)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(clone);
    Value offset = range(extent, loc).getOffset();
    builder.setInsertionPointAfter(index);
    auto sum = arith::AddIOp::create(builder, loc, index, offset);
    index.getResult().replaceAllUsesExcept(sum, sum);
  });
  for (auto [global, result, dim] :
       llvm::zip_equal(op->getResults(), clone->getResults(), cut.results))
    bind(global, {result, *dim, extent});
}

//===----------------------------------------------------------------------===//
// Reductions along the cut dimension
//===----------------------------------------------------------------------===//

void Localizer::localizePartial(ReduceOp op, const Cut &cut) {
  Location loc = op.getLoc();
  SmallVector<Value> inputs;
  Value extent;
  for (auto [input, dim] : llvm::zip(op.getInputs(), cut.operands)) {
    inputs.push_back(dim ? part(input, *dim) : whole(input));
    if (dim && !extent)
      extent = this->extent(input, *dim, loc);
  }
  Value init = whole(op.getInit());
  auto type = cast<RankedTensorType>(init.getType());
  SmallVector<int64_t> rowsShape(type.getShape());
  rowsShape.insert(rowsShape.begin(), ShapedType::kDynamic);
  auto partial = PartialReduceOp::create(
      builder, loc, RankedTensorType::get(rowsShape, type.getElementType()),
      op.getKindAttr(), op.getMaps(), op.getIterators(), inputs, extent);
  IRMapping mapping;
  mapCaptured(op, mapping);
  op.getRegion().cloneInto(&partial.getRegion(), mapping);

  Value dest = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, init),
      type.getElementType());
  Value tree = AllReduceOp::create(builder, loc, type, op.getKindAttr(), team,
                                   partial, extent, dest)
                   .getResult();
  Value result = buildCombine(builder, loc, op.getKind(), init, tree);
  bind(op.getResult(), {result, std::nullopt, Value()});
}

//===----------------------------------------------------------------------===//
// Draws and other ops with sizes
//===----------------------------------------------------------------------===//

/// The extents of an op's dynamic dimensions when `dim` becomes dynamic too.
static SmallVector<Value> sizesWith(RankedTensorType type, ValueRange sizes,
                                    int64_t dim, Value size) {
  SmallVector<Value> all;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i == dim)
      all.push_back(size);
    else if (type.isDynamicDim(i))
      all.push_back(sizes[type.getDynamicDimIndex(i)]);
  }
  return all;
}

/// Row-major strides of a draw's dimensions that are no batch dimensions. Only
/// the first of them may be dynamic, and it has no part in its own stride.
static SmallVector<int64_t> rowMajor(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

void Localizer::localizeDraw(Operation *op, int64_t dim) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<RandomSplitOp, RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [&](auto draw) {
            using DrawOp = decltype(draw);
            Location loc = draw.getLoc();
            RankedTensorType type = draw.getResult().getType();
            int64_t batch =
                cast<RankedTensorType>(draw.getKey().getType()).getRank() - 1;
            int64_t words = std::is_same_v<DrawOp, RandomSplitOp> ? 1 : 0;
            SmallVector<Value> sizes;
            for (Value size : draw.getSizes())
              sizes.push_back(whole(size));
            Value extent = type.isDynamicDim(dim)
                               ? sizes[type.getDynamicDimIndex(dim)]
                               : arith::ConstantIndexOp::create(
                                     builder, loc, type.getDimSize(dim))
                                     .getResult();
            ShardRangeOp shard = range(extent, loc);
            SmallVector<int64_t> strides =
                draw.getStrides()
                    ? SmallVector<int64_t>(*draw.getStrides())
                    : rowMajor(
                          type.getShape().drop_front(batch).drop_back(words));
            Value offset = draw.getOffset() ? whole(draw.getOffset()) : Value();
            Value key = draw.getKey();
            if (dim < batch) {
              key = part(key, dim);
            } else {
              key = whole(key);
              Value stride = arith::ConstantIndexOp::create(
                  builder, loc, strides[dim - batch]);
              Value skipped = arith::MulIOp::create(builder, loc,
                                                    shard.getOffset(), stride);
              offset =
                  offset ? arith::AddIOp::create(builder, loc, offset, skipped)
                               .getResult()
                         : skipped;
            }
            Value local =
                DrawOp::create(builder, loc, partType(type, dim), key, offset,
                               sizesWith(type, sizes, dim, shard.getSize()),
                               builder.getDenseI64ArrayAttr(strides));
            bind(draw.getResult(), {local, dim, extent});
          });
}

void Localizer::localizeSized(Operation *op, int64_t dim) {
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<Value> sizes;
  auto empty = dyn_cast<tensor::EmptyOp>(op);
  ValueRange dynamic = empty ? empty.getDynamicSizes()
                             : cast<tensor::SplatOp>(op).getDynamicSizes();
  for (Value size : dynamic)
    sizes.push_back(whole(size));
  Value extent =
      type.isDynamicDim(dim)
          ? sizes[type.getDynamicDimIndex(dim)]
          : arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim))
                .getResult();
  SmallVector<Value> all =
      sizesWith(type, sizes, dim, range(extent, loc).getSize());
  RankedTensorType local = partType(type, dim);
  Value made =
      empty
          ? tensor::EmptyOp::create(builder, loc, local, all).getResult()
          : tensor::SplatOp::create(builder, loc,
                                    whole(cast<tensor::SplatOp>(op).getInput()),
                                    local, all)
                .getResult();
  bind(result, {made, dim, extent});
}
