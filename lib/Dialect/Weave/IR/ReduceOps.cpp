// SPDX-License-Identifier: Apache-2.0
//
// weave.reduce and weave.partial_reduce: assembly, rules and accessors. They
// differ in that the second has rows, one per grain, in front of its result,
// and no init. Also the rule of weave.tree_reduce.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

static bool isReduction(ArrayAttr iterators, unsigned dim) {
  return cast<StringAttr>(iterators[dim]).getValue() == "reduction";
}

static unsigned grainDim(ArrayAttr iterators) {
  for (unsigned dim = 0; dim < iterators.size(); ++dim)
    if (isReduction(iterators, dim))
      return dim;
  llvm_unreachable("rule F2: there is a reduction dimension");
}

static AffineMap mapOf(ArrayAttr maps, unsigned operand) {
  return cast<AffineMapAttr>(maps[operand]).getValue();
}

unsigned ReduceOp::getGrainDim() { return grainDim(getIterators()); }
unsigned PartialReduceOp::getGrainDim() { return grainDim(getIterators()); }
bool ReduceOp::isReductionDim(unsigned dim) {
  return isReduction(getIterators(), dim);
}
bool PartialReduceOp::isReductionDim(unsigned dim) {
  return isReduction(getIterators(), dim);
}
AffineMap ReduceOp::getMap(unsigned operand) {
  return mapOf(getMaps(), operand);
}
AffineMap PartialReduceOp::getMap(unsigned operand) {
  return mapOf(getMaps(), operand);
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Parses `keyword ( operands : types )`.
static ParseResult parseGroup(OpAsmParser &parser, StringRef keyword,
                              OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  if (parser.parseKeyword(keyword) || parser.parseLParen())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseColonTypeList(types) ||
      parser.parseRParen())
    return failure();
  return parser.resolveOperands(operands, types, loc, result.operands);
}

template <typename Op>
static ParseResult parseReduce(OpAsmParser &parser, OperationState &result) {
  constexpr bool isPartial = std::is_same_v<Op, PartialReduceOp>;
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  CombineKindAttr kind;
  if (parser.parseCustomAttributeWithFallback(kind) ||
      parser.parseKeyword("maps") || parser.parseAttribute(properties.maps) ||
      parser.parseKeyword("iterators") ||
      parser.parseAttribute(properties.iterators))
    return failure();
  properties.kind = kind;
  OpAsmParser::UnresolvedOperand extent;
  if (isPartial && (parser.parseKeyword("extent") || parser.parseLParen() ||
                    parser.parseOperand(extent) || parser.parseRParen()))
    return failure();
  if (parseGroup(parser, "ins", result))
    return failure();
  if (isPartial) {
    if (parser.resolveOperand(extent, parser.getBuilder().getIndexType(),
                              result.operands))
      return failure();
  } else if (parseGroup(parser, "init", result)) {
    return failure();
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) || parser.parseArrow())
    return failure();
  Type type;
  if (parser.parseType(type))
    return failure();
  result.addTypes(type);
  return success();
}

