// SPDX-License-Identifier: Apache-2.0
//
// weave-vectorize: linalg ops on buffers become loops over blocks
// of vectors.

#include "VectorLoop.h"

#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace scanweave {
#define GEN_PASS_DEF_VECTORIZE
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

/// Bodies of more operations are not repeated for the sake of a remainder.
static constexpr unsigned longBody = 64;

/// The rows of a block that has any, and its vectors in each: with 16 registers
/// the accumulators take 12, with 32 (all CPUs with 64 bytes) they take 24.
/// What they are computed from needs the others.
static constexpr int64_t blockRows = 6;
static int64_t getRowVectors(int64_t vectorBytes) {
  return vectorBytes >= 64 ? 4 : 2;
}

namespace {

/// Lowers one op whose vector loop is known.
class VectorLoopLowering {
public:
  VectorLoopLowering(ImplicitLocOpBuilder &b, const VectorLoop &loop,
                     int64_t vectorBytes, int64_t vectors)
      : b(b), loop(loop), ranges(this->loop.op.createLoopRanges(b, b.getLoc())),
        vectorLanes(std::max<int64_t>(vectorBytes * 8 / loop.widestBits, 1)),
        blockLanes(vectorLanes *
                   (loop.rowDim ? std::min(vectors, getRowVectors(vectorBytes))
                                : vectors)),
        indices(ranges.size()) {}

  void run() {
    SmallVector<unsigned> outer;
    loop.op.getParallelDims(outer);
    llvm::erase(outer, loop.dim);
    if (loop.rowDim)
      llvm::erase(outer, *loop.rowDim);
    SmallVector<Value> firsts(outer.size(), constant(0));
    SmallVector<Value> steps(outer.size(), constant(1));
    SmallVector<Value> lasts = llvm::map_to_vector(
        outer, [&](unsigned dim) { return toValue(ranges[dim].size); });
    scf::buildLoopNest(b, b.getLoc(), firsts, lasts, steps,
                       [&](OpBuilder &, Location, ValueRange iteration) {
                         for (auto [dim, index] :
                              llvm::zip_equal(outer, iteration))
                           indices[dim] = index;
                         emitRow();
                       });
  }

private:
  void emitRow() {
    OpFoldResult extent = ranges[loop.dim].size;
    if (std::optional<int64_t> n = getConstantIntValue(extent))
      emitStaticRow(*n);
    else
      emitDynamicRow(toValue(extent));
  }

  void emitStaticRow(int64_t n) {
    int64_t whole = n / blockLanes * blockLanes;
    if (whole > blockLanes)
      emitBlocks(constant(0), constant(whole), blockLanes, {});
    else if (whole > 0)
      emitBlock(constant(0), blockLanes, {});
    if (whole < n)
      emitStaticRest(whole, n - whole);
  }

  /// A remainder in blocks of falling powers of two, or in one masked block if
  /// the body is long and that takes no more vectors.
  void emitStaticRest(int64_t first, int64_t n) {
    int64_t pieces = llvm::popcount(static_cast<uint64_t>(n)), vectors = 0;
    for (int64_t rest = n; rest > 0; rest -= llvm::bit_floor<uint64_t>(rest))
      vectors += llvm::divideCeil(llvm::bit_floor<uint64_t>(rest), vectorLanes);
    int64_t padded = llvm::bit_ceil<uint64_t>(n);
    if (loop.canMask && loop.bodySize > longBody && pieces > 1 &&
        int64_t(llvm::divideCeil(padded, vectorLanes)) <= vectors) {
      Value mask = vector::ConstantMaskOp::create(
          b, VectorType::get(padded, b.getI1Type()), ArrayRef<int64_t>{n});
      return emitBlock(constant(first), padded, mask);
    }
    while (n > 0) {
      int64_t lanes = llvm::bit_floor<uint64_t>(n);
      emitBlock(constant(first), lanes, {});
      first += lanes;
      n -= lanes;
    }
  }

  void emitDynamicRow(Value n) {
    Value rest = arith::RemUIOp::create(b, n, constant(blockLanes));
    Value whole = arith::SubIOp::create(b, n, rest);
    emitBlocks(constant(0), whole, blockLanes, {});
    if (!loop.canMask || vectorLanes == 1)
      return emitBlocks(whole, n, 1, {});
    emitBlocks(whole, n, vectorLanes, n);
  }

  /// Blocks of `lanes`; those beyond `end`, if there is one, are masked.
  void emitBlocks(Value first, Value last, int64_t lanes, Value end) {
    auto blocks = scf::ForOp::create(b, first, last, constant(lanes));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(blocks.getBody());
    Value index = blocks.getInductionVar(), mask;
    if (end)
      mask = vector::CreateMaskOp::create(
          b, VectorType::get(lanes, b.getI1Type()),
          ValueRange{arith::SubIOp::create(b, end, index)});
    emitBlock(index, lanes, mask);
  }

  void emitBlock(Value first, int64_t lanes, Value mask) {
    indices[loop.dim] = first;
    if (!loop.rowDim)
      return emitVectorBlock(b, loop, ranges, {indices, 1, lanes, mask, {}});
    SmallVector<Value> copies(loop.op->getNumOperands());
    for (OpOperand *input : loop.op.getDpsInputOperands())
      if (!mask && wantsCopy(loop, ranges, *input, 4 * blockRows))
        copies[input->getOperandNumber()] =
            copyLanes(b, loop, ranges, {indices, 1, lanes, {}, {}}, *input);
    emitAllRows(lanes, mask, copies);
    for (Value copy : copies)
      if (copy)
        memref::DeallocOp::create(b, copy);
  }

  void emitAllRows(int64_t lanes, Value mask, ArrayRef<Value> copies) {
    OpFoldResult extent = ranges[*loop.rowDim].size;
    if (std::optional<int64_t> n = getConstantIntValue(extent)) {
      int64_t whole = *n / blockRows * blockRows;
      emitRows(constant(0), constant(whole), blockRows, lanes, mask, copies);
      if (whole < *n)
        emitRows(constant(whole), constant(*n), *n - whole, lanes, mask,
                 copies);
      return;
    }
    Value n = toValue(extent);
    Value rest = arith::RemUIOp::create(b, n, constant(blockRows));
    Value whole = arith::SubIOp::create(b, n, rest);
    emitRows(constant(0), whole, blockRows, lanes, mask, copies);
    emitRows(whole, n, 1, lanes, mask, copies);
  }

  /// The same lanes of some rows, `rows` at a time.
  void emitRows(Value first, Value last, int64_t rows, int64_t lanes,
                Value mask, ArrayRef<Value> copies) {
    auto blocks = scf::ForOp::create(b, first, last, constant(rows));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(blocks.getBody());
    indices[*loop.rowDim] = blocks.getInductionVar();
    emitVectorBlock(b, loop, ranges,
                    {indices, rows, lanes, mask, SmallVector<Value>(copies)});
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value toValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), number);
  }

  ImplicitLocOpBuilder &b;
  VectorLoop loop;
  SmallVector<Range> ranges;
  int64_t vectorLanes, blockLanes;
  SmallVector<Value> indices;
};

class Vectorize final : public scanweave::impl::VectorizeBase<Vectorize> {
  using Base::Base;

  void runOnOperation() override {
    if (vectorBytes == 0 || vectors == 0)
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      std::optional<VectorLoop> loop = findVectorLoop(op);
      if (!loop)
        continue;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      VectorLoopLowering(b, *loop, vectorBytes, vectors).run();
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
