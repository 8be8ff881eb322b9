// SPDX-License-Identifier: Apache-2.0
//
// weave.pmap and weave.vmap, which differ in how they run and in nothing else:
// assembly, rules and interfaces.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

template <typename MapOp>
static void buildMap(OpBuilder &builder, OperationState &state,
                     TypeRange results, ValueRange inputs, Value lanes,
                     ArrayRef<int64_t> inAxes, ArrayRef<int64_t> outAxes) {
  state.addOperands(inputs);
  if (lanes)
    state.addOperands(lanes);
  SmallVector<int64_t> in(inAxes), out(outAxes);
  in.resize(inputs.size(), 0);
  out.resize(results.size(), 0);
  auto &properties = state.getOrAddProperties<typename MapOp::Properties>();
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    lanes ? 1 : 0};
  properties.inAxes = builder.getDenseI64ArrayAttr(in);
  properties.outAxes = builder.getDenseI64ArrayAttr(out);
  state.addTypes(results);

  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  Block *body = builder.createBlock(region);
  body->addArgument(AxisType::get(builder.getContext()), state.location);
  for (auto [input, axis] : llvm::zip_equal(inputs, in))
    body->addArgument(
        getSliceType(cast<RankedTensorType>(input.getType()), axis),
        input.getLoc());
}

void PMapOp::build(OpBuilder &builder, OperationState &state, TypeRange results,
                   ValueRange inputs, Value lanes, ArrayRef<int64_t> inAxes,
                   ArrayRef<int64_t> outAxes) {
  buildMap<PMapOp>(builder, state, results, inputs, lanes, inAxes, outAxes);
}

void VMapOp::build(OpBuilder &builder, OperationState &state, TypeRange results,
                   ValueRange inputs, Value lanes, ArrayRef<int64_t> inAxes,
                   ArrayRef<int64_t> outAxes) {
  buildMap<VMapOp>(builder, state, results, inputs, lanes, inAxes, outAxes);
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// Parses `keyword [ 0, 1 ]` if the keyword is next.
static ParseResult parseAxes(OpAsmParser &parser, StringRef keyword,
                             SmallVector<int64_t> &axes) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  axes.clear();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() {
    return parser.parseInteger(axes.emplace_back());
  });
}

template <typename MapOp>
static ParseResult parseMap(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<typename MapOp::Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Value> inputs, lanes;
  OpAsmParser::Argument &axis = arguments.emplace_back();
  if (parser.parseArgument(axis))
    return failure();
  axis.type = AxisType::get(builder.getContext());

  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    Type type;
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() || parser.parseOperand(operand) ||
                   parser.parseColonType(type) ||
                   parser.resolveOperand(operand, type, inputs));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::OptionalParen,
                                     parseInput))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("lanes"))) {
    OpAsmParser::UnresolvedOperand operand;
    if (parser.parseLParen() || parser.parseOperand(operand) ||
        parser.parseRParen() ||
        parser.resolveOperand(operand, builder.getIndexType(), lanes))
      return failure();
  }
  SmallVector<int64_t> inAxes(inputs.size(), 0), outAxes;
  if (parseAxes(parser, "in_axes", inAxes))
    return failure();
  SMLoc outAxesLoc = parser.getCurrentLocation();
  if (parseAxes(parser, "out_axes", outAxes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseLParen() || parser.parseKeyword(&word) ||
        parser.parseRParen())
      return failure();
    std::optional<Schedule> schedule = symbolizeSchedule(word);
    if (!schedule)
      return parser.emitError(loc)
             << "expected a schedule of static or dynamic, found " << word;
    properties.schedule = ScheduleAttr::get(builder.getContext(), *schedule);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  // The slices' types follow from the inputs; bad axes are for the verifier.
  for (auto [i, input] : llvm::enumerate(inputs)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    int64_t inAxis = i < inAxes.size() ? inAxes[i] : 0;
    if (!isNumberTensor(input.getType()))
      return parser.emitError(arguments[i + 1].ssaName.location)
             << "a mapped input must be a tensor of numbers of rank >= 1, "
                "found "
             << input.getType() << " (M1)";
    if (inAxis < 0 || inAxis >= type.getRank())
      inAxis = 0;
    arguments[i + 1].type = getSliceType(type, inAxis);
  }
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  MapOp::ensureTerminator(*body, builder, result.location);
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseTypeList(result.types))
    return failure();
  if (outAxes.empty())
    outAxes.resize(result.types.size(), 0);
  else if (outAxes.size() != result.types.size())
    return parser.emitError(outAxesLoc)
           << "'out_axes' must have " << result.types.size()
           << " axes, one per result, found " << outAxes.size() << " (M3)";

  result.addOperands(inputs);
  result.addOperands(lanes);
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(lanes.size())};
  properties.inAxes = builder.getDenseI64ArrayAttr(inAxes);
  properties.outAxes = builder.getDenseI64ArrayAttr(outAxes);
  return success();
}

