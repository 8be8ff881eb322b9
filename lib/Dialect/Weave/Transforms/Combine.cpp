// SPDX-License-Identifier: Apache-2.0
//
// Emits combinations and their identities, and recognises them.

#include "scanweave/Dialect/Weave/Transforms/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

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

Value scanweave::buildIdentity(OpBuilder &builder, Location loc,
                               CombineKind kind, Type type) {
  TypedAttr value = getIdentity(kind, getElementTypeOrSelf(type));
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = SplatElementsAttr::get(shaped, value);
  return arith::ConstantOp::create(builder, loc, value);
}

Value scanweave::buildCombineTensors(OpBuilder &builder, Location loc,
                                     CombineKind kind, Value lhs, Value rhs) {
  auto type = cast<RankedTensorType>(lhs.getType());
  if (type.getRank() == 0) {
    Value result = buildCombine(
        builder, loc, kind,
        tensor::ExtractOp::create(builder, loc, lhs, ValueRange()),
        tensor::ExtractOp::create(builder, loc, rhs, ValueRange()));
    return tensor::FromElementsOp::create(builder, loc, type, result);
  }
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, lhs),
      type.getElementType());
  // A number that fills a whole tensor needs no tensor.
  SmallVector<Value> inputs;
  Value tensors[] = {lhs, rhs}, numbers[2];
  for (auto [number, tensor] : llvm::zip_equal(numbers, tensors)) {
    number = getSplatScalar(builder, tensor);
    if (!number)
      inputs.push_back(tensor);
  }
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange elements) {
               Value *next = numbers;
               for (Value element : elements.drop_back()) {
                 while (*next)
                   ++next;
                 *next = element;
               }
               linalg::YieldOp::create(
                   nested, loc,
                   buildCombine(nested, loc, kind, numbers[0], numbers[1]));
             })
      .getResult(0);
}

std::optional<CombineKind> scanweave::getCombineKind(Operation *op) {
  using Kind = std::optional<CombineKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return CombineKind::add; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return CombineKind::mul; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [](auto) { return CombineKind::max; })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [](auto) { return CombineKind::min; })
      .Case([](arith::MaxUIOp) { return CombineKind::umax; })
      .Case([](arith::MinUIOp) { return CombineKind::umin; })
      .Case([](arith::AndIOp) { return CombineKind::and_; })
      .Case([](arith::OrIOp) { return CombineKind::or_; })
      .Case([](arith::XOrIOp) { return CombineKind::xor_; })
      .Default([](Operation *) { return Kind(); });
}

Value scanweave::getSplatScalar(OpBuilder &builder, Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return fill.getInputs().front();
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return splat.getInput();
  SplatElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, value.getLoc(),
        cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  return {};
}

bool scanweave::isIdentity(CombineKind kind, Value value) {
  Attribute known;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs().front();
  else if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    value = splat.getInput();
  if (!matchPattern(value, m_Constant(&known)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(known))
    known = splat.getSplatValue<Attribute>();
  return known == getIdentity(kind, getElementTypeOrSelf(value.getType()));
}
