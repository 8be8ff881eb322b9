// SPDX-License-Identifier: Apache-2.0
//
// Batching: what weave-batch-vmap does to each operation of a vmap's body.
// Other dialects' rules are external models of BatchableOpInterface that use
// the classes here.
//
// A batched value stands for the values of all lanes. Its dimension 0 counts
// the lanes; the lanes' values follow: an f32 becomes tensor<nxf32>, a
// tensor<3xf32> becomes tensor<nx3xf32>. A value that is the same on all lanes
// stays as it is.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BATCHING_H
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BATCHING_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace scanweave {

/// Which values of a map's body differ from lane to lane.
class BatchAnalysis {
public:
  /// Everything in the body of `map`, the axis and the slices being batched.
  explicit BatchAnalysis(MapOpInterface map);

  bool isBatched(mlir::Value value) const { return batched.contains(value); }
  void setBatched(mlir::Value value) { batched.insert(value); }

  /// Whether an operand of `op`, or a value that its regions capture, is
  /// batched.
  bool usesBatched(mlir::Operation *op) const;

  /// Propagates through the operations of a block, in order.
  void visit(mlir::Block &block);

  /// Visits a loop's body until no carry changes any more. `inits` and `nexts`
  /// are the carries' values before the loop and after a step.
  void visitLoop(mlir::Block &body, mlir::ValueRange inits,
                 mlir::ValueRange arguments, mlir::ValueRange nexts);

private:
  llvm::DenseSet<mlir::Value> batched;
};

/// The default propagation: all results are batched if `op` uses a batched
/// value.
void propagateToAllResults(mlir::Operation *op, BatchAnalysis &analysis);

/// Emits the batched form of a map's body in front of the map.
class Batcher {
public:
  Batcher(mlir::OpBuilder &builder, MapOpInterface map,
          const BatchAnalysis &analysis);

  mlir::OpBuilder &b;

  /// The number of lanes.
  mlir::Value getLanes(mlir::Location loc);
  int64_t getStaticLanes() const { return staticLanes; }
  bool hasDynamicLanes() const;
  mlir::OpFoldResult getLanesSize() const;
  mlir::BlockArgument getAxis() const { return axis; }

  bool isBatched(mlir::Value value) const { return analysis.isBatched(value); }
  bool usesBatched(mlir::Operation *op) const {
    return analysis.usesBatched(op);
  }

  /// The form of a value outside of the map: batched if the value is.
  mlir::Value lookup(mlir::Value value) const;
  llvm::SmallVector<mlir::Value> lookup(mlir::ValueRange values) const;
  llvm::SmallVector<mlir::OpFoldResult>
  lookup(llvm::ArrayRef<mlir::OpFoldResult> values) const;
  /// The batched form of a value, which is repeated for every lane if need be.
  mlir::Value getBatched(mlir::Value value);
  /// `getBatched` if `batched`, else `lookup`.
  mlir::Value get(mlir::Value value, bool batched);
  /// Sets what `lookup` gives.
  void map(mlir::Value value, mlir::Value form);
  /// Sets the axis of an inner map.
  void mapAxis(mlir::Value inner, mlir::Value form) {
    mapping.map(inner, form);
  }
  const mlir::IRMapping &getMapping() const { return mapping; }

  /// The type of a value's batched form; null if it has none.
  mlir::RankedTensorType getBatchedType(mlir::Type type) const;
  mlir::Type getType(mlir::Value value, bool batched) const;

  /// Batches the whole map; gives what its results become. On failure nothing
  /// is left of it.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> batchMap(MapOpInterface map);

  /// Batches the operations of a block but for its terminator.
  mlir::LogicalResult batchBlock(mlir::Block &block);

  /// Clones `op` with the forms of its operands, batched ones where they are,
  /// and changes the types of its results to their batched ones.
  mlir::Operation *cloneBatched(mlir::Operation *op);

  /// In `root`, which is a clone: the lane's number for `weave.axis_index` of
  /// the map's axis, the number of lanes for `weave.axis_size`. Fails if the
  /// axis has other uses.
  mlir::LogicalResult replaceAxis(mlir::Operation *root, mlir::Value lane);

  /// Clones `op` for one lane: batched values that it uses are sliced before.
  mlir::FailureOr<mlir::Operation *> cloneForLane(mlir::Operation *op,
                                                  mlir::Value lane);

  /// Clones a block's operations, terminator included, for one lane.
  mlir::LogicalResult cloneBlockForLane(mlir::Block &block,
                                        mlir::ValueRange arguments,
                                        mlir::Value lane);

  //===-- Building blocks -----------------------------------------------===//

  /// The lanes' numbers.
  mlir::Value createIota(mlir::Location loc);
  /// One lane's value of `batched`, which is the batched form of a `type`.
  mlir::Value extractLane(mlir::Location loc, mlir::Value batched,
                          mlir::Type type, mlir::Value lane);
  /// Writes one lane's value.
  mlir::Value insertLane(mlir::Location loc, mlir::Value value,
                         mlir::Value batched, mlir::Value lane);

private:
  mlir::LogicalResult batchOp(mlir::Operation *op);
  mlir::LogicalResult applyRule(mlir::Operation *op);
  mlir::LogicalResult runByLane(mlir::Operation *op);
  mlir::FailureOr<mlir::IRMapping>
  sliceForLane(mlir::Location loc, mlir::ValueRange used, mlir::Value lane);

  const BatchAnalysis &analysis;
  mlir::IRMapping mapping;
  mlir::BlockArgument axis;
  mlir::Value lanes;
  int64_t staticLanes;
};

//===----------------------------------------------------------------------===//
// Building blocks of rules
//===----------------------------------------------------------------------===//

/// The extent of a dimension, constant where it is static.
mlir::OpFoldResult getExtent(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value tensor, int64_t dim);
llvm::SmallVector<mlir::OpFoldResult>
getExtents(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

/// Result dimension d is the tensor's dimension permutation[d]. A transposition
/// of a transposition is one, or none.
mlir::Value createTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value tensor,
                            llvm::ArrayRef<int64_t> permutation);
/// Moves one dimension to another place.
mlir::Value moveDim(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value tensor, int64_t from, int64_t to);

/// Repeats a tensor along new dimensions of a result of the given extents.
mlir::Value createBroadcast(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value tensor,
                            llvm::ArrayRef<mlir::OpFoldResult> extents,
                            llvm::ArrayRef<int64_t> newDims);

/// `tensor` as a `type` that differs in what is static.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value tensor, mlir::Type type);

/// Registers the rules for arith, linalg, scf, tensor and weave.
void registerBatchingRules(mlir::DialectRegistry &registry);

} // namespace scanweave

#include "scanweave/Dialect/Weave/Transforms/BatchingInterface.h.inc"

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BATCHING_H
