// SPDX-License-Identifier: Apache-2.0
//
// Batching of operations over an iteration space, linalg's and weave.reduce:
// the lanes are one more parallel dimension, the outermost. Batched values that
// a body captures become inputs of it.

#include "Rules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// An indexing map with the lanes as dimension 0.
AffineMap withLanes(AffineMap map, bool isBatched) {
  AffineMap shifted = map.shiftDims(1);
  if (!isBatched)
    return shifted;
  return shifted.insertResult(getAffineDimExpr(0, map.getContext()), 0);
}

/// What a body uses from around it and differs from lane to lane.
struct Captured {
  SmallVector<Value> scalars; ///< to become inputs
  SmallVector<Value> tensors; ///< only read element by element
  bool needsLane = false;     ///< for the tensors or the axis itself

  LogicalResult find(Operation *op, Batcher &batcher) {
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured) {
      if (!batcher.isBatched(value))
        continue;
      if (value == batcher.getAxis()) {
        needsLane = true;
      } else if (value.getType().isIntOrIndexOrFloat()) {
        scalars.push_back(value);
      } else if (isReadByElement(value, op)) {
        tensors.push_back(value);
        needsLane = true;
      } else {
        return failure();
      }
    }
    return success();
  }

  static bool isReadByElement(Value tensor, Operation *op) {
    return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
      return !op->getRegion(0).isAncestor(use.getOwner()->getParentRegion()) ||
             (isa<tensor::ExtractOp>(use.getOwner()) &&
              use.getOperandNumber() == 0);
    });
  }
};

/// Clones the operations of a body with `arguments` for its own arguments and
/// for the captured scalars.
LogicalResult cloneBody(Operation *op, Batcher &batcher,
                        const Captured &captured, OpBuilder &body,
                        ValueRange arguments, ValueRange scalars, Value lane) {
  IRMapping local = batcher.getMapping();
  local.map(op->getRegion(0).getArguments(), arguments);
  local.map(captured.scalars, scalars);
  SmallVector<Operation *> made;
  for (Operation &inner : op->getRegion(0).front())
    made.push_back(body.clone(inner, local));

  SmallVector<Value> tensors = batcher.lookup(captured.tensors);
  for (Operation *root : made) {
    root->walk([&](tensor::ExtractOp extract) {
      if (llvm::is_contained(tensors, extract.getTensor()))
        extract.getIndicesMutable().assign(llvm::to_vector(
            llvm::concat<Value>(SmallVector<Value>{lane},
                                SmallVector<Value>(extract.getIndices()))));
    });
    root->walk([&](linalg::IndexOp index) {
      if (index->getParentOp() == root->getParentOp())
        index.setDim(index.getDim() + 1);
    });
  }
  for (Operation *root : made)
    if (failed(batcher.replaceAxis(root, lane)))
      return failure();
  return success();
}

} // namespace

