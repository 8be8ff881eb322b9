// SPDX-License-Identifier: Apache-2.0
//
// How a single op can be cut over workers: which dimension of each operand and
// result a worker has a range of, when one of them is cut. What an op can do
// here is all that the placement analysis knows of it.

#ifndef SCANWEAVE_ANALYSIS_CUT_H
#define SCANWEAVE_ANALYSIS_CUT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace scanweave {

/// One way to cut an op. A worker computes its range of the cut results from
/// its range of the cut operands and all of the others.
struct Cut {
  /// The cut dimension of each operand; none where the worker needs it whole.
  llvm::SmallVector<std::optional<int64_t>> operands;
  /// The cut dimension of each result; none for all of a partial op's.
  llvm::SmallVector<std::optional<int64_t>> results;
  /// The iteration dimension that is cut, of an op that has such.
  std::optional<unsigned> iteration;
  /// Whether the op reduces over the cut dimension, so that workers' results
  /// are still to be combined.
  bool isPartial = false;
};

/// The cut that gives a range of dimension `dim` of result `result`.
std::optional<Cut> cutAtResult(mlir::Operation *op, unsigned result,
                               int64_t dim);

/// The cut that uses a range of dimension `dim` of operand `operand`.
std::optional<Cut> cutAtOperand(mlir::Operation *op, unsigned operand,
                                int64_t dim);

/// The cut of a `weave.reduce` along its grains.
std::optional<Cut> cutAtGrains(mlir::Operation *op);

/// Whether the op is a random draw: cheap to make in part, or again.
bool isDraw(mlir::Operation *op);

} // namespace scanweave

#endif // SCANWEAVE_ANALYSIS_CUT_H
