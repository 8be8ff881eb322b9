// SPDX-License-Identifier: Apache-2.0
//
// What the canonicalisations of scans and maps share: the extents of what they
// loop over, and replacing an op by one with fewer results.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_IR_EXTENTS_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_IR_EXTENTS_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/BitVector.h"

namespace scanweave {

/// The extent of `tensor` along `dim` as a value, without keeping the tensor
/// where it is known otherwise.
mlir::Value createExtent(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, int64_t dim);

/// `type` with another extent at `dim`.
mlir::RankedTensorType withExtent(mlir::RankedTensorType type, int64_t dim,
                                  int64_t extent);

/// What `tensor` is where it is the cast of a tensor that differs in the
/// extent of `dim` only, and has that known; else null.
mlir::Value lookThroughCast(mlir::Value tensor, int64_t dim);

/// Whether no other dimension of `tensor` than `dim` is dynamic.
bool hasOneExtent(mlir::Value tensor, int64_t dim);

/// A tensor of the type of `tensor` that has no elements, since its extent
/// along `dim` is 0.
mlir::Value createEmpty(mlir::OpBuilder &builder, mlir::Value tensor,
                        int64_t dim);

/// Gives an op's result a more static type, and casts it back for its users.
void refineType(mlir::RewriterBase &rewriter, mlir::Value result,
                mlir::RankedTensorType type);

/// Copies the discardable attributes of `from` to `to`, which has those
/// results of it that `kept` says.
void copyAttributes(mlir::Operation *from, mlir::Operation *to,
                    const llvm::BitVector &kept);

/// The elements of `range` that `kept` says.
template <typename Range>
auto keepOnly(Range &&range, const llvm::BitVector &kept) {
  llvm::SmallVector<std::decay_t<decltype(*std::begin(range))>> result;
  for (auto [i, element] : llvm::enumerate(range))
    if (kept[i])
      result.push_back(element);
  return result;
}

/// Replaces the results of `op` that `kept` says by those of `replacement`, in
/// order, and erases `op`. The other results have no uses.
void replaceKept(mlir::RewriterBase &rewriter, mlir::Operation *op,
                 mlir::Operation *replacement, const llvm::BitVector &kept);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_IR_EXTENTS_H
