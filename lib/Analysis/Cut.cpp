// SPDX-License-Identifier: Apache-2.0
//
// The cuts of each kind of op.

#include "scanweave/Analysis/Cut.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

/// A cut of `op` in which nothing is cut.
static Cut uncut(Operation *op) {
  Cut cut;
  cut.operands.resize(op->getNumOperands());
  cut.results.resize(op->getNumResults());
  return cut;
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// Where iteration dimension `k` stands in `map`. Fails where it can't be cut:
/// it stands in a sum or product, or twice.
static FailureOr<std::optional<int64_t>> positionOf(AffineMap map, unsigned k) {
  std::optional<int64_t> position;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(k))
      continue;
    if (!isa<AffineDimExpr>(expr) || position)
      return failure();
    position = i;
  }
  return position;
}

/// Cuts iteration dimension `k` of an op whose first operands have `maps`.
static std::optional<Cut> cutIteration(Operation *op, ArrayRef<AffineMap> maps,
                                       unsigned k) {
  Cut cut = uncut(op);
  cut.iteration = k;
  for (auto [i, map] : llvm::enumerate(maps)) {
    FailureOr<std::optional<int64_t>> position = positionOf(map, k);
    if (failed(position))
      return std::nullopt;
    cut.operands[i] = *position;
  }
  return cut;
}

/// The iteration dimension at result `dim` of a map, if it is a plain one.
static std::optional<unsigned> iterationAt(AffineMap map, int64_t dim) {
  if (dim < map.getNumResults())
    if (auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim)))
      return expr.getPosition();
  return std::nullopt;
}

static std::optional<Cut> cutLinalg(linalg::LinalgOp op, unsigned k) {
  if (!op.hasPureTensorSemantics() ||
      op.getIteratorTypesArray()[k] != utils::IteratorType::parallel)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  std::optional<Cut> cut = cutIteration(op, maps, k);
  if (!cut)
    return cut;
  for (unsigned result = 0; result < op->getNumResults(); ++result) {
    cut->results[result] = cut->operands[op.getNumDpsInputs() + result];
    // A result without the dimension would be computed by several workers.
    if (!cut->results[result])
      return std::nullopt;
  }
  return cut;
}

static SmallVector<AffineMap> reduceMaps(ReduceOp op) {
  SmallVector<AffineMap> maps;
  for (unsigned i = 0; i <= op.getInputs().size(); ++i)
    maps.push_back(op.getMap(i));
  return maps;
}

static std::optional<Cut> cutReduce(ReduceOp op, unsigned k) {
  if (op.isReductionDim(k) && k != op.getGrainDim())
    return std::nullopt;
  // The init has the result's map.
  std::optional<Cut> cut = cutIteration(op, reduceMaps(op), k);
  if (cut) {
    cut->isPartial = op.isReductionDim(k);
    cut->results[0] = cut->operands.back();
  }
  return cut;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// All tensors of an elementwise op have the same shape; scalars stay whole.
static std::optional<Cut> cutElementwise(Operation *op, int64_t dim) {
  Cut cut = uncut(op);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (isa<RankedTensorType>(operand.getType()))
      cut.operands[i] = dim;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (!isa<RankedTensorType>(result.getType()))
      return std::nullopt;
    cut.results[i] = dim;
  }
  return cut;
}

/// A draw's leading dimensions are the key's; the others are its counters'.
template <typename DrawOp>
static std::optional<Cut> cutDraw(DrawOp op, int64_t dim) {
  auto key = cast<RankedTensorType>(op.getKey().getType());
  int64_t words = std::is_same_v<DrawOp, RandomSplitOp> ? 1 : 0;
  if (dim >= op.getResult().getType().getRank() - words)
    return std::nullopt;
  Cut cut = uncut(op);
  if (dim < key.getRank() - 1)
    cut.operands[0] = dim;
  cut.results[0] = dim;
  return cut;
}