template <typename MapOp>
static void printMap(OpAsmPrinter &printer, MapOp op) {
  auto isZero = [](int64_t axis) { return axis == 0; };
  auto printAxes = [&](StringRef keyword, ArrayRef<int64_t> axes) {
    if (!llvm::all_of(axes, isZero))
      printer << ' ' << keyword << " [" << axes << ']';
  };
  Block *body = op.getBody();
  printer << ' ';
  printer.printOperand(body->getArgument(0));
  if (!op.getInputs().empty()) {
    printer << " (";
    llvm::interleaveComma(
        llvm::zip_equal(body->getArguments().drop_front(1), op.getInputs()),
        printer, [&](auto pair) {
          auto [argument, input] = pair;
          printer.printOperand(argument);
          printer << " = " << input << " : " << input.getType();
        });
    printer << ')';
  }
  if (op.getLanes())
    printer << " lanes(" << op.getLanes() << ')';
  printAxes("in_axes", op.getInAxes());
  printAxes("out_axes", op.getOutAxes());
  if (op.getSchedule() != Schedule::static_)
    printer << " schedule(" << stringifySchedule(op.getSchedule()) << ')';
  printer.printOptionalAttrDictWithKeyword(
      op->getAttrs(),
      {op.getOperandSegmentSizesAttrName(), "inAxes", "outAxes", "schedule"});
  printer << ' ';
  printer.printRegion(op.getRegion(), /*printEntryBlockArgs=*/false);
  if (op->getNumResults())
    printer << " -> " << op->getResultTypes();
}

ParseResult PMapOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMap<PMapOp>(parser, result);
}
ParseResult VMapOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMap<VMapOp>(parser, result);
}
void PMapOp::print(OpAsmPrinter &printer) { printMap(printer, *this); }
void VMapOp::print(OpAsmPrinter &printer) { printMap(printer, *this); }

static void nameBlockArguments(Region &region, OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  for (BlockArgument argument : region.getArguments())
    setName(argument, isa<AxisType>(argument.getType()) ? "i" : "x");
}
void PMapOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameBlockArguments(region, setName);
}
void VMapOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameBlockArguments(region, setName);
}