template <typename Op> static void printReduce(OpAsmPrinter &printer, Op op) {
  printer << ' ';
  op.getKindAttr().print(printer);
  printer << " maps " << op.getMaps() << " iterators " << op.getIterators();
  if constexpr (std::is_same_v<Op, PartialReduceOp>)
    printer << " extent(" << op.getExtent() << ')';
  printer << " ins(" << op.getInputs() << " : " << op.getInputs().getTypes()
          << ')';
  if constexpr (std::is_same_v<Op, ReduceOp>)
    printer << " init(" << op.getInit() << " : " << op.getInit().getType()
            << ')';
  printer.printOptionalAttrDictWithKeyword(op->getAttrs(),
                                           {"kind", "maps", "iterators"});
  printer << ' ';
  printer.printRegion(op.getRegion());
  printer << " -> " << op.getResult().getType();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseReduce<ReduceOp>(parser, result);
}
ParseResult PartialReduceOp::parse(OpAsmParser &parser,
                                   OperationState &result) {
  return parseReduce<PartialReduceOp>(parser, result);
}
void ReduceOp::print(OpAsmPrinter &printer) { printReduce(printer, *this); }
void PartialReduceOp::print(OpAsmPrinter &printer) {
  printReduce(printer, *this);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Rules F1 to F3. `resultShape` has no rows.
template <typename Op>
static LogicalResult verifySpace(Op op, ArrayRef<int64_t> resultShape) {
  unsigned dims = op.getIterators().size(), inputs = op.getInputs().size();
  bool hasReduction = false;
  for (Attribute iterator : op.getIterators()) {
    StringRef name = cast<StringAttr>(iterator).getValue();
    if (name != "parallel" && name != "reduction")
      return op.emitOpError()
             << "an iterator must be parallel or reduction, found " << name
             << " (F1)";
    hasReduction |= name == "reduction";
  }
  if (!hasReduction)
    return op.emitOpError() << "must have a reduction iterator (F2)";
  if (op.getMaps().size() != inputs + 1)
    return op.emitOpError()
           << "must have " << inputs + 1
           << " maps, one per input and one for the result, found "
           << op.getMaps().size() << " (F1)";
  SmallVector<int64_t> extents(dims, ShapedType::kDynamic);
  SmallVector<bool> isRead(dims, false);
  for (unsigned operand = 0; operand <= inputs; ++operand) {
    AffineMap map = op.getMap(operand);
    ArrayRef<int64_t> shape =
        operand < inputs
            ? cast<RankedTensorType>(op.getInputs()[operand].getType())
                  .getShape()
            : resultShape;
    if (map.getNumDims() != dims || map.getNumSymbols() ||
        !map.isProjectedPermutation() || map.getNumResults() != shape.size())
      return op.emitOpError()
             << "map " << operand << " must be a projected permutation of "
             << dims << " dimensions with " << shape.size()
             << " results, found " << AffineMapAttr::get(map) << " (F1)";
    for (auto [expr, extent] : llvm::zip_equal(map.getResults(), shape)) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      if (operand == inputs && op.isReductionDim(dim))
        return op.emitOpError()
               << "the result must not have reduction dimension " << dim
               << " (F2)";
      isRead[dim] |= operand < inputs || !op.isReductionDim(dim);
      if (ShapedType::isDynamic(extent))
        continue;
      if (ShapedType::isDynamic(extents[dim]))
        extents[dim] = extent;
      else if (extents[dim] != extent)
        return op.emitOpError()
               << "dimension " << dim << " has extent " << extents[dim]
               << ", but operand " << operand << " has " << extent << " (F3)";
    }
  }
  for (unsigned dim = 0; dim < dims; ++dim)
    if (!op.isReductionDim(dim) && !op.getResultMap().isFunctionOfDim(dim))
      return op.emitOpError()
             << "the result must have parallel dimension " << dim << " (F2)";
  for (unsigned dim = 0; dim < dims; ++dim)
    if (!isRead[dim])
      return op.emitOpError() << "no operand has dimension " << dim << " (F3)";
  return success();
}

bool scanweave::combines(CombineKind kind, Type element) {
  bool integerOnly = kind >= CombineKind::umax;
  return isa<FloatType>(element) ? !integerOnly : element.isSignlessInteger();
}

/// Rule F5.
template <typename Op> static LogicalResult verifyKind(Op op, Type element) {
  if (combines(op.getKind(), element))
    return success();
  return op.emitOpError() << "'" << stringifyCombineKind(op.getKind())
                          << "' does not combine " << element << " (F5)";
}

/// Rules F4 and F5.
template <typename Op> static LogicalResult verifyReduceBody(Op op) {
  Type element =
      cast<RankedTensorType>(op.getResult().getType()).getElementType();
  SmallVector<Type> expected;
  for (Value input : op.getInputs())
    expected.push_back(
        cast<RankedTensorType>(input.getType()).getElementType());
  expected.push_back(element);
  if (op.getBody()->getArgumentTypes() != TypeRange(expected))
    return op.emitOpError()
           << "the body's arguments must be (" << TypeRange(expected)
           << "), found (" << op.getBody()->getArgumentTypes() << ") (F4)";
  auto yield = cast<YieldOp>(op.getBody()->getTerminator());
  if (yield.getValues().size() != 1 ||
      yield.getValues().front().getType() != element)
    return yield.emitOpError()
           << "must yield one accumulator of type " << element << ", found ("
           << yield.getValues().getTypes() << ") (F4)";
  return verifyKind(op, element);
}

LogicalResult ReduceOp::verify() {
  if (getInit().getType() != getResult().getType())
    return emitOpError() << "the result must have the init's type "
                         << getInit().getType() << ", found "
                         << getResult().getType() << " (F1)";
  return verifySpace(*this,
                     cast<RankedTensorType>(getResult().getType()).getShape());
}
LogicalResult ReduceOp::verifyRegions() { return verifyReduceBody(*this); }

LogicalResult PartialReduceOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (type.getRank() == 0)
    return emitOpError() << "the result must have a dimension of rows, found "
                         << type << " (F1)";
  return verifySpace(*this, type.getShape().drop_front());
}
LogicalResult PartialReduceOp::verifyRegions() {
  return verifyReduceBody(*this);
}

LogicalResult TreeReduceOp::verify() {
  auto rows = cast<RankedTensorType>(getRows().getType());
  auto found = cast<RankedTensorType>(getResult().getType());
  if (rows.getRank() == 0 || found.getElementType() != rows.getElementType() ||
      found.getShape() != rows.getShape().drop_front())
    return emitOpError() << "the result must be a row of " << rows << ", found "
                         << found << " (F6)";
  return verifyKind(*this, rows.getElementType());
}
