// SPDX-License-Identifier: Apache-2.0
//
// Contiguous copies of the lanes that the rows of a vector loop share.

#include "VectorLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace scanweave;

/// What a core has at least.
static constexpr int64_t firstCacheBytes = 32 * 1024;

static unsigned getDim(AffineExpr expr) {
  return cast<AffineDimExpr>(expr).getPosition();
}

bool scanweave::wantsCopy(const VectorLoop &loop, ArrayRef<Range> ranges,
                          OpOperand &input, int64_t leastRows) {
  linalg::LinalgOp op = loop.op;
  AffineMap map = op.getMatchingIndexingMap(&input);
  std::optional<int64_t> rows = getConstantIntValue(ranges[*loop.rowDim].size);
  if (!map.isFunctionOfDim(loop.dim) || map.isFunctionOfDim(*loop.rowDim) ||
      !rows || *rows < leastRows)
    return false;
  SmallVector<unsigned> dims = getReductionDims(op, input);
  dims.push_back(loop.dim);
  int64_t bits =
      cast<MemRefType>(input.get().getType()).getElementTypeBitWidth();
  for (unsigned dim : dims) {
    std::optional<int64_t> extent = getConstantIntValue(ranges[dim].size);
    if (!extent)
      return false;
    bits *= *extent;
  }
  return bits / 8 > firstCacheBytes;
}

Value scanweave::copyLanes(ImplicitLocOpBuilder &b, const VectorLoop &loop,
                           ArrayRef<Range> ranges, const VectorBlock &block,
                           OpOperand &input) {
  linalg::LinalgOp op = loop.op;
  SmallVector<unsigned> reductions = getReductionDims(op, input);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  SmallVector<int64_t> shape;
  SmallVector<Value> lasts;
  for (unsigned dim : reductions) {
    shape.push_back(*getConstantIntValue(ranges[dim].size));
    lasts.push_back(constant(shape.back()));
  }
  shape.push_back(block.lanes);
  Type element = cast<MemRefType>(input.get().getType()).getElementType();
  Value copy = memref::AllocOp::create(b, MemRefType::get(shape, element),
                                       b.getI64IntegerAttr(64));
  SmallVector<Value> firsts(lasts.size(), constant(0));
  SmallVector<Value> steps(lasts.size(), constant(1));
  SmallVector<Value> indices = block.indices;
  scf::buildLoopNest(
      b, b.getLoc(), firsts, lasts, steps,
      [&](OpBuilder &, Location, ValueRange iteration) {
        for (auto [dim, index] : llvm::zip_equal(reductions, iteration))
          indices[dim] = index;
        SmallVector<Value> from = llvm::map_to_vector(
            op.getMatchingIndexingMap(&input).getResults(),
            [&](AffineExpr expr) { return indices[getDim(expr)]; });
        SmallVector<Value> to(iteration);
        to.push_back(constant(0));
        auto type = VectorType::get(block.lanes, element);
        Value row = vector::LoadOp::create(b, type, input.get(), from);
        vector::StoreOp::create(b, row, copy, to);
      });
  return copy;
}
