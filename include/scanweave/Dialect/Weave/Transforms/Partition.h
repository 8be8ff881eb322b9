// SPDX-License-Identifier: Apache-2.0
//
// Emits the arithmetic of the standard partition: which grain an extent has,
// and which indices of it a worker owns. The one place for it in the compiler;
// scanweave/Runtime/Partition.h has the same formulas for the runtime.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PARTITION_H
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PARTITION_H

#include "mlir/IR/Builders.h"

namespace scanweave {

/// An extent cut into grains, all of type index.
struct Grains {
  mlir::Value size;  ///< indices per grain, a power of two
  mlir::Value count; ///< grains, the last one perhaps shorter
};

/// The grains of `extent` (see `weave.reduce`). Constant where the extent is.
Grains buildGrains(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value extent);

/// A run of consecutive indices, both of type index.
struct IndexRange {
  mlir::Value offset;
  mlir::Value size;
};

/// The part of `extent` that `worker` of `workers` owns (see
/// `weave.shard_range`).
IndexRange buildShardRange(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value extent, mlir::Value worker,
                           mlir::Value workers);

} // namespace scanweave

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PARTITION_H
