// SPDX-License-Identifier: Apache-2.0
//
// weave.scan: assembly, rules and interfaces. Also weave.yield, whose form
// depends on whether it ends a scan.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

void ScanOp::build(OpBuilder &builder, OperationState &state, TypeRange results,
                   ValueRange inits, ValueRange xs, Value length,
                   bool reverse) {
  state.addOperands(inits);
  state.addOperands(xs);
  if (length)
    state.addOperands(length);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(inits.size()),
                                    static_cast<int32_t>(xs.size()),
                                    length ? 1 : 0,
                                    0,
                                    0,
                                    0,
                                    0};
  if (reverse)
    properties.reverse = builder.getUnitAttr();
  state.addTypes(results);

  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  Block *body = builder.createBlock(region);
  for (Value init : inits)
    body->addArgument(init.getType(), init.getLoc());
  for (Value x : xs)
    body->addArgument(getSliceType(cast<RankedTensorType>(x.getType()), 0),
                      x.getLoc());
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Parses `keyword ( %arg = %operand : type, ... )` if the keyword is next.
static ParseResult
parseBindings(OpAsmParser &parser, StringRef keyword,
              SmallVectorImpl<OpAsmParser::Argument> &arguments,
              SmallVectorImpl<Value> &operands) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        OpAsmParser::UnresolvedOperand operand;
        Type type;
        if (parser.parseArgument(arguments.emplace_back()) ||
            parser.parseEqual() || parser.parseOperand(operand) ||
            parser.parseColonType(type))
          return failure();
        return parser.resolveOperand(operand, type, operands);
      });
}

static void printBindings(OpAsmPrinter &printer, StringRef keyword,
                          ValueRange arguments, ValueRange operands) {
  if (operands.empty())
    return;
  printer << ' ' << keyword << '(';
  llvm::interleaveComma(llvm::zip_equal(arguments, operands), printer,
                        [&](auto pair) {
                          auto [argument, operand] = pair;
                          printer.printOperand(argument);
                          printer << " = ";
                          printer.printOperand(operand);
                          printer << " : " << operand.getType();
                        });
  printer << ')';
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Value> inits, xs, length, first, last, dests, storeIf;
  auto parseIndex = [&](SmallVectorImpl<Value> &values) -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    return failure(
        parser.parseOperand(operand) ||
        parser.resolveOperand(operand, builder.getIndexType(), values));
  };

  if (parseBindings(parser, "carry", arguments, inits))
    return failure();
  if (parseBindings(parser, "xs", arguments, xs))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("length")) &&
      (parser.parseLParen() || parseIndex(length) || parser.parseRParen()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("range")) &&
      (parser.parseLParen() || parseIndex(first) || parser.parseKeyword("to") ||
       parseIndex(last) || parser.parseRParen()))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("into"))) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    SmallVector<Type> types;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseLParen() || parser.parseOperandList(operands) ||
        parser.parseColonTypeList(types) || parser.parseRParen() ||
        parser.resolveOperands(operands, types, loc, dests))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("store_if"))) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    if (parser.parseLParen() || parser.parseOperandList(operands) ||
        parser.parseRParen() ||
        parser.resolveOperands(operands, builder.getI1Type(), storeIf))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("reverse")))
    properties.reverse = builder.getUnitAttr();
  if (succeeded(parser.parseOptionalKeyword("unroll"))) {
    int64_t unroll;
    if (parser.parseLParen() || parser.parseInteger(unroll) ||
        parser.parseRParen())
      return failure();
    properties.unroll = builder.getI64IntegerAttr(unroll);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  // The types of the body's arguments follow from the operands.
  for (auto [argument, operand] :
       llvm::zip(arguments, llvm::concat<Value>(inits, xs)))
    argument.type = operand.getType();
  for (auto [argument, x] :
       llvm::zip(llvm::drop_begin(arguments, inits.size()), xs)) {
    auto type = dyn_cast<RankedTensorType>(x.getType());
    if (!isNumberTensor(x.getType()))
      return parser.emitError(argument.ssaName.location)
             << "a scanned input must be a tensor of numbers of rank >= 1, "
                "found "
             << x.getType() << " (S2)";
    argument.type = getSliceType(type, 0);
  }
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseTypeList(result.types))
    return failure();

  SmallVector<int32_t> sizes;
  for (auto *group : {&inits, &xs, &length, &first, &last, &dests, &storeIf}) {
    result.addOperands(*group);
    sizes.push_back(group->size());
  }
  llvm::copy(sizes, properties.operandSegmentSizes.begin());
  return success();
}

