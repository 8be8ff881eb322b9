// SPDX-License-Identifier: Apache-2.0
//
// weave-outline-workers: the body of each weave.spmd becomes a function that
// every worker calls, before bufferization: a function's arguments are the one
// border at which one-shot bufferization privatises what the workers share.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace scanweave {
#define GEN_PASS_DEF_OUTLINEWORKERS
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Outlines one spmd region.
class Outliner {
public:
  Outliner(SpmdOp spmd, SymbolTable &symbols)
      : spmd(spmd), finish(cast<FinishOp>(spmd.getBody()->getTerminator())),
        symbols(symbols), builder(spmd.getContext()) {}

  LogicalResult run(StringRef name);

private:
  LogicalResult checkCaptures();
  void bringInCheapProducers();
  void takeExtentsFromOutside();
  void createWorker(StringRef name);
  void bindInit(unsigned index, Value memref);
  ShardRangeOp findOwnShard(unsigned index);
  bool mayHoldOtherInit(unsigned index);
  void lowerFinish(ArrayRef<Value> memrefs);

  SpmdOp spmd;
  FinishOp finish;
  SymbolTable &symbols;
  OpBuilder builder;
  SmallVector<Value> captures;
  func::FuncOp worker;
  /// For each init that is cut and of which only this worker's part is read:
  /// the range.
  SmallVector<ShardRangeOp> ownShards;
};

} // namespace

static MemRefType getBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// Ops that cost less in each worker than an argument that carries their
/// result, and that keep their meaning as destinations only where they stand
/// next to their use: a captured fill would have to be copied in every step.
static bool isCheap(Operation *op) {
  if (!op)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return true;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill->getNumResults() == 1 &&
           isCheap(fill.getDpsInits()[0].getDefiningOp());
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return splat.getDynamicSizes().empty();
  return false;
}

/// Clones cheap producers from outside of the region to each of their uses
/// inside.
void Outliner::bringInCheapProducers() {
  SmallVector<OpOperand *> uses;
  auto collect = [&](ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      for (OpOperand &operand : op->getOpOperands()) {
        Operation *producer = operand.get().getDefiningOp();
        if (isCheap(producer) && !spmd->isProperAncestor(producer))
          uses.push_back(&operand);
      }
  };
  SmallVector<Operation *> ops;
  spmd.getBody()->walk([&](Operation *op) { ops.push_back(op); });
  collect(ops);
  while (!uses.empty()) {
    OpOperand *use = uses.pop_back_val();
    Operation *producer = use->get().getDefiningOp();
    builder.setInsertionPoint(use->getOwner());
    Operation *clone = builder.clone(*producer);
    use->set(clone->getResult(cast<OpResult>(use->get()).getResultNumber()));
    collect(clone);
  }
}

/// An extent is passed as a number: passing its tensor would count as reading
/// the whole of it.
void Outliner::takeExtentsFromOutside() {
  builder.setInsertionPoint(spmd);
  SmallVector<tensor::DimOp> dims;
  spmd.getBody()->walk([&](tensor::DimOp dim) { dims.push_back(dim); });
  for (tensor::DimOp dim : dims) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!index)
      continue;
    Value source = dim.getSource();
    // The init's argument has the init's extents.
    if (auto argument = dyn_cast<BlockArgument>(source);
        argument && argument.getOwner() == spmd.getBody()) {
      unsigned number =
          argument.getArgNumber() - spmd.getInitArgs()[0].getArgNumber();
      source = spmd.getInits()[number];
    }
    if (source.getParentRegion()->isProperAncestor(&spmd.getRegion())) {
      Value outside =
          tensor::DimOp::create(builder, dim.getLoc(), source, *index);
      dim.replaceAllUsesWith(outside);
      dim.erase();
    }
  }
}

