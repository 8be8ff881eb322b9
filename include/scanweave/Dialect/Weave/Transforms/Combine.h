// SPDX-License-Identifier: Apache-2.0
//
// What each kind of combination is in arith: its operation and its identity.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_COMBINE_H
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_COMBINE_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"

namespace scanweave {

/// Emits the combination of two values of one type, numbers or tensors of
/// them. Null where the element type has no such combination (rule F5).
mlir::Value buildCombine(mlir::OpBuilder &builder, mlir::Location loc,
                         CombineKind kind, mlir::Value lhs, mlir::Value rhs);

/// The identity of a kind for numbers of `type`. Null as `buildCombine`.
mlir::TypedAttr getIdentity(CombineKind kind, mlir::Type type);

/// The identity as a constant of `type`, a number or a static tensor.
mlir::Value buildIdentity(mlir::OpBuilder &builder, mlir::Location loc,
                          CombineKind kind, mlir::Type type);

/// Combines two ranked tensors of one shape, element by element, into a new
/// one: a `linalg.generic`, or for rank 0 the element alone.
mlir::Value buildCombineTensors(mlir::OpBuilder &builder, mlir::Location loc,
                                CombineKind kind, mlir::Value lhs,
                                mlir::Value rhs);

/// The kind whose combination `op` computes of its two operands, if any.
/// `arith.maxnumf` and `arith.minnumf`, which drop NaNs, are none.
std::optional<CombineKind> getCombineKind(mlir::Operation *op);

/// The number that every element of tensor `value` is known to be, made by
/// `builder` where there is none yet: of a fill, a splat or a splat constant.
/// Else null.
mlir::Value getSplatScalar(mlir::OpBuilder &builder, mlir::Value value);

/// Whether `value` is known to be the kind's identity, in every element.
bool isIdentity(CombineKind kind, mlir::Value value);

} // namespace scanweave

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_COMBINE_H
