// SPDX-License-Identifier: Apache-2.0
//
// Splits a map at the collectives in its body.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_MAPSPLITTER_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_MAPSPLITTER_H

#include "scanweave/Analysis/LaneVariance.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {

/// The number of lanes of a map, before it.
mlir::Value buildLaneCount(mlir::OpBuilder &builder, MapOpInterface map);

/// Rewrites one map, whose body has collectives in it but none in a map, as a
/// sequence of
///
///   uniform ops; a map; collectives and loops; uniform ops; a map; ...
///
/// Level l of the sequence ends with the collectives that need a value of map l
/// and the ops with such in their regions, which become loops around sequences
/// of the same form. A collective over the map's own axis becomes a reduction,
/// one over an outer axis the same collective on the values of all lanes.
///
/// A varying value that outlives its map is stacked: a tensor with the lanes as
/// one dimension. A value of rank 0 is stacked as a number.
class MapSplitter {
public:
  MapSplitter(mlir::RewriterBase &builder, MapOpInterface map);

  /// Emits the sequence before the map and replaces the map with it.
  mlir::LogicalResult split();

private:
  /// A value of every lane, in one tensor.
  struct Stack {
    mlir::Value tensor;
    int64_t axis;
  };
  /// A value that is wanted stacked, along `axis` if it is given.
  struct Demand {
    mlir::Value value;
    std::optional<int64_t> axis;
  };
  /// What becomes of an op.
  enum class Role { uniform, lanes, collective, loop };
  /// The plan for one block.
  struct Plan {
    llvm::DenseMap<mlir::Operation *, Role> roles;
    llvm::DenseMap<mlir::Operation *, int64_t> levels;
    /// The level from which on a value can be used.
    llvm::DenseMap<mlir::Value, int64_t> available;
    int64_t lastLevel = 0;
    /// What the map of a level stacks.
    mlir::SmallVector<mlir::SmallVector<Demand>> exports;
  };

  // Planning.
  Role getRole(mlir::Operation *op) const;
  bool isRecomputed(mlir::Value value) const;
  bool isRematerialized(mlir::Value value) const;
  mlir::SmallVector<Demand> getDemands(mlir::Operation *op, Role role) const;
  Plan makePlan(mlir::Block &block, mlir::ArrayRef<Demand> results) const;
  void addExport(Plan &plan, Demand demand, int64_t level) const;

  // Emission.
  mlir::LogicalResult splitBlock(mlir::Block &block,
                                 mlir::ArrayRef<Demand> results);
  mlir::LogicalResult emitMap(mlir::Block &block, const Plan &plan,
                              int64_t level);
  template <typename MapOp>
  MapOp createMap(mlir::TypeRange types, mlir::ValueRange inputs,
                  mlir::ArrayRef<int64_t> inAxes,
                  mlir::ArrayRef<int64_t> outAxes);
  void emitUniform(mlir::Operation *op);
  void emitCollective(mlir::Operation *op);
  mlir::LogicalResult emitLoop(mlir::Operation *op);
  mlir::LogicalResult emitScan(ScanOp op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp op);
  /// Emits the sequence for a region of a loop into `target`; `terminate` adds
  /// the terminator.
  mlir::LogicalResult emitRegion(mlir::Block &source, mlir::Block &target,
                                 mlir::ArrayRef<Demand> results,
                                 llvm::function_ref<void()> terminate);

  // Values.
  /// The type of a stack of `value`, or failure, with an error.
  mlir::FailureOr<mlir::RankedTensorType> getStackType(mlir::Value value,
                                                       int64_t axis) const;
  mlir::Value getStack(mlir::Value value, int64_t axis) const;
  mlir::Value getUniform(mlir::Value value);
  void cloneRematerialized(mlir::Value value, mlir::IRMapping &mapping);
  /// What stands for `values` outside of maps where the values they flow to are
  /// `flowTo`: a stack along `axis` for a varying one, else the value.
  mlir::SmallVector<mlir::Value>
  getOuters(mlir::ValueRange values, mlir::ValueRange flowTo, int64_t axis = 0);
  /// The demands of values that flow to varying ones.
  mlir::SmallVector<Demand> getFlows(mlir::ValueRange values,
                                     mlir::ValueRange flowTo,
                                     int64_t axis = 0) const;
  /// Makes `outer` stand for `values` from now on.
  void setOuters(mlir::ValueRange values, mlir::ValueRange outer,
                 int64_t axis = 0);

  mlir::RewriterBase &builder;
  MapOpInterface map;
  mlir::Region &body;
  /// The axis, as the body names it.
  mlir::Value token;
  LaneVariance variance;
  int64_t staticLanes;
  /// The number of lanes, before everything that is emitted.
  mlir::Value laneCount;
  /// Uniform values of the body, outside of it.
  mlir::IRMapping uniform;
  llvm::DenseMap<mlir::Value, mlir::SmallVector<Stack>> stacks;
};

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_MAPSPLITTER_H