LogicalResult Outliner::checkCaptures() {
  for (Value value : captures) {
    if (isa<RankedTensorType>(value.getType()) ||
        value.getType().isIntOrIndexOrFloat())
      continue;
    InFlightDiagnostic diagnostic =
        spmd.emitOpError() << "captures a value of type " << value.getType()
                           << ", which no worker can be handed";
    if (isa<AxisType>(value.getType()))
      diagnostic << "; run weave-lower-maps before weave-outline-workers";
    diagnostic.attachNote(value.getLoc()) << "the value is here";
    return diagnostic;
  }
  return success();
}

/// The range of this worker where all uses of a cut init's argument slice
/// exactly that range out of it, else null.
ShardRangeOp Outliner::findOwnShard(unsigned index) {
  BlockArgument argument = spmd.getInitArgs()[index];
  auto placement = cast<PlacementAttr>(finish.getPlacements()[index]);
  if (!placement.isSharded() || argument.use_empty())
    return {};
  int64_t dim = placement.getDim();
  auto type = cast<RankedTensorType>(argument.getType());
  ShardRangeOp range;
  for (Operation *user : argument.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getSourceType().getRank() != slice.getType().getRank())
      return {};
    for (int64_t d = 0; d < type.getRank(); ++d) {
      OpFoldResult offset = slice.getMixedOffsets()[d],
                   size = slice.getMixedSizes()[d];
      if (!isConstantIntValue(slice.getMixedStrides()[d], 1))
        return {};
      if (d == dim) {
        auto offsetValue = dyn_cast<Value>(offset),
             sizeValue = dyn_cast<Value>(size);
        auto found = offsetValue ? offsetValue.getDefiningOp<ShardRangeOp>()
                                 : ShardRangeOp();
        if (!found || found.getTeam() != spmd.getTeam() ||
            offsetValue != found.getOffset() || sizeValue != found.getSize() ||
            (range && range.getExtent() != found.getExtent()))
          return {};
        range = range && range->isBeforeInBlock(found) ? range : found;
        if (range->getBlock() != spmd.getBody())
          return {};
        continue;
      }
      if (!isConstantIntValue(offset, 0) || type.isDynamicDim(d) ||
          !isConstantIntValue(size, type.getDimSize(d)))
        return {};
    }
  }
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      {range.getExtent()}, {spmd.getInits()[index], dim});
  return succeeded(equal) && *equal ? range : ShardRangeOp();
}

/// Whether the value that comes back for an init may lie in the buffer of
/// another init, for example where a region swaps two of them. Storing it after
/// the other's new content would then store that.
bool Outliner::mayHoldOtherInit(unsigned index) {
  // The state keeps a reference to its options.
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  bufferization::TraversalConfig config;
  config.alwaysIncludeLeaves = false;
  auto isOtherInit = [&](Value value) {
    return llvm::is_contained(spmd.getInitArgs(), value) &&
           value != spmd.getInitArgs()[index];
  };
  return !state
              .findValueInReverseUseDefChain(&finish.getValuesMutable()[index],
                                             isOtherInit, config)
              .empty();
}

