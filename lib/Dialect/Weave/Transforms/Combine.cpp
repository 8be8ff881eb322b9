// SPDX-License-Identifier: Apache-2.0
//
// Emits combinations and their identities.

#include "scanweave/Dialect/Weave/Transforms/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace scanweave;

Value scanweave::buildCombine(OpBuilder &builder, Location loc,
                              CombineKind kind, Value lhs, Value rhs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(lhs.getType()));
  auto number = [&]<typename FloatOp, typename IntegerOp>() -> Value {
    if (isFloat)
      return FloatOp::create(builder, loc, lhs, rhs);
    return IntegerOp::create(builder, loc, lhs, rhs);
  };
  auto integer = [&]<typename IntegerOp>() -> Value {
    if (isFloat)
      return {};
    return IntegerOp::create(builder, loc, lhs, rhs);
  };
  switch (kind) {
  case CombineKind::add:
    return number.operator()<arith::AddFOp, arith::AddIOp>();
  case CombineKind::mul:
    return number.operator()<arith::MulFOp, arith::MulIOp>();
  case CombineKind::max:
    return number.operator()<arith::MaximumFOp, arith::MaxSIOp>();
  case CombineKind::min:
    return number.operator()<arith::MinimumFOp, arith::MinSIOp>();
  case CombineKind::umax:
    return integer.operator()<arith::MaxUIOp>();
  case CombineKind::umin:
    return integer.operator()<arith::MinUIOp>();
  case CombineKind::and_:
    return integer.operator()<arith::AndIOp>();
  case CombineKind::or_:
    return integer.operator()<arith::OrIOp>();
  case CombineKind::xor_:
    return integer.operator()<arith::XOrIOp>();
  }
  return {};
}

TypedAttr scanweave::getIdentity(CombineKind kind, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (kind) {
    case CombineKind::add: // x + -0.0 is x for every x; -0.0 + 0.0 is not -0.0
      return FloatAttr::get(type, APFloat::getZero(semantics, true));
    case CombineKind::mul:
      return FloatAttr::get(type, APFloat::getOne(semantics));
    case CombineKind::max:
      return FloatAttr::get(type, APFloat::getInf(semantics, true));
    case CombineKind::min:
      return FloatAttr::get(type, APFloat::getInf(semantics));
    default:
      return {};
    }
  }
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  switch (kind) {
  case CombineKind::add:
  case CombineKind::umax:
  case CombineKind::or_:
  case CombineKind::xor_:
    return IntegerAttr::get(type, APInt::getZero(width));
  case CombineKind::mul:
    return IntegerAttr::get(type, APInt(width, 1));
  case CombineKind::max:
    return IntegerAttr::get(type, APInt::getSignedMinValue(width));
  case CombineKind::min:
    return IntegerAttr::get(type, APInt::getSignedMaxValue(width));
  case CombineKind::umin:
  case CombineKind::and_:
    return IntegerAttr::get(type, APInt::getAllOnes(width));
  }
  return {};
}
