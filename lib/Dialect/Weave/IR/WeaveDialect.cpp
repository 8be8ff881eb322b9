// SPDX-License-Identifier: Apache-2.0
//
// Registers the weave dialect and checks its attributes on functions.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

#include "scanweave/Dialect/Weave/IR/WeaveDialect.cpp.inc"
#include "scanweave/Dialect/Weave/IR/WeaveEnums.cpp.inc"
#include "scanweave/Dialect/Weave/IR/WeaveInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "scanweave/Dialect/Weave/IR/WeaveTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "scanweave/Dialect/Weave/IR/WeaveAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "scanweave/Dialect/Weave/IR/WeaveOps.cpp.inc"

namespace {

/// A function's body may be inlined into every region of the dialect, and every
/// op of it into any region: an op's rules hold wherever its body stands. The
/// inliner itself keeps functions of several blocks out of regions of one.
struct WeaveInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};

} // namespace

void WeaveDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "scanweave/Dialect/Weave/IR/WeaveTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "scanweave/Dialect/Weave/IR/WeaveAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "scanweave/Dialect/Weave/IR/WeaveOps.cpp.inc"
      >();
  addInterfaces<WeaveInliner>();
}

Operation *WeaveDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Types of slices and stacks
//===----------------------------------------------------------------------===//

Type scanweave::getSliceType(RankedTensorType type, int64_t axis) {
  if (type.getRank() == 1)
    return type.getElementType();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, type.getElementType());
}

RankedTensorType scanweave::getStackedType(Type type, int64_t axis,
                                           int64_t extent) {
  auto isNumber = [](Type type) {
    return type.isSignlessIntOrFloat() || type.isIndex();
  };
  if (isNumber(type))
    return axis == 0 ? RankedTensorType::get({extent}, type)
                     : RankedTensorType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  // A slice of rank 0 is written as the scalar.
  if (!tensor || tensor.getRank() == 0 || !isNumber(tensor.getElementType()) ||
      axis < 0 || axis > tensor.getRank())
    return {};
  SmallVector<int64_t> shape(tensor.getShape());
  shape.insert(shape.begin() + axis, extent);
  return RankedTensorType::get(shape, tensor.getElementType());
}

bool scanweave::isNumberTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 1 && !tensor.getEncoding() &&
         (tensor.getElementType().isSignlessIntOrFloat() ||
          tensor.getElementType().isIndex());
}

int64_t scanweave::getStaticExtent(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return ShapedType::kDynamic;
}

int64_t scanweave::getStaticLanes(Operation *op) {
  auto map = cast<MapOpInterface>(op);
  for (auto [input, axis] : llvm::zip_equal(map.getInputs(), map.getInAxes())) {
    int64_t extent = cast<RankedTensorType>(input.getType()).getDimSize(axis);
    if (!ShapedType::isDynamic(extent))
      return extent;
  }
  return getStaticExtent(map.getLanes());
}

//===----------------------------------------------------------------------===//
// Placements
//===----------------------------------------------------------------------===//

ParseResult scanweave::parsePlacement(AsmParser &parser,
                                      PlacementAttr &placement) {
  FailureOr<PlacementKind> kind = FieldParser<PlacementKind>::parse(parser);
  if (failed(kind))
    return failure();
  int64_t dim = 0;
  if (*kind == PlacementKind::sharded &&
      (parser.parseLParen() || parser.parseInteger(dim) ||
       parser.parseRParen()))
    return failure();
  placement = PlacementAttr::get(parser.getContext(), *kind, dim);
  return success();
}

void scanweave::printPlacement(AsmPrinter &printer, PlacementAttr placement) {
  printer << stringifyPlacementKind(placement.getKind());
  if (placement.isSharded())
    printer << '(' << placement.getDim() << ')';
}

Attribute PlacementAttr::parse(AsmParser &parser, Type) {
  PlacementAttr placement;
  if (parser.parseLess() || parsePlacement(parser, placement) ||
      parser.parseGreater())
    return {};
  return placement;
}

void PlacementAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printPlacement(printer, *this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Attributes of a program's arguments and results
//===----------------------------------------------------------------------===//

/// Rules A1 (`weave.name` and `weave.help` are strings), A2 (`weave.default`
/// is a number of the argument's element type), A3 (`weave.unsigned` is on an
/// integer) and A4 (there are no others, and none elsewhere).
static LogicalResult verifyInterfaceAttribute(Operation *op, Type type,
                                              NamedAttribute attribute,
                                              bool isResult) {
  StringRef name = attribute.getName();
  Type element = getElementTypeOrSelf(type);
  if (name == "weave.name" || name == "weave.help") {
    if (!isa<StringAttr>(attribute.getValue()))
      return op->emitOpError() << "'" << name << "' must be a string, found "
                               << attribute.getValue() << " (A1)";
    return success();
  }
  if (name == "weave.default" && !isResult) {
    auto value = dyn_cast<TypedAttr>(attribute.getValue());
    if (!value || !isa<IntegerAttr, FloatAttr>(attribute.getValue()) ||
        value.getType() != element)
      return op->emitOpError()
             << "'weave.default' must be a number of type " << element
             << ", found " << attribute.getValue() << " (A2)";
    return success();
  }
  if (name == "weave.unsigned") {
    if (!isa<UnitAttr>(attribute.getValue()) || !isa<IntegerType>(element))
      return op->emitOpError()
             << "'weave.unsigned' must be a unit attribute "
                "of an integer, found "
             << attribute.getValue() << " on " << type << " (A3)";
    return success();
  }
  return op->emitOpError() << "unknown attribute '" << name
                           << "' of a function's "
                           << (isResult ? "result" : "argument") << " (A4)";
}

LogicalResult WeaveDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned argument,
                                                     NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError() << "'" << attribute.getName()
                             << "' belongs on a function's argument (A4)";
  return verifyInterfaceAttribute(op, function.getArgumentTypes()[argument],
                                  attribute,
                                  /*isResult=*/false);
}

LogicalResult WeaveDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError() << "'" << attribute.getName()
                             << "' belongs on a function's result (A4)";
  return verifyInterfaceAttribute(op, function.getResultTypes()[result],
                                  attribute,
                                  /*isResult=*/true);
}
