// SPDX-License-Identifier: Apache-2.0
//
// weave.spmd and what workers do together: rules, effects and folders.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "scanweave/Runtime/Partition.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// SpmdOp and FinishOp
//===----------------------------------------------------------------------===//

void SpmdOp::build(OpBuilder &builder, OperationState &state, Value steps,
                   ValueRange inits) {
  if (steps)
    state.addOperands(steps);
  state.addOperands(inits);
  state.getOrAddProperties<Properties>().operandSegmentSizes = {
      steps ? 1 : 0, static_cast<int32_t>(inits.size())};
  state.addTypes(inits.getTypes());

  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  Block *body = builder.createBlock(region);
  body->addArgument(TeamType::get(builder.getContext()), state.location);
  if (steps)
    body->addArguments({builder.getIndexType(), builder.getIndexType()},
                       {state.location, state.location});
  for (Value init : inits)
    body->addArgument(init.getType(), init.getLoc());
}

void SpmdOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  auto arguments = region.getArguments();
  if (!arguments.empty())
    setName(arguments[0], "team");
  if (getSteps() && arguments.size() >= 3) {
    setName(arguments[1], "first");
    setName(arguments[2], "last");
  }
}

LogicalResult SpmdOp::verify() {
  if (getResultTypes() != getInits().getTypes())
    return emitOpError() << "the results must have the inits' types ("
                         << getInits().getTypes() << "), found ("
                         << getResultTypes() << ") (P2)";
  if (auto outer = (*this)->getParentOfType<SpmdOp>()) {
    InFlightDiagnostic diagnostic = emitOpError()
                                    << "spmd regions do not nest (P3)";
    diagnostic.attachNote(outer.getLoc()) << "the enclosing region is here";
    return diagnostic;
  }
  return success();
}

LogicalResult SpmdOp::verifyRegions() {
  SmallVector<Type> expected = {TeamType::get(getContext())};
  if (getSteps())
    expected.append(2, IndexType::get(getContext()));
  llvm::append_range(expected, getInits().getTypes());
  if (getBody()->getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "the body's arguments must be ("
                         << TypeRange(expected) << "), found ("
                         << getBody()->getArgumentTypes() << ") (P1)";
  return success();
}

// `%a replicated, %b sharded(0) : type, type attr-dict`
ParseResult FinishOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> values;
  SmallVector<Attribute> placements;
  SmallVector<Type> types;
  OpAsmParser::UnresolvedOperand value;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult next = parser.parseOptionalOperand(value);
  while (next.has_value()) {
    PlacementAttr placement;
    if (failed(*next) || parsePlacement(parser, placement))
      return failure();
    values.push_back(value);
    placements.push_back(placement);
    if (failed(parser.parseOptionalComma()))
      break;
    if (next = parser.parseOptionalOperand(value); !next.has_value())
      return parser.emitError(parser.getCurrentLocation(), "expected a value");
  }
  if (!values.empty() && parser.parseColonTypeList(types))
    return failure();
  state.getOrAddProperties<Properties>().placements =
      parser.getBuilder().getArrayAttr(placements);
  return failure(parser.parseOptionalAttrDict(state.attributes) ||
                 parser.resolveOperands(values, types, loc, state.operands));
}

void FinishOp::print(OpAsmPrinter &printer) {
  if (!getValues().empty()) {
    printer << ' ';
    llvm::interleaveComma(
        llvm::zip(getValues(), getPlacements()), printer, [&](auto placed) {
          printer << std::get<0>(placed) << ' ';
          printPlacement(printer, cast<PlacementAttr>(std::get<1>(placed)));
        });
    printer << " : " << getValues().getTypes();
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"placements"});
}

LogicalResult FinishOp::verify() {
  auto spmd = cast<SpmdOp>((*this)->getParentOp());
  unsigned inits = spmd.getInits().size();
  if (getValues().size() != inits || getPlacements().size() != inits)
    return emitOpError() << "must have a value and a placement for each of "
                         << inits << " inits, found " << getValues().size()
                         << " values and " << getPlacements().size()
                         << " placements (P4)";
  for (auto [i, value, init, attribute] :
       llvm::enumerate(getValues(), spmd.getInits(), getPlacements())) {
    auto placement = cast<PlacementAttr>(attribute);
    Type expected = init.getType();
    if (placement.isPartial())
      return emitOpError() << "value " << i
                           << " is partial: its summands must be combined "
                              "before it comes back (P5)";
    if (placement.isSharded()) {
      auto type = dyn_cast<RankedTensorType>(expected);
      int64_t dim = placement.getDim();
      if (!type || dim < 0 || dim >= type.getRank())
        return emitOpError() << "init " << i << " of type " << expected
                             << " has no dimension " << dim << " to cut (P5)";
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] = ShapedType::kDynamic;
      expected = RankedTensorType::get(shape, type.getElementType());
    }
    if (value.getType() != expected)
      return emitOpError() << "value " << i << " must have type " << expected
                           << ", found " << value.getType() << " (P5)";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Inside a worker
//===----------------------------------------------------------------------===//

void ShardRangeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getOffset(), "lo");
  setName(getSize(), "size");
}

/// A part of the extent.
void ShardRangeOp::populateBoundsForIndexValue(Value value,
                                               ValueBoundsConstraintSet &cstr) {
  cstr.bound(value) >= 0;
  cstr.bound(value) <= cstr.getExpr(getExtent());
}

