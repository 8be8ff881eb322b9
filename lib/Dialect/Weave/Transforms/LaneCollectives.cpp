// SPDX-License-Identifier: Apache-2.0
//
// Collectives over values that are stacked over all lanes: fixed reductions
// over the lanes.

#include "LaneCollectives.h"

#include "scanweave/Dialect/Weave/Transforms/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

int64_t scanweave::getStackingAxis(Operation *collective) {
  auto gather = dyn_cast<AllGatherOp>(collective);
  return gather ? gather.getDim() : 0;
}

/// Reduces dimension 0 of `stacked` to a value of `type`, whose elements may be
/// wider.
static Value reduceLanes(OpBuilder &builder, Location loc, CombineKind kind,
                         Value stacked, Type type) {
  auto stackedType = cast<RankedTensorType>(stacked.getType());
  Type element = getElementTypeOrSelf(type);
  auto resultType =
      RankedTensorType::get(stackedType.getShape().drop_front(), element);
  AffineMap all = builder.getMultiDimIdentityMap(stackedType.getRank());
  SmallVector<StringRef> iterators(stackedType.getRank(), "parallel");
  iterators.front() = "reduction";
  auto reduce =
      ReduceOp::create(builder, loc, resultType,
                       CombineKindAttr::get(builder.getContext(), kind),
                       builder.getAffineMapArrayAttr({all, all.dropResult(0)}),
                       builder.getStrArrayAttr(iterators), stacked,
                       buildIdentity(builder, loc, kind, resultType));

  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&reduce.getRegion(), {},
                          {stackedType.getElementType(), element}, {loc, loc});
  Value value = body->getArgument(0);
  // A sum of truth values counts them.
  if (value.getType() != element)
    value = arith::ExtUIOp::create(builder, loc, element, value);
  value = buildCombine(builder, loc, kind, value, body->getArgument(1));
  YieldOp::create(builder, loc, ValueRange(), value);
  builder.setInsertionPointAfter(reduce);
  if (isa<RankedTensorType>(type))
    return reduce.getResult();
  return tensor::ExtractOp::create(builder, loc, reduce.getResult(),
                                   ValueRange());
}

/// `value` as a number of the float type `element`, or as a tensor of them.
static Value convertToFloat(OpBuilder &builder, Location loc, Value value,
                            Type element) {
  Type from = getElementTypeOrSelf(value.getType()), to = element;
  if (auto shaped = dyn_cast<ShapedType>(value.getType()))
    to = shaped.clone(element);
  if (from == element)
    return value;
  if (isa<IntegerType>(from))
    return arith::SIToFPOp::create(builder, loc, to, value);
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, to, value);
  return arith::TruncFOp::create(builder, loc, to, value);
}

/// `sum` divided by the number of lanes. Floats of less than 32 bits are
/// divided in f32, which has every likely number of lanes, and rounded once.
static Value buildMean(OpBuilder &builder, Location loc, Value sum, Value lanes,
                       Type type) {
  Type element = getElementTypeOrSelf(type);
  Type wide =
      element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
  Value dividend = convertToFloat(builder, loc, sum, wide);
  Value count =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), lanes);
  Value divisor = arith::SIToFPOp::create(builder, loc, wide, count);
  if (auto shaped = dyn_cast<RankedTensorType>(dividend.getType()))
    divisor = tensor::SplatOp::create(builder, loc, divisor, shaped);
  Value mean = arith::DivFOp::create(builder, loc, dividend, divisor);
  return convertToFloat(builder, loc, mean, element);
}

Value scanweave::buildOverLanes(OpBuilder &builder, Operation *collective,
                                Value stacked, Value lanes) {
  Location loc = collective->getLoc();
  Type type = collective->getResult(0).getType();
  Type operandType = collective->getOperand(0).getType();
  // false < true, though as a signed number true is -1.
  bool isTruth = getElementTypeOrSelf(operandType).isInteger(1);
  return llvm::TypeSwitch<Operation *, Value>(collective)
      .Case([&](PSumOp) {
        return reduceLanes(builder, loc, CombineKind::add, stacked, type);
      })
      .Case([&](PMeanOp) {
        Type sumType = operandType;
        if (isTruth) {
          sumType = builder.getI32Type();
          if (auto shaped = dyn_cast<ShapedType>(operandType))
            sumType = shaped.clone(sumType);
        }
        Value sum =
            reduceLanes(builder, loc, CombineKind::add, stacked, sumType);
        return buildMean(builder, loc, sum, lanes, type);
      })
      .Case([&](PMaxOp) {
        return reduceLanes(builder, loc,
                           isTruth ? CombineKind::umax : CombineKind::max,
                           stacked, type);
      })
      .Case([&](PMinOp) {
        return reduceLanes(builder, loc,
                           isTruth ? CombineKind::umin : CombineKind::min,
                           stacked, type);
      })
      .Case([&](AllGatherOp) -> Value {
        if (stacked.getType() == type)
          return stacked;
        return tensor::CastOp::create(builder, loc, type, stacked);
      });
}