SmallVector<Region *> PMapOp::getLoopRegions() { return {&getRegion()}; }
SmallVector<Region *> VMapOp::getLoopRegions() { return {&getRegion()}; }

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static LogicalResult verifyMap(MapOpInterface map) {
  Operation *op = map;
  if (map.getInAxes().size() != map.getInputs().size())
    return op->emitOpError() << "'in_axes' must have " << map.getInputs().size()
                             << " axes, one per input, found "
                             << map.getInAxes().size() << " (M3)";
  if (map.getOutAxes().size() != op->getNumResults())
    return op->emitOpError() << "'out_axes' must have " << op->getNumResults()
                             << " axes, one per result, found "
                             << map.getOutAxes().size() << " (M3)";
  if (map.getInputs().empty() && !map.getLanes())
    return op->emitOpError() << "without mapped inputs 'lanes' must give the "
                                "number of lanes (M2)";

  int64_t lanes = getStaticExtent(map.getLanes());
  if (lanes < 0 && !ShapedType::isDynamic(lanes))
    return op->emitOpError()
           << "the number of lanes must not be negative, found " << lanes
           << " (M2)";
  Value lanesFrom;
  for (auto [i, input, axis] :
       llvm::enumerate(map.getInputs(), map.getInAxes())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (!isNumberTensor(type))
      return op->emitOpError() << "a mapped input must be a tensor of numbers "
                                  "of rank >= 1, found "
                               << type << " (M1)";
    if (axis < 0 || axis >= type.getRank())
      return op->emitOpError()
             << "mapped axis of input " << i << " must be in [0, "
             << type.getRank() << ") for " << type << ", found " << axis
             << " (M3)";
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != axis && type.isDynamicDim(dim))
        return op->emitOpError()
               << "only the mapped axis " << axis << " of input " << i
               << " may be dynamic, found " << type << " (M6)";
    int64_t extent = type.getDimSize(axis);
    if (ShapedType::isDynamic(extent))
      continue;
    if (ShapedType::isDynamic(lanes)) {
      lanes = extent;
      lanesFrom = input;
    } else if (lanes != extent) {
      InFlightDiagnostic diagnostic =
          op->emitOpError() << "input " << i << " has " << extent
                            << " lanes, expected " << lanes << " (M1)";
      if (lanesFrom)
        diagnostic.attachNote(lanesFrom.getLoc())
            << "the number of lanes is taken from here";
      return diagnostic;
    }
  }
  return success();
}

static LogicalResult verifyMapRegion(MapOpInterface map) {
  Operation *op = map;
  Block &body = map.getRegion().front();
  unsigned expected = 1 + map.getInputs().size();
  if (body.getNumArguments() != expected ||
      !isa<AxisType>(body.getArgument(0).getType()))
    return op->emitOpError()
           << "the body must have the axis and " << map.getInputs().size()
           << " slices as arguments, found (" << body.getArgumentTypes()
           << ") (M4)";
  for (auto [i, argument, input, axis] :
       llvm::enumerate(map.getSliceArgs(), map.getInputs(), map.getInAxes())) {
    Type slice = getSliceType(cast<RankedTensorType>(input.getType()), axis);
    if (argument.getType() != slice)
      return op->emitOpError()
             << "the body's argument for input " << i << " must be its slice "
             << slice << ", found " << argument.getType() << " (M4)";
  }
  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getValues().size() != op->getNumResults())
    return yield.emitOpError()
           << "must yield " << op->getNumResults() << " values, found "
           << yield.getValues().size() << " (M5)";
  int64_t lanes = map.getStaticLanes();
  for (auto [i, value, type, axis] : llvm::enumerate(
           yield.getValues(), op->getResultTypes(), map.getOutAxes())) {
    auto found = cast<RankedTensorType>(type);
    if (!getStackedType(value.getType(), 0, 1))
      return yield.emitOpError()
             << "value " << i
             << " must be a number or a tensor of numbers of rank >= 1, found "
             << value.getType() << " (M5)";
    bool axisInRank = axis >= 0 && axis < std::max<int64_t>(found.getRank(), 1);
    if (!axisInRank)
      return op->emitOpError()
             << "out axis of result " << i << " must be in [0, "
             << found.getRank() << ") for " << found << ", found " << axis
             << " (M3)";
    int64_t extent = found.getRank() ? found.getDimSize(axis) : lanes;
    bool sameLanes = ShapedType::isDynamic(extent) ||
                     ShapedType::isDynamic(lanes) || extent == lanes;
    if (getStackedType(value.getType(), axis, extent) != found || !sameLanes) {
      InFlightDiagnostic diagnostic = op->emitOpError()
                                      << "result " << i << " must stack "
                                      << value.getType();
      if (!ShapedType::isDynamic(lanes))
        diagnostic << " of " << lanes << " lanes";
      return diagnostic << " at axis " << axis << ", found " << found
                        << " (M5)";
    }
  }
  return success();
}

LogicalResult PMapOp::verify() { return verifyMap(*this); }
LogicalResult VMapOp::verify() { return verifyMap(*this); }
LogicalResult PMapOp::verifyRegions() { return verifyMapRegion(*this); }
LogicalResult VMapOp::verifyRegions() { return verifyMapRegion(*this); }
