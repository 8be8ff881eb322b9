// SPDX-License-Identifier: Apache-2.0
//
// Rules of the random ops.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace scanweave;

/// Rule R1 for one key type.
static LogicalResult verifyKey(Operation *op, Type type) {
  auto key = cast<RankedTensorType>(type);
  if (key.getRank() >= 1 && key.getDimSize(key.getRank() - 1) == 2)
    return success();
  return op->emitOpError() << "a key must have a last dimension of 2, found "
                           << key << " (R1)";
}

LogicalResult RandomKeyOp::verify() {
  auto expected =
      RankedTensorType::get({2}, IntegerType::get(getContext(), 32));
  if (getKey().getType() != expected)
    return emitOpError() << "must give a key of type " << expected << ", found "
                         << getKey().getType() << " (R1)";
  return success();
}

LogicalResult RandomFoldInOp::verify() {
  if (failed(verifyKey(*this, getKey().getType())))
    return failure();
  // Keys and data may each be batched; the result has the longer batch.
  auto key = cast<RankedTensorType>(getKey().getType());
  SmallVector<int64_t> batch(key.getShape().drop_back());
  if (auto data = dyn_cast<RankedTensorType>(getData().getType())) {
    if (data.getRank() == 0)
      return emitOpError()
             << "data without batch dimensions is a number, found " << data
             << " (R1)";
    if (batch.empty())
      batch.assign(data.getShape().begin(), data.getShape().end());
    else if (ArrayRef<int64_t>(batch) != data.getShape())
      return emitOpError()
             << "keys and data must have the same batch dimensions, found "
             << key << " and " << data << " (R1)";
  }
  batch.push_back(2);
  auto expected = RankedTensorType::get(batch, key.getElementType());
  if (getResult().getType() != expected)
    return emitOpError() << "must give keys of type " << expected << ", found "
                         << getResult().getType() << " (R1)";
  return success();
}

/// Rules R1 to R3, for a draw whose result has `wordDims` trailing dimensions
/// that hold the words of one counter.
template <typename DrawOp>
static LogicalResult verifyDraw(DrawOp op, int64_t wordDims = 0) {
  if (failed(verifyKey(op, op.getKey().getType())))
    return failure();
  auto key = cast<RankedTensorType>(op.getKey().getType());
  RankedTensorType type = op.getResult().getType();
  ArrayRef<int64_t> batch = key.getShape().drop_back();
  if (type.getRank() < key.getRank() - 1 + wordDims ||
      type.getShape().take_front(batch.size()) != batch)
    return op.emitOpError()
           << "the draw must begin with the key's batch dimensions " << key
           << ", found " << type << " (R1)";
  if (op.getSizes().size() != static_cast<size_t>(type.getNumDynamicDims()))
    return op.emitOpError()
           << "must have " << type.getNumDynamicDims()
           << " sizes, one for each dynamic dimension of " << type << ", found "
           << op.getSizes().size() << " (R2)";
  int64_t strided = type.getRank() - (key.getRank() - 1) - wordDims;
  if (op.getStrides() &&
      static_cast<int64_t>(op.getStrides()->size()) != strided)
    return op.emitOpError()
           << "must have " << strided << " strides for " << type << ", found "
           << op.getStrides()->size() << " (R3)";
  for (int64_t dim = key.getRank(); dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) && !op.getStrides())
      return op.emitOpError()
             << "only the first dimension that is no batch dimension may be "
                "dynamic without 'strides', found "
             << type << " (R3)";
  return success();
}

LogicalResult RandomSplitOp::verify() {
  RankedTensorType type = getResult().getType();
  if (type.getRank() < 2 || type.getDimSize(type.getRank() - 1) != 2)
    return emitOpError() << "must give keys with a last dimension of 2 and at "
                            "least one before "
                            "it, found "
                         << type << " (R1)";
  return verifyDraw(*this, /*wordDims=*/1);
}
LogicalResult RandomBitsOp::verify() { return verifyDraw(*this); }
LogicalResult RandomUniformOp::verify() { return verifyDraw(*this); }
LogicalResult RandomNormalOp::verify() { return verifyDraw(*this); }