LogicalResult scanweave::batchStructured(linalg::LinalgOp op,
                                         Batcher &batcher) {
  Captured captured;
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0 ||
      op.getBlock()->getNumArguments() != op->getNumOperands() ||
      failed(captured.find(op, batcher)))
    return failure();
  Location loc = op.getLoc();
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    inputs.push_back(batcher.lookup(operand->get()));
    maps.push_back(withLanes(op.getMatchingIndexingMap(operand),
                             batcher.isBatched(operand->get())));
  }
  AffineMap perLane =
      AffineMap::get(op.getNumLoops() + 1, 0,
                     getAffineDimExpr(0, op->getContext()), op->getContext());
  for (Value scalar : captured.scalars) {
    inputs.push_back(batcher.lookup(scalar));
    maps.push_back(perLane);
  }
  for (OpOperand &operand : op.getDpsInitsMutable()) {
    Value init = operand.get();
    auto type = cast<RankedTensorType>(init.getType());
    bool isRead = op.payloadUsesValueFromOperand(&operand);
    if (!isRead && type.hasStaticShape())
      init = tensor::EmptyOp::create(
          batcher.b, loc, batcher.getBatchedType(type),
          batcher.hasDynamicLanes() ? ValueRange{batcher.getLanes(loc)}
                                    : ValueRange());
    else
      init = batcher.getBatched(init);
    inits.push_back(init);
    maps.push_back(withLanes(op.getMatchingIndexingMap(&operand), true));
  }
  if (llvm::any_of(maps,
                   [](AffineMap map) { return map.getNumSymbols() != 0; }))
    return failure();
  SmallVector<utils::IteratorType> iterators{utils::IteratorType::parallel};
  llvm::append_range(iterators, op.getIteratorTypesArray());

  LogicalResult bodyMade = success();
  auto buildBody = [&](OpBuilder &body, Location, ValueRange arguments) {
    size_t own = op.getNumDpsInputs(), added = captured.scalars.size();
    SmallVector<Value> originals(arguments.take_front(own));
    llvm::append_range(originals, arguments.drop_front(own + added));
    Value lane;
    if (captured.needsLane)
      lane = linalg::IndexOp::create(body, loc, 0);
    bodyMade = cloneBody(op, batcher, captured, body, originals,
                         arguments.slice(own, added), lane);
  };
  auto generic =
      linalg::GenericOp::create(batcher.b, loc, TypeRange(ValueRange(inits)),
                                inputs, inits, maps, iterators, buildBody);
  if (failed(bodyMade))
    return failure();
  for (auto [result, form] :
       llvm::zip_equal(op->getResults(), generic.getResults()))
    batcher.map(result, form);
  return success();
}

//===----------------------------------------------------------------------===//
// weave.reduce
//===----------------------------------------------------------------------===//

namespace {

/// The first reduction dimension, which has the grains, stays what it is, so
/// the order of evaluation does too.
struct ReduceRule : BatchableOpInterface::ExternalModel<ReduceRule, ReduceOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto reduce = cast<ReduceOp>(op);
    Captured captured;
    if (failed(captured.find(op, batcher)))
      return failure();
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    size_t own = reduce.getInputs().size();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (auto [i, input] : llvm::enumerate(reduce.getInputs())) {
      inputs.push_back(batcher.lookup(input));
      maps.push_back(withLanes(reduce.getMap(i), batcher.isBatched(input)));
    }
    AffineMap perLane =
        AffineMap::get(reduce.getIterators().size() + 1, 0,
                       getAffineDimExpr(0, op->getContext()), op->getContext());
    SmallVector<Value> added = batcher.lookup(captured.scalars);
    if (captured.needsLane)
      added.push_back(batcher.createIota(loc));
    llvm::append_range(inputs, added);
    maps.append(added.size(), perLane);
    maps.push_back(withLanes(reduce.getResultMap(), true));
    SmallVector<Attribute> iterators{b.getStringAttr("parallel")};
    llvm::append_range(iterators, reduce.getIterators());

    Value init = batcher.getBatched(reduce.getInit());
    auto made = ReduceOp::create(b, loc, init.getType(), reduce.getKindAttr(),
                                 b.getAffineMapArrayAttr(maps),
                                 b.getArrayAttr(iterators), inputs, init);
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&made.getRegion());
    for (Value input : inputs)
      body->addArgument(getElementTypeOrSelf(input), loc);
    body->addArgument(getElementTypeOrSelf(init), loc);
    SmallVector<Value> arguments(body->getArguments());
    Value lane = captured.needsLane ? arguments[inputs.size() - 1] : Value();
    SmallVector<Value> originals(arguments.begin(), arguments.begin() + own);
    originals.push_back(arguments.back());
    if (failed(cloneBody(
            op, batcher, captured, b, originals,
            ValueRange(arguments).slice(own, captured.scalars.size()), lane)))
      return failure();
    batcher.map(reduce, made.getResult());
    return success();
  }
};

} // namespace

void scanweave::registerReduceBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, WeaveDialect *) {
    ReduceOp::attachInterface<ReduceRule>(*context);
  });
}
