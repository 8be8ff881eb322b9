// SPDX-License-Identifier: Apache-2.0
//
// Slices of tensors that may have no elements. tensor.extract_slice and
// tensor.insert_slice refuse a constant offset into an extent of 0, even where
// they take nothing from there, so passes make slices by these functions.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_SLICES_H
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_SLICES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace scanweave {

/// A slice of `source` of the given type, which may leave out dimensions of
/// size 1. A slice that has no elements for certain is a tensor.empty.
mlir::Value createExtractSlice(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::RankedTensorType type, mlir::Value source,
                               llvm::ArrayRef<mlir::OpFoldResult> offsets,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes,
                               llvm::ArrayRef<mlir::OpFoldResult> strides);
/// The same, with all dimensions.
mlir::Value createExtractSlice(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value source,
                               llvm::ArrayRef<mlir::OpFoldResult> offsets,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes,
                               llvm::ArrayRef<mlir::OpFoldResult> strides);

/// `dest` with a slice of it replaced. A slice without elements replaces
/// nothing.
mlir::Value createInsertSlice(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value slice, mlir::Value dest,
                              llvm::ArrayRef<mlir::OpFoldResult> offsets,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes,
                              llvm::ArrayRef<mlir::OpFoldResult> strides);

} // namespace scanweave

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_SLICES_H