void Outliner::createWorker(StringRef name) {
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types = {TeamType::get(context)};
  if (spmd.getSteps())
    types.append(2, builder.getIndexType());
  auto addShared = [&](Type type) {
    types.push_back(isa<TensorType>(type) ? getBufferType(type) : type);
  };
  for (Value capture : captures)
    addShared(capture.getType());
  for (Value init : spmd.getInits())
    addShared(init.getType());

  auto parent = spmd->getParentOfType<func::FuncOp>();
  builder.setInsertionPointAfter(parent);
  worker = func::FuncOp::create(builder, spmd.getLoc(), name,
                                builder.getFunctionType(types, {}));
  worker.setPrivate();
  symbols.insert(worker, ++parent->getIterator());
  Block *entry = worker.addEntryBlock();

  // A worker reads its inputs and its own part of the inits, and gets other
  // workers' values through exchanges only: its arguments don't alias. The
  // exception is an init of which it also reads the others' part.
  unsigned firstInit = types.size() - spmd.getInits().size();
  for (unsigned i = 0, e = types.size(); i < e; ++i) {
    if (!isa<MemRefType>(types[i]))
      continue;
    if (i >= firstInit) {
      unsigned init = i - firstInit;
      auto placement = cast<PlacementAttr>(finish.getPlacements()[init]);
      if (placement.isSharded() && !ownShards[init] &&
          !spmd.getInitArgs()[init].use_empty())
        continue;
    }
    worker.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  }

  // Move the body in behind what binds its arguments.
  builder.setInsertionPointToStart(entry);
  unsigned next = 0;
  spmd.getTeam().replaceAllUsesWith(entry->getArgument(next++));
  if (spmd.getSteps()) {
    spmd.getFirst().replaceAllUsesWith(entry->getArgument(next++));
    spmd.getLast().replaceAllUsesWith(entry->getArgument(next++));
  }
  for (Value capture : captures) {
    Value argument = entry->getArgument(next++);
    if (isa<TensorType>(capture.getType()))
      argument = bufferization::ToTensorOp::create(
          builder, capture.getLoc(), capture.getType(), argument,
          /*restrict=*/true, /*writable=*/false);
    capture.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return spmd->isProperAncestor(use.getOwner());
    });
  }
  for (unsigned i = 0, e = spmd.getInits().size(); i < e; ++i)
    bindInit(i, entry->getArgument(next++));
  entry->getOperations().splice(entry->end(), spmd.getBody()->getOperations());
  lowerFinish(SmallVector<Value>(entry->getArguments().drop_front(firstInit)));
}

void Outliner::bindInit(unsigned index, Value memref) {
  BlockArgument argument = spmd.getInitArgs()[index];
  if (argument.use_empty())
    return;
  auto placement = cast<PlacementAttr>(finish.getPlacements()[index]);
  bool writable = placement.isInPlace() || ownShards[index];
  argument.replaceAllUsesWith(bufferization::ToTensorOp::create(
      builder, argument.getLoc(), argument.getType(), memref,
      /*restrict=*/true, writable));
}

/// Stores what the worker has to bring back. What only this worker reads and
/// writes comes first; what all workers read may be overwritten once all of
/// them are here.
void Outliner::lowerFinish(ArrayRef<Value> memrefs) {
  Location loc = finish.getLoc();
  builder.setInsertionPoint(finish);
  Value team = worker.getArgument(0);
  SmallVector<unsigned> replicated, foreign;
  auto storeShard = [&](unsigned i) {
    auto placement = cast<PlacementAttr>(finish.getPlacements()[i]);
    auto type = cast<MemRefType>(memrefs[i].getType());
    int64_t dim = placement.getDim();
    // A buffer without elements has no part at a constant offset either.
    if (llvm::is_contained(type.getShape(), 0))
      return;
    auto getExtent = [&](int64_t d) {
      return memref::getMixedSize(builder, loc, memrefs[i], d);
    };
    Value offset, size;
    if (ownShards[i]) {
      offset = ownShards[i].getOffset();
      size = ownShards[i].getSize();
    } else {
      auto range = ShardRangeOp::create(
          builder, loc, builder.getIndexType(), builder.getIndexType(), team,
          getValueOrCreateConstantIndexOp(builder, loc, getExtent(dim)));
      offset = range.getOffset();
      size = range.getSize();
    }
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        strides(type.getRank(), builder.getIndexAttr(1)), sizes;
    for (int64_t d = 0; d < type.getRank(); ++d)
      sizes.push_back(d == dim ? OpFoldResult(size) : getExtent(d));
    offsets[dim] = offset;
    Value part = memref::SubViewOp::create(builder, loc, memrefs[i], offsets,
                                           sizes, strides);
    // Where nothing else sees the buffer, the value may be computed in it.
    bool restrict = !ownShards[i] && foreign.empty();
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, /*result=*/Type(), finish.getValues()[i], part, restrict,
        /*writable=*/true);
  };

  for (auto [i, attribute] : llvm::enumerate(finish.getPlacements())) {
    auto placement = cast<PlacementAttr>(attribute);
    Value value = finish.getValues()[i];
    auto read = value.getDefiningOp<bufferization::ToTensorOp>();
    bool unchanged = read && read.getBuffer() == memrefs[i];
    if (unchanged)
      continue;
    bool isRead = llvm::any_of(memrefs[i].getUsers(), [](Operation *user) {
      return isa<bufferization::ToTensorOp>(user);
    });
    if (placement.isReplicated())
      replicated.push_back(i);
    else if (placement.isSharded() && isRead && !ownShards[i])
      foreign.push_back(i);
    else if (placement.isSharded())
      storeShard(i);
    else
      bufferization::MaterializeInDestinationOp::create(
          builder, loc, /*result=*/Type(), value, memrefs[i],
          /*restrict=*/false, /*writable=*/true);
  }

  if (!replicated.empty() || !foreign.empty())
    BarrierOp::create(builder, loc, team);
  for (unsigned i : foreign)
    storeShard(i);
  if (!replicated.empty()) {
    Value number = WorkerOp::create(builder, loc, builder.getIndexType(), team);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, number, zero);
    auto branch = scf::IfOp::create(builder, loc, isFirst);
    builder.setInsertionPointToStart(branch.thenBlock());
    // Not `restrict`: every worker computes the value, in a buffer of its own.
    for (unsigned i : replicated)
      bufferization::MaterializeInDestinationOp::create(
          builder, loc, /*result=*/Type(), finish.getValues()[i], memrefs[i],
          /*restrict=*/false, /*writable=*/true);
    builder.setInsertionPoint(finish);
  }
  func::ReturnOp::create(builder, loc);
  finish.erase();
}

