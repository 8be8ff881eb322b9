// SPDX-License-Identifier: Apache-2.0
//
// The extents of what scans and maps loop over.

#include "Extents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace scanweave;

/// The sizes of a draw, which are the extents of its dynamic dimensions.
static std::optional<OperandRange> getDrawSizes(Operation *op) {
  if (auto draw = dyn_cast_or_null<RandomSplitOp>(op))
    return draw.getSizes();
  if (auto draw = dyn_cast_or_null<RandomBitsOp>(op))
    return draw.getSizes();
  if (auto draw = dyn_cast_or_null<RandomUniformOp>(op))
    return draw.getSizes();
  if (auto draw = dyn_cast_or_null<RandomNormalOp>(op))
    return draw.getSizes();
  return std::nullopt;
}

Value scanweave::createExtent(OpBuilder &builder, Location loc, Value tensor,
                              int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  if (auto sizes = getDrawSizes(tensor.getDefiningOp()))
    return (*sizes)[type.getDynamicDimIndex(dim)];
  return tensor::DimOp::create(builder, loc, tensor, dim);
}

RankedTensorType scanweave::withExtent(RankedTensorType type, int64_t dim,
                                       int64_t extent) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

Value scanweave::lookThroughCast(Value tensor, int64_t dim) {
  auto op = tensor.getDefiningOp<tensor::CastOp>();
  if (!op)
    return {};
  auto type = cast<RankedTensorType>(tensor.getType());
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!source || source.isDynamicDim(dim) ||
      withExtent(type, dim, source.getDimSize(dim)) != source)
    return {};
  return op.getSource();
}

bool scanweave::hasOneExtent(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getNumDynamicDims() == (type.isDynamicDim(dim) ? 1 : 0);
}

Value scanweave::createEmpty(OpBuilder &builder, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(builder, tensor.getLoc(),
                                        withExtent(type, dim, 0).getShape(),
                                        type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(builder, tensor.getLoc(), type, empty);
  return empty;
}

void scanweave::refineType(RewriterBase &rewriter, Value result,
                           RankedTensorType type) {
  Type before = result.getType();
  rewriter.modifyOpInPlace(result.getDefiningOp(),
                           [&] { result.setType(type); });
  auto back = tensor::CastOp::create(rewriter, result.getLoc(), before, result);
  rewriter.replaceAllUsesExcept(result, back, back);
}

void scanweave::copyAttributes(Operation *from, Operation *to,
                               const llvm::BitVector &kept) {
  for (NamedAttribute attribute : from->getDiscardableAttrs()) {
    auto array = dyn_cast<ArrayAttr>(attribute.getValue());
    if (attribute.getName() == placementAttrName && array &&
        array.size() == kept.size())
      attribute.setValue(
          ArrayAttr::get(from->getContext(), keepOnly(array, kept)));
    to->setDiscardableAttr(attribute.getName(), attribute.getValue());
  }
}

void scanweave::replaceKept(RewriterBase &rewriter, Operation *op,
                            Operation *replacement,
                            const llvm::BitVector &kept) {
  auto next = replacement->result_begin();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (!kept[i])
      continue;
    rewriter.replaceAllUsesWith(result, *next++);
  }
  rewriter.eraseOp(op);
}
