// SPDX-License-Identifier: Apache-2.0
//
// weave-vectorize-elementwise: linalg ops on buffers become loops over blocks
// of vectors.

#include "LaneLoop.h"

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
#define GEN_PASS_DEF_VECTORIZEELEMENTWISE
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

/// Bodies of more operations are not repeated for the sake of a remainder.
static constexpr unsigned longBody = 64;

namespace {

/// Lowers one op whose lane loop is known.
class LaneLoopLowering {
public:
  LaneLoopLowering(ImplicitLocOpBuilder &b, const LaneLoop &loop,
                   int64_t vectorBytes, int64_t vectors)
      : b(b), loop(loop), ranges(this->loop.op.createLoopRanges(b, b.getLoc())),
        vectorLanes(std::max<int64_t>(vectorBytes * 8 / loop.widestBits, 1)),
        blockLanes(vectorLanes * vectors), indices(ranges.size()) {}

  void run() { emitOuter(0); }

private:
  /// The parallel loops from `first` on.
  void emitOuter(unsigned first) {
    auto iterators = loop.op.getIteratorTypesArray();
    while (first < ranges.size() &&
           (first == loop.dim ||
            iterators[first] == utils::IteratorType::reduction))
      ++first;
    if (first == ranges.size())
      return emitRow();
    emitLoop(constant(0), toValue(ranges[first].size), 1, [&](Value index) {
      indices[first] = index;
      emitOuter(first + 1);
    });
  }

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
    auto perBlock = [&](Value index) {
      Value mask;
      if (end)
        mask = vector::CreateMaskOp::create(
            b, VectorType::get(lanes, b.getI1Type()),
            ValueRange{arith::SubIOp::create(b, end, index)});
      emitBlock(index, lanes, mask);
    };
    emitLoop(first, last, lanes, perBlock);
  }

  void emitBlock(Value first, int64_t lanes, Value mask) {
    indices[loop.dim] = first;
    emitLaneBlock(b, loop, ranges, {indices, lanes, mask});
  }

  void emitLoop(Value first, Value last, int64_t step,
                llvm::function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b, first, last, constant(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value toValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), number);
  }

  ImplicitLocOpBuilder &b;
  LaneLoop loop;
  SmallVector<Range> ranges;
  int64_t vectorLanes, blockLanes;
  SmallVector<Value> indices;
};

class VectorizeElementwise final
    : public scanweave::impl::VectorizeElementwiseBase<VectorizeElementwise> {
  using Base::Base;

  void runOnOperation() override {
    if (vectorBytes == 0)
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      std::optional<LaneLoop> loop = findLaneLoop(op);
      if (!loop)
        continue;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      LaneLoopLowering(b, *loop, vectorBytes, vectors).run();
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
