// SPDX-License-Identifier: Apache-2.0
//
// Which values of a map's body differ between the lanes of the map.

#ifndef SCANWEAVE_ANALYSIS_LANEVARIANCE_H
#define SCANWEAVE_ANALYSIS_LANEVARIANCE_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace scanweave {

/// Whether `op` combines values of lanes: psum, pmean, pmax, pmin, all_gather.
bool isCollective(mlir::Operation *op);

/// The axis that a collective names.
mlir::Value getCollectiveAxis(mlir::Operation *op);

/// Whether `op` is or contains a collective.
bool hasCollective(mlir::Operation *op);

/// The values from outside of `op` that it uses: its operands and what its
/// regions capture.
llvm::SetVector<mlir::Value> getUsedValues(mlir::Operation *op);

/// A value is uniform if it is the same for all lanes: captured, the result of
/// a collective over the map's axis, or computed from such values alone by ops
/// that may run once instead. All others are varying, the axis token with them.
/// Loop-carried values are followed through the regions of ops that contain a
/// collective; other regions count as one piece with their op. The maps in the
/// body must have no collectives in them.
class LaneVariance {
public:
  explicit LaneVariance(MapOpInterface map);

  bool isVarying(mlir::Value value) const { return varying.contains(value); }
  /// Whether `op` may run once for all lanes.
  bool isUniform(mlir::Operation *op) const;

private:
  void visit(mlir::Block &block);
  void visitRegions(mlir::Operation *op);
  void join(mlir::Value target, mlir::Value source);
  void setVarying(mlir::Value value);

  mlir::Value axis;
  llvm::DenseSet<mlir::Value> varying;
  bool changed = false;
};

} // namespace scanweave

#endif // SCANWEAVE_ANALYSIS_LANEVARIANCE_H
