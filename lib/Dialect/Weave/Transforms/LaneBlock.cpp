// SPDX-License-Identifier: Apache-2.0
//
// The code of one block of lanes. What does not vary along the lanes stays
// scalar, for loop-invariant code motion and the address units to take.

#include "LaneLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace scanweave;

namespace {
class BlockEmitter {
public:
  BlockEmitter(ImplicitLocOpBuilder &b, const LaneLoop &loop,
               ArrayRef<Range> ranges, const LaneBlock &block)
      : b(b), op(loop.op), dim(loop.dim), ranges(ranges),
        indices(block.indices), lanes(block.lanes), mask(block.mask) {}

  void run() {
    SmallVector<unsigned> reductions;
    for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction)
        reductions.push_back(loop);
    SmallVector<Value> results;
    if (reductions.empty()) {
      results = emitBody({});
    } else {
      for (OpOperand &init : op.getDpsInitsMutable())
        results.push_back(load(init));
      results = emitReductions(reductions, results);
    }
    for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(), results))
      store(value, init);
  }

private:
  SmallVector<Value> emitReductions(ArrayRef<unsigned> loops,
                                    ArrayRef<Value> accumulators) {
    if (loops.empty())
      return emitBody(accumulators);
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value one = arith::ConstantIndexOp::create(b, 1);
    Value last = getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                                 ranges[loops.front()].size);
    auto loop =
        scf::ForOp::create(b, zero, last, one, accumulators,
                           [](OpBuilder &, Location, Value, ValueRange) {});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    indices[loops.front()] = loop.getInductionVar();
    scf::YieldOp::create(
        b, emitReductions(loops.drop_front(),
                          llvm::to_vector_of<Value>(loop.getRegionIterArgs())));
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  /// The yielded numbers or vectors. Without accumulators the results' old
  /// elements are loaded if the body asks for them.
  SmallVector<Value> emitBody(ArrayRef<Value> accumulators) {
    IRMapping values;
    for (OpOperand *input : op.getDpsInputOperands())
      if (BlockArgument argument = op.getMatchingBlockArgument(input);
          !argument.use_empty())
        values.map(argument, load(*input));
    for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable()))
      if (BlockArgument argument = op.getMatchingBlockArgument(&init);
          !argument.use_empty())
        values.map(argument,
                   accumulators.empty() ? load(init) : accumulators[i]);
    for (Operation &inner : op.getBlock()->without_terminator())
      emitOp(inner, values);
    return llvm::map_to_vector(
        op.getBlock()->getTerminator()->getOperands(), [&](Value value) {
          Value result = values.lookupOrDefault(value);
          return accumulators.empty() ? result : spread(result);
        });
  }

  void emitOp(Operation &inner, IRMapping &values) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      Value base = indices[index.getDim()];
      values.map(index.getResult(), index.getDim() == dim && lanes > 1
                                        ? addLaneNumbers(base)
                                        : base);
      return;
    }
    if (Value number = castIndex(inner)) {
      values.map(inner.getResult(0), number);
      return;
    }
    bool varies = llvm::any_of(inner.getOperands(), [&](Value operand) {
      return isa<VectorType>(values.lookupOrDefault(operand).getType());
    });
    if (!varies) {
      b.clone(inner, values);
      return;
    }
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(spread(values.lookupOrDefault(operand)));
    SmallVector<Type> types;
    for (Type type : inner.getResultTypes())
      types.push_back(VectorType::get(lanes, type));
    Operation *wide = b.create(inner.getLoc(), inner.getName().getIdentifier(),
                               operands, types, inner.getAttrs());
    values.map(inner.getResults(), wide->getResults());
  }

  /// An index along the lanes as integers, without vectors of indices. Sums
  /// are the same modulo the integer's width. Null if `inner` is no such cast.
  Value castIndex(Operation &inner) {
    if (lanes == 1 || !isa<arith::IndexCastOp, arith::IndexCastUIOp>(inner))
      return {};
    auto index = inner.getOperand(0).getDefiningOp<linalg::IndexOp>();
    Type type = inner.getResult(0).getType();
    if (!index || index.getDim() != dim || type.getIntOrFloatBitWidth() > 64)
      return {};
    return addLaneNumbers(arith::IndexCastOp::create(b, type, indices[dim]));
  }

  /// base, base + 1, ...
  Value addLaneNumbers(Value base) {
    unsigned width = isa<IndexType>(base.getType())
                         ? 64
                         : base.getType().getIntOrFloatBitWidth();
    SmallVector<APInt> numbers;
    for (int64_t lane = 0; lane < lanes; ++lane)
      numbers.push_back(APInt(64, lane).zextOrTrunc(width));
    auto type = VectorType::get(lanes, base.getType());
    Value steps =
        arith::ConstantOp::create(b, DenseIntElementsAttr::get(type, numbers));
    return arith::AddIOp::create(b, spread(base), steps);
  }

  Value spread(Value value) {
    if (lanes == 1 || isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(
        b, VectorType::get(lanes, value.getType()), value);
  }

  SmallVector<Value> getPosition(OpOperand &operand) {
    return llvm::map_to_vector(
        op.getMatchingIndexingMap(&operand).getResults(), [&](AffineExpr expr) {
          return indices[cast<AffineDimExpr>(expr).getPosition()];
        });
  }

  Value load(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      return operand.get();
    SmallVector<Value> position = getPosition(operand);
    if (lanes == 1 || !op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim))
      return memref::LoadOp::create(b, operand.get(), position);
    auto vector = VectorType::get(lanes, type.getElementType());
    if (!mask)
      return vector::LoadOp::create(b, vector, operand.get(), position);
    Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(vector));
    return vector::MaskedLoadOp::create(b, vector, operand.get(), position,
                                        mask, zeros);
  }

  void store(Value value, OpOperand &init) {
    SmallVector<Value> position = getPosition(init);
    if (lanes == 1)
      memref::StoreOp::create(b, value, init.get(), position);
    else if (mask)
      vector::MaskedStoreOp::create(b, init.get(), position, mask,
                                    spread(value));
    else
      vector::StoreOp::create(b, spread(value), init.get(), position);
  }

  ImplicitLocOpBuilder &b;
  linalg::LinalgOp op;
  unsigned dim;
  ArrayRef<Range> ranges;
  SmallVector<Value> indices;
  int64_t lanes;
  Value mask;
};
} // namespace

void scanweave::emitLaneBlock(OpBuilder &builder, const LaneLoop &loop,
                              ArrayRef<Range> ranges, const LaneBlock &block) {
  ImplicitLocOpBuilder b(loop.op->getLoc(), builder);
  BlockEmitter(b, loop, ranges, block).run();
}
