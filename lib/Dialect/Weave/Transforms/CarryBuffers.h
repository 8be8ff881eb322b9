// SPDX-License-Identifier: Apache-2.0
//
// What is known of the buffers of loop carries before bufferization.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_CARRYBUFFERS_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_CARRYBUFFERS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace scanweave {

/// Follows a value to the one whose buffer it is computed in. Goes as far as
/// every op on the way is done in place for sure: none of the values on it is
/// read after the next op has begun to write.
mlir::Value getBufferOrigin(mlir::Value value);

/// The operand in whose buffer an op computes `value`, in place for sure: that
/// operand is not read after the op has begun to write. Else null.
mlir::OpOperand *getDest(mlir::Value value);

/// The tensor that a value is a part or another view of, or is made from in
/// place.
mlir::Value getBufferRoot(mlir::Value value);

/// A copy that stays one: canonicalisation and the elimination of empty tensors
/// would see through a linalg.copy.
mlir::Value copyInto(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value source, mlir::Value dest);

mlir::Value makeEmptyLike(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value like);

/// Gives each carry of a while loop one buffer, by copies where its values are
/// computed elsewhere.
void settleCarries(mlir::scf::WhileOp loop);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_CARRYBUFFERS_H
