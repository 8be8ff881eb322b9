// SPDX-License-Identifier: Apache-2.0
//
// A check for operations that read several tensors element by element.

#include "EqualExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;

static bool areKnownEqual(Value a, Value b, int64_t dim) {
  int64_t extent = cast<RankedTensorType>(a.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(extent) &&
      extent == cast<RankedTensorType>(b.getType()).getDimSize(dim))
    return true;
  FailureOr<bool> equal =
      ValueBoundsConstraintSet::areEqual({a, dim}, {b, dim});
  return succeeded(equal) && *equal;
}

void scanweave::checkEqualExtents(OpBuilder &b, Location loc,
                                  ArrayRef<Value> tensors) {
  Value first = tensors.front();
  int64_t rank = cast<RankedTensorType>(first.getType()).getRank();
  for (Value other : tensors.drop_front())
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (other == first || areKnownEqual(first, other, dim))
        continue;
      Value agree =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                tensor::DimOp::create(b, loc, first, dim),
                                tensor::DimOp::create(b, loc, other, dim));
      cf::AssertOp::create(b, loc, agree,
                           "the operands differ in dimension " +
                               std::to_string(dim));
    }
}
