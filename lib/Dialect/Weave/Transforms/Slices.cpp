// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors that may have no elements.

#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace scanweave;

static bool isEmpty(Type type) {
  return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
}

Value scanweave::createExtractSlice(OpBuilder &builder, Location loc,
                                    RankedTensorType type, Value source,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes,
                                    ArrayRef<OpFoldResult> strides) {
  if (!isEmpty(type) && !isEmpty(source.getType()))
    return tensor::ExtractSliceOp::create(builder, loc, type, source, offsets,
                                          sizes, strides);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  // Dimensions that are left out have a size of 1.
  std::optional<llvm::SmallDenseSet<unsigned>> dropped =
      computeRankReductionMask(shape, type.getShape());
  SmallVector<Value> extents;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(shape[dim]) &&
        !(dropped && dropped->contains(dim)))
      extents.push_back(cast<Value>(size));
  extents.resize(type.getNumDynamicDims());
  return tensor::EmptyOp::create(builder, loc, type, extents);
}

Value scanweave::createExtractSlice(OpBuilder &builder, Location loc,
                                    Value source,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes,
                                    ArrayRef<OpFoldResult> strides) {
  RankedTensorType type = tensor::ExtractSliceOp::inferResultType(
      cast<RankedTensorType>(source.getType()), sizes);
  return createExtractSlice(builder, loc, type, source, offsets, sizes,
                            strides);
}

Value scanweave::createInsertSlice(OpBuilder &builder, Location loc,
                                   Value slice, Value dest,
                                   ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes,
                                   ArrayRef<OpFoldResult> strides) {
  if (isEmpty(slice.getType()) || isEmpty(dest.getType()))
    return dest;
  return tensor::InsertSliceOp::create(builder, loc, slice, dest, offsets,
                                       sizes, strides);
}
