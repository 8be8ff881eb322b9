// SPDX-License-Identifier: Apache-2.0
//
// The code of one block of lanes. What does not vary along the lanes stays
// scalar, for loop-invariant code motion and the address units to take.

#include "VectorLoop.h"

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
  BlockEmitter(ImplicitLocOpBuilder &b, const VectorLoop &loop,
               ArrayRef<Range> ranges, const VectorBlock &block)
      : b(b), op(loop.op), dim(loop.dim), rowDim(loop.rowDim), ranges(ranges),
        indices(block.indices), lanes(block.lanes), mask(block.mask),
        copies(block.copies) {
    if (rowDim)
      for (int64_t row = 0; row < block.rows; ++row)
        rows.push_back(
            b.createOrFold<arith::AddIOp>(indices[*rowDim], index(row)));
  }

  void run() {
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    SmallVector<Value> accumulators;
    forEachRow([&](size_t) {
      for (OpOperand &init : op.getDpsInitsMutable()) {
        bool isRead =
            !reductions.empty() || op.payloadUsesValueFromOperand(&init);
        accumulators.push_back(isRead ? load(init) : Value());
      }
    });
    SmallVector<Value> firsts(reductions.size(), index(0));
    SmallVector<Value> steps(reductions.size(), index(1));
    SmallVector<Value> lasts =
        llvm::map_to_vector(reductions, [&](unsigned loop) {
          return getValueOrCreateConstantIndexOp(b, b.getLoc(),
                                                 ranges[loop].size);
        });
    scf::LoopNest nest = scf::buildLoopNest(
        b, b.getLoc(), firsts, lasts, steps, accumulators,
        [&](OpBuilder &, Location, ValueRange iteration,
            ValueRange accumulated) {
          for (auto [loop, index] : llvm::zip_equal(reductions, iteration))
            indices[loop] = index;
          SmallVector<Value> next;
          forEachRow([&](size_t row) {
            llvm::append_range(next, emitBody(getOfRow(accumulated, row)));
          });
          return next;
        });
    forEachRow([&](size_t row) {
      for (auto [init, value] : llvm::zip_equal(op.getDpsInitsMutable(),
                                                getOfRow(nest.results, row)))
        store(value, init);
    });
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  void forEachRow(llvm::function_ref<void(size_t)> emit) {
    if (!rowDim)
      return emit(0);
    for (auto [row, index] : llvm::enumerate(rows)) {
      indices[*rowDim] = index;
      emit(row);
    }
  }

  ValueRange getOfRow(ValueRange values, size_t row) {
    size_t inits = op.getNumDpsInits();
    return values.slice(row * inits, inits);
  }

  /// What the body yields, for all lanes of the row.
  SmallVector<Value> emitBody(ValueRange accumulators) {
    IRMapping values;
    for (OpOperand *input : op.getDpsInputOperands())
      if (op.payloadUsesValueFromOperand(input))
        values.map(op.getMatchingBlockArgument(input), load(*input));
    values.map(op.getRegionOutputArgs(), accumulators);
    for (Operation &inner : op.getBlock()->without_terminator())
      emitOp(inner, values);
    return llvm::map_to_vector(
        op.getBlock()->getTerminator()->getOperands(),
        [&](Value value) { return spread(values.lookupOrDefault(value)); });
  }

  void emitOp(Operation &inner, IRMapping &values) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      Value base = indices[index.getDim()];
      if (!varies(index))
        values.map(index.getResult(), base);
      else if (!becomesInteger(index))
        values.map(index.getResult(), addLaneNumbers(base));
      return;
    }
    if (Value number = castIndex(inner)) {
      values.map(inner.getResult(0), number);
      return;
    }
    if (llvm::none_of(inner.getOperands(), [&](Value operand) {
          return isa<VectorType>(values.lookupOrDefault(operand).getType());
        })) {
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

  bool varies(linalg::IndexOp index) {
    return index.getDim() == dim && lanes > 1;
  }

  /// The integers that an index along the lanes becomes: sums are the same
  /// modulo their width. Null if `inner` is no such cast.
  Value castIndex(Operation &inner) {
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(inner))
      return {};
    auto index = inner.getOperand(0).getDefiningOp<linalg::IndexOp>();
    if (!index || !varies(index))
      return {};
    return addLaneNumbers(arith::IndexCastOp::create(
        b, inner.getResult(0).getType(), indices[dim]));
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
    if (Value copy =
            copies.empty() ? Value() : copies[operand.getOperandNumber()])
      return loadCopy(operand, copy);
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

  Value loadCopy(OpOperand &operand, Value copy) {
    SmallVector<Value> position =
        llvm::map_to_vector(getReductionDims(op, operand),
                            [&](unsigned loop) { return indices[loop]; });
    position.push_back(index(0));
    if (lanes == 1)
      return memref::LoadOp::create(b, copy, position);
    Type element = cast<MemRefType>(copy.getType()).getElementType();
    return vector::LoadOp::create(b, VectorType::get(lanes, element), copy,
                                  position);
  }

  void store(Value value, OpOperand &init) {
    SmallVector<Value> position = getPosition(init);
    if (lanes == 1)
      memref::StoreOp::create(b, value, init.get(), position);
    else if (mask)
      vector::MaskedStoreOp::create(b, init.get(), position, mask, value);
    else
      vector::StoreOp::create(b, value, init.get(), position);
  }

  ImplicitLocOpBuilder &b;
  linalg::LinalgOp op;
  unsigned dim;
  std::optional<unsigned> rowDim;
  ArrayRef<Range> ranges;
  SmallVector<Value> indices;
  SmallVector<Value> rows;
  int64_t lanes;
  Value mask;
  ArrayRef<Value> copies;
};
} // namespace

void scanweave::emitVectorBlock(OpBuilder &builder, const VectorLoop &loop,
                                ArrayRef<Range> ranges,
                                const VectorBlock &block) {
  ImplicitLocOpBuilder b(loop.op->getLoc(), builder);
  BlockEmitter(b, loop, ranges, block).run();
}