void ScanOp::print(OpAsmPrinter &printer) {
  printBindings(printer, "carry", getCarryArgs(), getInits());
  printBindings(printer, "xs", getSliceArgs(), getXs());
  if (getLength())
    printer << " length(" << getLength() << ')';
  if (getFirst())
    printer << " range(" << getFirst() << " to " << getLast() << ')';
  if (!getDests().empty())
    printer << " into(" << getDests() << " : " << getDests().getTypes() << ')';
  if (!getStoreIf().empty())
    printer << " store_if(" << getStoreIf() << ')';
  if (getReverse())
    printer << " reverse";
  if (getUnroll())
    printer << " unroll(" << *getUnroll() << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getOperandSegmentSizesAttrName(), "reverse", "unroll"});
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false);
  if (getNumResults())
    printer << " -> " << getResultTypes();
}

void ScanOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  for (auto [i, argument] : llvm::enumerate(region.getArguments()))
    setName(argument, i < getNumCarries() ? "c" : "x");
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Rule S1, and how many arguments the body has. The interfaces of the loop
/// check types as well, after verify() and before verifyRegions(), and would
/// speak of control flow edges; so this comes before them, when the terminator
/// itself is not verified yet.
static LogicalResult verifyCarries(ScanOp op) {
  Block *body = op.getBody();
  unsigned carries = op.getNumCarries();
  unsigned expected = carries + op.getXs().size();
  if (body->getNumArguments() != expected)
    return op.emitOpError()
           << "the body must have " << expected << " arguments, found "
           << body->getNumArguments() << " (S4)";
  auto yield = body->empty() ? YieldOp() : dyn_cast<YieldOp>(body->back());
  if (!yield)
    return success();
  ArrayRef<int32_t> sizes = yield.getProperties().operandSegmentSizes;
  if (sizes[0] < 0 || sizes[0] + sizes[1] != int64_t(yield->getNumOperands()))
    return success();
  if (yield.getCarries().size() != carries)
    return yield.emitOpError() << "must yield " << carries << " carries, found "
                               << yield.getCarries().size() << " (S1)";
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    auto check = [&](Type found, StringRef what) -> LogicalResult {
      if (found == init.getType())
        return success();
      InFlightDiagnostic diagnostic = op.emitOpError()
                                      << "carry " << i << " begins as "
                                      << init.getType() << ", but its " << what
                                      << " has type " << found << " (S1)";
      diagnostic.attachNote(yield.getLoc())
          << "the next carries are yielded here";
      return diagnostic;
    };
    if (failed(check(body->getArgument(i).getType(), "body argument")) ||
        failed(check(yield.getCarries()[i].getType(), "yielded value")) ||
        failed(check(op.getResult(i).getType(), "result")))
      return failure();
  }
  return success();
}

LogicalResult ScanOp::verify() {
  if (getNumResults() < getNumCarries())
    return emitOpError() << "expected a result for each of its "
                         << getNumCarries() << " carries, found "
                         << getNumResults() << " results (S1)";
  int64_t steps = getStaticExtent(getLength());
  if (steps < 0 && !ShapedType::isDynamic(steps))
    return emitOpError() << "the number of steps must not be negative, found "
                         << steps << " (S3)";
  Value stepsFrom;
  for (Value x : getXs()) {
    auto type = cast<RankedTensorType>(x.getType());
    if (!isNumberTensor(type))
      return emitOpError() << "a scanned input must be a tensor of numbers of "
                              "rank >= 1, found "
                           << type << " (S2)";
    int64_t extent = type.getDimSize(0);
    if (ShapedType::isDynamic(extent))
      continue;
    if (ShapedType::isDynamic(steps)) {
      steps = extent;
      stepsFrom = x;
    } else if (steps != extent) {
      InFlightDiagnostic diagnostic =
          emitOpError() << "a scanned input has " << extent
                        << " steps, expected " << steps << " (S2)";
      if (stepsFrom)
        diagnostic.attachNote(stepsFrom.getLoc())
            << "the number of steps is taken from here";
      return diagnostic;
    }
  }
  if (getXs().empty() && !getLength() && !getFirst())
    return emitOpError() << "without scanned inputs 'length' must give the "
                            "number of steps (S3)";
  if (static_cast<bool>(getFirst()) != static_cast<bool>(getLast()))
    return emitOpError()
           << "'range' needs both its first and its last step (S3)";
  if (!getDests().empty()) {
    if (getDests().getTypes() != getStacked().getTypes())
      return emitOpError() << "'into' must have the stacked outputs' types ("
                           << getStacked().getTypes() << "), found ("
                           << getDests().getTypes() << ") (S6)";
  }
  if (!getStoreIf().empty() && getStoreIf().size() != getDests().size())
    return emitOpError() << "'store_if' must have a condition for each of "
                         << getDests().size() << " destinations, found "
                         << getStoreIf().size() << " (S6)";
  if (getUnroll() && *getUnroll() < 1)
    return emitOpError() << "'unroll' must be at least 1, found "
                         << *getUnroll() << " (S7)";
  return verifyCarries(*this);
}

