// SPDX-License-Identifier: Apache-2.0
//
// Loops of linalg ops whose iterations can run side by side in the lanes of
// vectors, and the code of one block of them.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_VECTORLOOP_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_VECTORLOOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace scanweave {

/// A parallel loop of a linalg op on buffers along which each operand is
/// contiguous or constant.
struct VectorLoop {
  mlir::linalg::LinalgOp op;
  unsigned dim;
  /// Of the widest number that differs from lane to lane.
  unsigned widestBits;
  /// How many operations the body has.
  unsigned bodySize;
  /// Whether the body may run for lanes beyond the end, on zeros.
  bool canMask;
  /// A parallel loop whose iterations, the rows, load the same vectors in each
  /// iteration of the reduction loops.
  std::optional<unsigned> rowDim;
};

/// The innermost such loop, if there is one.
std::optional<VectorLoop> findVectorLoop(mlir::linalg::LinalgOp op);

/// Whether all that becomes of an index are integers. Along the lanes it is
/// then one from the start: no vectors of indices.
bool becomesInteger(mlir::linalg::IndexOp index);

/// A block of iterations: some lanes from `indices[loop.dim]` on, and some rows
/// from `indices[*loop.rowDim]` on, at one iteration of the other parallel
/// loops. With one lane it is scalar code.
struct VectorBlock {
  /// One index per loop; null for reduction loops.
  mlir::SmallVector<mlir::Value> indices;
  int64_t rows;
  int64_t lanes;
  /// The lanes that take part, null for all.
  mlir::Value mask;
  /// Copies of operands, by number: the elements at `indices` of a block of
  /// full lanes, with the operand's reduction loops and then the lanes as
  /// dimensions. Null for what has none.
  mlir::SmallVector<mlir::Value> copies;
};

/// The reduction loops that an operand depends on, in its order of dimensions.
mlir::SmallVector<unsigned> getReductionDims(mlir::linalg::LinalgOp op,
                                             mlir::OpOperand &operand);

/// Whether the lanes of a block of an operand are worth a contiguous copy: at
/// least `leastRows` rows read them, and where they lie they would not stay in
/// the first cache, for their number or for the distance between them.
bool wantsCopy(const VectorLoop &loop, mlir::ArrayRef<mlir::Range> ranges,
               mlir::OpOperand &input, int64_t leastRows);

/// Copies the lanes of an operand that wantsCopy, in all iterations of its
/// reduction loops, to a buffer that the caller frees; see VectorBlock::copies.
mlir::Value copyLanes(mlir::ImplicitLocOpBuilder &b, const VectorLoop &loop,
                      mlir::ArrayRef<mlir::Range> ranges,
                      const VectorBlock &block, mlir::OpOperand &input);

/// Emits the block, its reduction loops innermost, in their order: what they
/// accumulate stays in registers. `ranges` are those of the op's loops.
void emitVectorBlock(mlir::OpBuilder &builder, const VectorLoop &loop,
                     mlir::ArrayRef<mlir::Range> ranges,
                     const VectorBlock &block);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_VECTORLOOP_H