static std::optional<Cut> cutFoldIn(RandomFoldInOp op, int64_t dim) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (dim >= type.getRank() - 1)
    return std::nullopt;
  Cut cut = uncut(op);
  cut.results[0] = dim;
  if (cast<RankedTensorType>(op.getKey().getType()).getRank() > 1)
    cut.operands[0] = dim;
  if (isa<RankedTensorType>(op.getData().getType()))
    cut.operands[1] = dim;
  return cut;
}

static Cut cutMap(PMapOp op) {
  Cut cut = uncut(op);
  for (auto [i, axis] : llvm::enumerate(op.getInAxes()))
    cut.operands[i] = axis;
  for (auto [i, axis] : llvm::enumerate(op.getOutAxes()))
    cut.results[i] = axis;
  return cut;
}

/// A cut map is one whose lanes are cut: only its mapped axes can be.
static std::optional<Cut> cutMapAt(PMapOp op, ArrayRef<int64_t> axes,
                                   unsigned position, int64_t dim) {
  if (position < axes.size() && axes[position] == dim)
    return cutMap(op);
  return std::nullopt;
}

bool scanweave::isDraw(Operation *op) {
  return isa<RandomSplitOp, RandomBitsOp, RandomUniformOp, RandomNormalOp>(op);
}

std::optional<Cut> scanweave::cutAtResult(Operation *op, unsigned result,
                                          int64_t dim) {
  using Result = std::optional<Cut>;
  if (OpTrait::hasElementwiseMappableTraits(op))
    return cutElementwise(op, dim);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](linalg::LinalgOp linalgOp) -> Result {
        AffineMap map =
            linalgOp.getIndexingMapMatchingResult(op->getResult(result));
        std::optional<unsigned> k = iterationAt(map, dim);
        return k ? cutLinalg(linalgOp, *k) : std::nullopt;
      })
      .Case([&](ReduceOp reduce) -> Result {
        std::optional<unsigned> k = iterationAt(reduce.getResultMap(), dim);
        return k ? cutReduce(reduce, *k) : std::nullopt;
      })
      .Case<RandomSplitOp, RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [&](auto draw) -> Result { return cutDraw(draw, dim); })
      .Case([&](RandomFoldInOp foldIn) { return cutFoldIn(foldIn, dim); })
      .Case<tensor::EmptyOp, tensor::SplatOp>([&](auto) -> Result {
        Cut cut = uncut(op);
        cut.results[0] = dim;
        return cut;
      })
      .Case([&](PMapOp map) -> Result {
        return cutMapAt(map, map.getOutAxes(), result, dim);
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

std::optional<Cut> scanweave::cutAtOperand(Operation *op, unsigned operand,
                                           int64_t dim) {
  using Result = std::optional<Cut>;
  if (OpTrait::hasElementwiseMappableTraits(op))
    return cutElementwise(op, dim);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](linalg::LinalgOp linalgOp) -> Result {
        std::optional<unsigned> k =
            iterationAt(linalgOp.getIndexingMapsArray()[operand], dim);
        return k ? cutLinalg(linalgOp, *k) : std::nullopt;
      })
      .Case([&](ReduceOp reduce) -> Result {
        std::optional<unsigned> k = iterationAt(reduce.getMap(operand), dim);
        return k ? cutReduce(reduce, *k) : std::nullopt;
      })
      .Case<RandomSplitOp, RandomBitsOp, RandomUniformOp, RandomNormalOp>(
          [&](auto draw) -> Result {
            bool isBatch =
                operand == 0 &&
                dim <
                    cast<RankedTensorType>(draw.getKey().getType()).getRank() -
                        1;
            return isBatch ? cutDraw(draw, dim) : std::nullopt;
          })
      .Case([&](RandomFoldInOp foldIn) { return cutFoldIn(foldIn, dim); })
      .Case([&](PMapOp map) -> Result {
        return cutMapAt(map, map.getInAxes(), operand, dim);
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

std::optional<Cut> scanweave::cutAtGrains(Operation *op) {
  auto reduce = cast<ReduceOp>(op);
  return cutReduce(reduce, reduce.getGrainDim());
}
