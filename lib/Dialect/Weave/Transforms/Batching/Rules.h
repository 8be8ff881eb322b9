// SPDX-License-Identifier: Apache-2.0
//
// The batching rules that go by trait instead of by operation, and what
// registers the others by dialect. Private to the library.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_BATCHING_RULES_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_BATCHING_RULES_H

#include "scanweave/Dialect/Weave/Transforms/Batching.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/DialectRegistry.h"

namespace scanweave {

/// Any elementwise operation: the same one on the batched operands.
mlir::LogicalResult batchElementwise(mlir::Operation *op, Batcher &batcher);

/// Any of linalg's structured operations: one more parallel dimension.
mlir::LogicalResult batchStructured(mlir::linalg::LinalgOp op,
                                    Batcher &batcher);

/// Scalars stacked along new trailing dimensions: result (l, k) is lane l of
/// element k. `type` is the batched type of the whole.
mlir::Value stackElements(Batcher &batcher, mlir::Location loc,
                          mlir::RankedTensorType type,
                          mlir::ValueRange batchedElements);

/// A batched scalar repeated along the trailing dimensions of `type`, whose
/// extents are those of `like`.
mlir::Value spreadScalar(Batcher &batcher, mlir::Location loc,
                         mlir::Value scalar, mlir::Value like);

void registerArithBatching(mlir::DialectRegistry &registry);
void registerTensorBatching(mlir::DialectRegistry &registry);
void registerControlFlowBatching(mlir::DialectRegistry &registry);
void registerWeaveLoopBatching(mlir::DialectRegistry &registry);
void registerRandomBatching(mlir::DialectRegistry &registry);
void registerReduceBatching(mlir::DialectRegistry &registry);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_BATCHING_RULES_H
