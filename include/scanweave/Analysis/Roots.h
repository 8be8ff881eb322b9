// SPDX-License-Identifier: Apache-2.0
//
// Which parts of a program are partitioned over workers.

#ifndef SCANWEAVE_ANALYSIS_ROOTS_H
#define SCANWEAVE_ANALYSIS_ROOTS_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace scanweave {

/// Ops of one block, in program order, that become one spmd region: a single
/// scan, or pmaps with what lies between them and around them.
class Root {
public:
  Root() = default;
  explicit Root(mlir::Operation *op) { ops.insert(op); }

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops.getArrayRef(); }
  mlir::Operation *front() const { return ops.front(); }
  mlir::Operation *back() const { return ops.back(); }

  /// Whether `op` is one of the root's ops, or inside of one.
  bool contains(mlir::Operation *op) const;
  bool isDirect(mlir::Operation *op) const { return ops.contains(op); }
  /// Whether `value` is defined by one of the root's ops or inside of one.
  bool defines(mlir::Value value) const;

private:
  friend class RootFinder;
  llvm::SmallSetVector<mlir::Operation *, 4> ops;
};

/// The outermost parts to partition, in program order: scans with a pmap
/// directly in the body or in a scan in it; and elsewhere the pmaps of a block,
/// together with pure ops that lie between two of them, that only they use, or
/// that take their results in part (see `Cut`).
llvm::SmallVector<Root> findRoots(mlir::Operation *top);

/// The extent of dimension `dim` of `value`, as a value or attribute that is
/// there before `root`, which may define `value`. Null where nothing outside
/// of the root gives it.
mlir::OpFoldResult extentOutside(mlir::Value value, int64_t dim,
                                 const Root &root, mlir::OpBuilder &builder);

} // namespace scanweave

#endif // SCANWEAVE_ANALYSIS_ROOTS_H