LogicalResult ScanOp::verifyRegions() {
  for (auto [i, argument, x] : llvm::enumerate(getSliceArgs(), getXs())) {
    Type slice = getSliceType(cast<RankedTensorType>(x.getType()), 0);
    if (argument.getType() != slice)
      return emitOpError() << "the body's argument for scanned input " << i
                           << " must be its slice " << slice << ", found "
                           << argument.getType() << " (S4)";
  }
  YieldOp yield = getYield();
  if (yield.getValues().size() != getNumStacked())
    return yield.emitOpError()
           << "must yield " << getNumStacked() << " stacked values, found "
           << yield.getValues().size() << " (S5)";
  int64_t steps = getStaticLength();
  for (auto [i, value, result] :
       llvm::enumerate(yield.getValues(), getStacked())) {
    if (!getStackedType(value.getType(), 0, 1))
      return yield.emitOpError()
             << "stacked value " << i
             << " must be a number or a tensor of numbers of rank >= 1, found "
             << value.getType() << " (S5)";
    auto type = dyn_cast<RankedTensorType>(result.getType());
    int64_t extent = type && type.getRank() ? type.getDimSize(0) : steps;
    RankedTensorType stacked = getStackedType(value.getType(), 0, extent);
    // A static extent of the result must be the number of steps, where that is
    // known.
    bool sameSteps = ShapedType::isDynamic(extent) ||
                     ShapedType::isDynamic(steps) || extent == steps ||
                     !getDests().empty();
    if (stacked != type || !sameSteps) {
      InFlightDiagnostic diagnostic = emitOpError()
                                      << "stacked output " << i
                                      << " must stack " << value.getType();
      if (!ShapedType::isDynamic(steps))
        diagnostic << " of " << steps << " steps";
      return diagnostic << ", found " << result.getType() << " (S5)";
    }
  }
  return success();
}

YieldOp ScanOp::getYield() { return cast<YieldOp>(getBody()->getTerminator()); }

int64_t ScanOp::getStaticLength() {
  for (Value x : getXs()) {
    int64_t extent = cast<RankedTensorType>(x.getType()).getDimSize(0);
    if (!ShapedType::isDynamic(extent))
      return extent;
  }
  return getStaticExtent(getLength());
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

SmallVector<Region *> ScanOp::getLoopRegions() { return {&getRegion()}; }

Block::BlockArgListType ScanOp::getRegionIterArgs() { return getCarryArgs(); }

std::optional<MutableArrayRef<OpOperand>> ScanOp::getYieldedValuesMutable() {
  return getYield().getCarriesMutable();
}

std::optional<ResultRange> ScanOp::getLoopResults() {
  return getFinalCarries();
}

OperandRange ScanOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInits();
}

void ScanOp::getSuccessorRegions(RegionBranchPoint,
                                 SmallVectorImpl<RegionSuccessor> &regions) {
  // Zero steps leave the body out.
  regions.emplace_back(&getRegion(), getCarryArgs());
  regions.emplace_back(getOperation(), getFinalCarries());
}

MutableOperandRange
YieldOp::getMutableSuccessorOperands(RegionSuccessor successor) {
  return getCarriesMutable();
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

/// Parses `( %a, %b : type, type )`, or the list without parentheses.
static ParseResult parseTypedList(OpAsmParser &parser, bool parentheses,
                                  SmallVectorImpl<Value> &values) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if ((parentheses && parser.parseLParen()) ||
      parser.parseOperandList(operands))
    return failure();
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  if (parentheses && parser.parseRParen())
    return failure();
  return parser.resolveOperands(operands, types, loc, values);
}

ParseResult YieldOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Value> carries, values;
  bool hasCarries = succeeded(parser.parseOptionalKeyword("carry"));
  if (hasCarries && parseTypedList(parser, /*parentheses=*/true, carries))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("ys"))) {
    if (parseTypedList(parser, /*parentheses=*/true, values))
      return failure();
  } else if (!hasCarries &&
             parseTypedList(parser, /*parentheses=*/false, values)) {
    return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addOperands(carries);
  result.addOperands(values);
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      static_cast<int32_t>(carries.size()),
      static_cast<int32_t>(values.size())};
  return success();
}

void YieldOp::print(OpAsmPrinter &printer) {
  auto printList = [&](OperandRange values) {
    printer << values << " : " << values.getTypes();
  };
  if (!getCarries().empty()) {
    printer << " carry(";
    printList(getCarries());
    printer << ')';
  }
  if (!getValues().empty()) {
    bool inScan = isa_and_nonnull<ScanOp>((*this)->getParentOp());
    printer << (inScan ? " ys(" : " ");
    printList(getValues());
    printer << (inScan ? ")" : "");
  }
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizesAttrName()});
}

LogicalResult YieldOp::verify() {
  if (!getCarries().empty() && !isa<ScanOp>((*this)->getParentOp()))
    return emitOpError() << "only a scan has carries, found "
                         << getCarries().size() << " in a "
                         << (*this)->getParentOp()->getName() << " (Y1)";
  return success();
}
