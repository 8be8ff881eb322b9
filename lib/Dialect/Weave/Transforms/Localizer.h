// SPDX-License-Identifier: Apache-2.0
//
// Rewrites placed ops to what one worker does: the core of the hoist.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_LOCALIZER_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_LOCALIZER_H

#include "scanweave/Analysis/Cut.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace scanweave {

/// What one worker has of a value of the program.
struct Local {
  /// The whole value, or the worker's range of one dimension.
  mlir::Value value;
  /// The dimension that is cut, and its whole extent; none for the whole value.
  std::optional<int64_t> dim;
  mlir::Value extent;
};

/// The type of a worker's part of a tensor: `type` with a dynamic dimension
/// `dim`.
mlir::RankedTensorType partType(mlir::Type type, int64_t dim);

/// The dimension that a result of a scan is cut along, by its annotation.
std::optional<int64_t> placedDim(ScanOp scan, unsigned result);

/// Clones ops into a worker's region. Every value of the program has a local
/// counterpart; where an op needs another part of a value than the worker has,
/// the localizer slices it (whole to part), draws it again or gathers it (part
/// to whole). Only the last is an exchange.
class Localizer {
public:
  Localizer(mlir::OpBuilder &builder, mlir::Value team)
      : builder(builder), team(team) {}

  void bind(mlir::Value global, Local local) { locals[global] = local; }

  /// Where the stacked outputs of a scan go.
  struct Destinations {
    mlir::Value first, last;
    llvm::SmallVector<mlir::Value> dests, storeIf;
    /// The whole extent of each output's cut dimension, null where none is cut.
    llvm::SmallVector<mlir::Value> extents;
  };

  /// Clones a scan that begins with the given carries. Binds its results.
  ScanOp localizeScan(ScanOp scan, llvm::ArrayRef<Local> inits,
                      const Destinations *destinations = nullptr);
  /// Clones a map for the worker's lanes. Binds its results.
  void localizeMap(PMapOp map);
  /// Clones one op of a scan's body.
  void localize(mlir::Operation *op);

  mlir::Value whole(mlir::Value global);
  mlir::Value part(mlir::Value global, int64_t dim);
  /// The worker's range of `whole`, whose dimension `dim` has `extent`.
  mlir::Value slice(mlir::Value whole, int64_t dim, mlir::Value extent);
  ShardRangeOp range(mlir::Value extent, mlir::Location loc);
  const Local &get(mlir::Value global) { return locals.at(global); }

private:
  std::optional<Cut> cutOf(mlir::Operation *op);
  void localizeScanBody(ScanOp scan, ScanOp local);
  mlir::Value stackedExtent(ScanOp scan, unsigned result, int64_t dim);
  void localizeBlock(mlir::Block &block);
  void localizeWhole(mlir::Operation *op);
  void localizeCut(mlir::Operation *op, const Cut &cut);
  void localizePartial(ReduceOp op, const Cut &cut);
  void localizeDraw(mlir::Operation *op, int64_t dim);
  void localizeSized(mlir::Operation *op, int64_t dim);
  void mapCaptured(mlir::Operation *op, mlir::IRMapping &mapping);

  mlir::Value extent(mlir::Value global, int64_t dim, mlir::Location loc);
  bool canRecompute(mlir::Value global);
  mlir::Value recompute(mlir::Value global);
  mlir::Value gather(mlir::Value global, const Local &local);

  mlir::OpBuilder &builder;
  mlir::Value team;
  llvm::DenseMap<mlir::Value, Local> locals;
  /// Whole values that had to be made, valid in the block being built.
  llvm::DenseMap<mlir::Value, mlir::Value> wholes;
};

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_LOCALIZER_H