OpFoldResult GrainOp::fold(FoldAdaptor adaptor) {
  if (auto extent = dyn_cast_or_null<IntegerAttr>(adaptor.getExtent()))
    return IntegerAttr::get(IndexType::get(getContext()),
                            runtime::grain(extent.getInt()));
  return {};
}

/// All exchanges write the team's state, so none is reordered, duplicated,
/// dropped or sunk; they read and write their buffers.
static void addExchangeEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects,
    ArrayRef<OpOperand *> reads, OpOperand *write) {
  effects.emplace_back(MemoryEffects::Read::get(), TeamResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), TeamResource::get());
  for (OpOperand *operand : reads)
    if (isa<MemRefType>(operand->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), operand);
  if (write && isa<MemRefType>(write->get().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), write);
}

void AllReduceOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addExchangeEffects(effects, {&getRowsMutable()}, &getDestMutable());
  // Workers combine their own rows in place.
  if (isa<MemRefType>(getRows().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getRowsMutable());
}

void GatherShardsOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addExchangeEffects(effects, {&getShardMutable()}, &getDestMutable());
}

void BarrierOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addExchangeEffects(effects, {}, nullptr);
}

/// Rule E3, for the part of the worker and what it becomes part of.
static LogicalResult verifyKinds(Operation *op, Type part, Type dest,
                                 Value result) {
  if (isa<TensorType>(part) != isa<TensorType>(dest))
    return op->emitOpError()
           << "must be all on tensors or all on buffers, found " << part
           << " and " << dest << " (E3)";
  bool isTensor = isa<TensorType>(dest);
  if (isTensor == static_cast<bool>(result) &&
      (!result || result.getType() == dest))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << "must have ";
  if (isTensor)
    return diagnostic << "a result of the dest's type " << dest << " (E3)";
  return diagnostic << "no result where the dest is a buffer (E3)";
}

LogicalResult AllReduceOp::verify() {
  auto rows = cast<ShapedType>(getRows().getType()),
       dest = cast<ShapedType>(getDest().getType());
  if (rows.getRank() == 0 || dest.getElementType() != rows.getElementType() ||
      dest.getShape() != rows.getShape().drop_front())
    return emitOpError() << "the dest must be a row of " << rows << ", found "
                         << dest << " (E1)";
  if (!combines(getKind(), rows.getElementType()))
    return emitOpError() << "'" << stringifyCombineKind(getKind())
                         << "' does not combine " << rows.getElementType()
                         << " (F5)";
  return verifyKinds(*this, rows, dest, getResult());
}

LogicalResult GatherShardsOp::verify() {
  auto shard = cast<ShapedType>(getShard().getType()),
       dest = cast<ShapedType>(getDest().getType());
  int64_t dim = getDim();
  bool agrees = shard.getRank() == dest.getRank() && dim >= 0 &&
                dim < shard.getRank() &&
                shard.getElementType() == dest.getElementType();
  for (int64_t i = 0; agrees && i < shard.getRank(); ++i)
    agrees = i == dim || shard.getDimSize(i) == dest.getDimSize(i);
  if (!agrees)
    return emitOpError() << "shard and dest must agree but for dimension "
                         << dim << ", found " << shard << " and " << dest
                         << " (E2)";
  return verifyKinds(*this, shard, dest, getResult());
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

/// Whether an operand of type `from` can be handed to a worker's argument of
/// type `to`: tensors and buffers go as memrefs, in whatever layout.
static bool isHandedOverAs(Type from, Type to) {
  auto shaped = dyn_cast<ShapedType>(from);
  auto memref = dyn_cast<MemRefType>(to);
  if (!isa<TensorType, MemRefType>(from) || !memref)
    return from == to;
  return shaped.hasRank() &&
         shaped.getElementType() == memref.getElementType() &&
         shaped.getShape() == memref.getShape();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getWorkerAttr());
  if (!function)
    return emitOpError() << "expected a function named " << getWorkerAttr()
                         << " (L1)";
  SmallVector<Type> expected = {TeamType::get(getContext())};
  if (getSteps())
    expected.append(2, IndexType::get(getContext()));
  llvm::append_range(expected, getInputs().getTypes());
  llvm::append_range(expected, getInits().getTypes());
  FunctionType type = function.getFunctionType();
  if (type.getNumResults() != 0 || type.getNumInputs() != expected.size() ||
      !llvm::all_of_zip(expected, type.getInputs(), isHandedOverAs)) {
    InFlightDiagnostic diagnostic =
        emitOpError() << "expected a worker that takes (" << TypeRange(expected)
                      << "), tensors as memrefs, and has no results, found "
                      << type << " (L1)";
    diagnostic.attachNote(function.getLoc()) << "the worker is here";
    return diagnostic;
  }
  return success();
}

LogicalResult LaunchOp::verify() {
  SmallVector<Type> expected;
  for (Value init : getInits())
    if (isa<TensorType>(init.getType()))
      expected.push_back(init.getType());
  if (getResultTypes() == TypeRange(expected))
    return success();
  return emitOpError() << "must have the results (" << TypeRange(expected)
                       << "), one for each init that is "
                       << "a tensor, found (" << getResultTypes() << ") (L2)";
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<MemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &init : getInitsMutable())
    if (isa<MemRefType>(init.get().getType())) {
      effects.emplace_back(MemoryEffects::Read::get(), &init);
      effects.emplace_back(MemoryEffects::Write::get(), &init);
    }
}
