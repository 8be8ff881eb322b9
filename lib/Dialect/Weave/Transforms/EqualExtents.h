// SPDX-License-Identifier: Apache-2.0
//
// A check for operations that read several tensors element by element.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_EQUALEXTENTS_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_EQUALEXTENTS_H

#include "mlir/IR/Builders.h"

namespace scanweave {

/// Has the program end where `tensors`, of one rank, differ in their extents:
/// some of them would be read beyond their ends. What is known to be equal
/// isn't compared.
void checkEqualExtents(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::ArrayRef<mlir::Value> tensors);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_EQUALEXTENTS_H
