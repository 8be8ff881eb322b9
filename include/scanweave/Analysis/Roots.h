// SPDX-License-Identifier: Apache-2.0
//
// Which parts of a program are partitioned over workers.

#ifndef SCANWEAVE_ANALYSIS_ROOTS_H
#define SCANWEAVE_ANALYSIS_ROOTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace scanweave {

/// The attribute that holds the placements of an op's results.
inline constexpr llvm::StringLiteral placementAttrName = "weave.placement";

/// The outermost ops to partition: scans with a pmap directly in the body or
/// in a scan in it, and pmaps that are in no such scan, in program order.
llvm::SmallVector<mlir::Operation *> findRoots(mlir::Operation *top);

/// The extent of dimension `dim` of `value`, as a value or attribute that is
/// there before `root`, which `value` may be inside of. Null where nothing
/// outside of the root gives it.
mlir::OpFoldResult extentOutside(mlir::Value value, int64_t dim,
                                 mlir::Operation *root,
                                 mlir::OpBuilder &builder);

} // namespace scanweave

#endif // SCANWEAVE_ANALYSIS_ROOTS_H
