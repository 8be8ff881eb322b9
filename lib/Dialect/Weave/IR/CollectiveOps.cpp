// SPDX-License-Identifier: Apache-2.0
//
// Rules and types of the collectives.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace scanweave;

/// Rule C1. Of all values of the axis type only the one that a map hands to
/// its body stands for an axis.
static LogicalResult verifyAxis(Operation *op, Value axis) {
  auto argument = dyn_cast<BlockArgument>(axis);
  if (argument && argument.getArgNumber() == 0 &&
      isa_and_nonnull<MapOpInterface>(argument.getOwner()->getParentOp()))
    return success();
  return op->emitOpError()
         << "the axis must be that of an enclosing pmap or vmap (C1)";
}

/// `type` with another element type.
static Type withElementType(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

LogicalResult PSumOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  Type type = operands.front().getType();
  bool counts = getElementTypeOrSelf(type).isInteger(1);
  types.push_back(counts ? withElementType(type, IntegerType::get(context, 32))
                         : type);
  return success();
}

LogicalResult PMeanOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location>,
                                        ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange,
                                        SmallVectorImpl<Type> &types) {
  Type type = operands.front().getType();
  bool isInteger = isa<IntegerType>(getElementTypeOrSelf(type));
  types.push_back(isInteger ? withElementType(type, Float32Type::get(context))
                            : type);
  return success();
}

LogicalResult PMaxOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(operands.front().getType());
  return success();
}

LogicalResult PMinOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(operands.front().getType());
  return success();
}

LogicalResult PSumOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult PMeanOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult PMaxOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult PMinOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult AxisIndexOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult AxisSizeOp::verify() { return verifyAxis(*this, getAxis()); }

LogicalResult AllGatherOp::verify() {
  if (failed(verifyAxis(*this, getAxis())))
    return failure();
  auto argument = cast<BlockArgument>(getAxis());
  int64_t lanes = getStaticLanes(argument.getOwner()->getParentOp());
  auto found = cast<RankedTensorType>(getResult().getType());
  int64_t dim = getDim();
  bool inRank = dim >= 0 && dim < found.getRank();
  int64_t extent = inRank ? found.getDimSize(dim) : lanes;
  bool sameLanes = ShapedType::isDynamic(extent) ||
                   ShapedType::isDynamic(lanes) || extent == lanes;
  if (!inRank || getStackedType(getValue().getType(), dim, extent) != found ||
      !sameLanes) {
    InFlightDiagnostic diagnostic = emitOpError()
                                    << "must stack " << getValue().getType();
    if (!ShapedType::isDynamic(lanes))
      diagnostic << " of " << lanes << " lanes";
    return diagnostic << " at dimension " << dim << ", found " << found
                      << " (C2)";
  }
  return success();
}

void AxisIndexOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "lane");
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// The number of lanes of an axis where it is known.
static int64_t getAxisLanes(Value axis) {
  auto argument = dyn_cast<BlockArgument>(axis);
  if (!argument ||
      !isa_and_nonnull<MapOpInterface>(argument.getOwner()->getParentOp()))
    return ShapedType::kDynamic;
  return getStaticLanes(argument.getOwner()->getParentOp());
}

static IntegerAttr indexAttr(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IndexType::get(context), value);
}

OpFoldResult AxisSizeOp::fold(FoldAdaptor) {
  int64_t lanes = getAxisLanes(getAxis());
  if (ShapedType::isDynamic(lanes))
    return {};
  return indexAttr(getContext(), lanes);
}

OpFoldResult AxisIndexOp::fold(FoldAdaptor) {
  if (getAxisLanes(getAxis()) != 1)
    return {};
  return indexAttr(getContext(), 0);
}

/// Of a single lane, the sum, mean and extremum are its own value.
template <typename Op> static OpFoldResult foldSingleLane(Op op) {
  if (getAxisLanes(op.getAxis()) == 1 &&
      op.getType() == op.getValue().getType())
    return op.getValue();
  return {};
}

OpFoldResult PSumOp::fold(FoldAdaptor) { return foldSingleLane(*this); }
OpFoldResult PMeanOp::fold(FoldAdaptor) { return foldSingleLane(*this); }
OpFoldResult PMaxOp::fold(FoldAdaptor) { return foldSingleLane(*this); }
OpFoldResult PMinOp::fold(FoldAdaptor) { return foldSingleLane(*this); }
