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

} // namespace scanweave

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_COMBINE_H
