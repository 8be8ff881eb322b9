// SPDX-License-Identifier: Apache-2.0
//
// The three steps of a fixed reduction on tensors, as loops or straight code:
// a chain in every grain, which gives one row each; a tree over the rows; the
// combination with the init.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_REDUCTIONLOOPS_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_REDUCTIONLOOPS_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/OpDefinition.h"

namespace scanweave {

/// What weave.reduce and weave.partial_reduce have in common.
struct Reduction {
  CombineKind kind;
  /// One map per input.
  mlir::SmallVector<mlir::AffineMap> maps;
  mlir::AffineMap resultMap;
  mlir::SmallVector<mlir::utils::IteratorType> iterators;
  unsigned grainDim;
  mlir::SmallVector<mlir::Value> inputs;
  mlir::Block *body;
  /// The type of a row: of the result without rows.
  mlir::RankedTensorType rowType;
  /// The extents of a row.
  mlir::SmallVector<mlir::OpFoldResult> rowSizes;

  bool hasOneReductionDim() const;
  /// The position of the grain dimension in input `i`, or -1.
  int64_t getGrainAxis(unsigned i) const;
  /// The reduced extent that is cut into grains.
  mlir::OpFoldResult buildExtent(mlir::OpBuilder &builder,
                                 mlir::Location loc) const;
  /// Clones the body for some elements; gives the next accumulator.
  mlir::Value cloneBody(mlir::OpBuilder &builder, mlir::ValueRange elements,
                        mlir::Value accumulator) const;
};

/// Some of the rows of a tensor: the first `count` of them.
struct Rows {
  mlir::Value tensor;
  mlir::OpFoldResult count;
};

/// The grains of an extent, with a bound of their number that is known at
/// compile time: buffers of rows have that many.
struct GrainSizes {
  mlir::OpFoldResult size;
  int64_t maxCount;
};
GrainSizes buildGrainSizes(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::OpFoldResult extent);

/// The chains of all grains. `extent` is the part of the reduced extent that
/// the inputs have. If that may be empty, there may be no rows, but with
/// `fillFirst` the first one is the identity then.
Rows buildRows(mlir::OpBuilder &builder, mlir::Location loc,
               const Reduction &reduction, mlir::OpFoldResult extent,
               const GrainSizes &grains, bool fillFirst);

/// Combines rows in the binary tree, in place: row 0 is the tree in the end, if
/// there is a row.
mlir::Value buildTreeInPlace(mlir::OpBuilder &builder, mlir::Location loc,
                             CombineKind kind, Rows rows);

/// Combines rows in the binary tree, and the init with that if there is one.
/// There must be a row.
mlir::Value buildTree(mlir::OpBuilder &builder, mlir::Location loc,
                      CombineKind kind, Rows rows, mlir::Value init);

/// The first rows of a tensor of rows.
mlir::Value takeRows(mlir::OpBuilder &builder, mlir::Location loc, Rows rows);

/// Row `index` of a tensor of rows, as a slice of it.
mlir::Value extractRow(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value rows, mlir::OpFoldResult index);

/// The combination of `grains`, of one element each, as straight code, with
/// `init` if there is one; written to `dest` if there is one. There must be no
/// other reduced dimension. Where the result has rank 0, its element.
mlir::Value buildUnrolled(mlir::OpBuilder &builder, mlir::Location loc,
                          const Reduction &reduction,
                          mlir::ArrayRef<mlir::OpFoldResult> grains,
                          mlir::Value init, mlir::Value dest);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_REDUCTIONLOOPS_H