LogicalResult Outliner::run(StringRef name) {
  bringInCheapProducers();
  takeExtentsFromOutside();
  SetVector<Value> used;
  getUsedValuesDefinedAbove(spmd.getRegion(), used);
  captures = used.takeVector();
  if (failed(checkCaptures()))
    return failure();

  for (unsigned i = 0, e = spmd.getInits().size(); i < e; ++i) {
    ownShards.push_back(findOwnShard(i));
    if (cast<PlacementAttr>(finish.getPlacements()[i]).isInPlace() ||
        !mayHoldOtherInit(i))
      continue;
    Value value = finish.getValues()[i];
    builder.setInsertionPoint(finish);
    auto type = cast<RankedTensorType>(value.getType());
    Value copy = bufferization::AllocTensorOp::create(
        builder, finish.getLoc(), type, /*dynamicSizes=*/ValueRange(), value);
    finish.getValuesMutable()[i].set(copy);
  }

  createWorker(name);
  builder.setInsertionPoint(spmd);
  auto launch = LaunchOp::create(builder, spmd.getLoc(), spmd.getResultTypes(),
                                 SymbolRefAttr::get(worker), spmd.getSteps(),
                                 captures, spmd.getInits());
  spmd.replaceAllUsesWith(launch.getResults());
  spmd.erase();
  return success();
}

namespace {
class OutlineWorkers final
    : public scanweave::impl::OutlineWorkersBase<OutlineWorkers> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<SpmdOp> regions;
    getOperation()->walk([&](SpmdOp spmd) { regions.push_back(spmd); });
    llvm::StringMap<unsigned> counts;
    for (SpmdOp spmd : regions) {
      auto parent = spmd->getParentOfType<func::FuncOp>();
      if (!parent || parent->getParentOp() != getOperation()) {
        spmd.emitOpError("must be in a function of the module to be outlined");
        return signalPassFailure();
      }
      std::string name = (parent.getSymName() + "_worker_" +
                          Twine(counts[parent.getSymName()]++))
                             .str();
      if (failed(Outliner(spmd, symbols).run(name)))
        return signalPassFailure();
    }
  }
};
} // namespace
