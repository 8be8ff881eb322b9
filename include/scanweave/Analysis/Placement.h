// SPDX-License-Identifier: Apache-2.0
//
// How the values of a scan or pmap live across workers: a dataflow analysis
// over the program before it is partitioned.

#ifndef SCANWEAVE_ANALYSIS_PLACEMENT_H
#define SCANWEAVE_ANALYSIS_PLACEMENT_H

#include "scanweave/Analysis/Cut.h"
#include "scanweave/Analysis/Roots.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace scanweave {

class ScanOp;

/// The lattice: unknown (bottom), then sharded along one dimension or
/// replicated. A carry that is unknown takes what its first sharded or
/// replicated next value has; one whose values disagree is replicated.
class Placement {
public:
  static Placement unknown() { return {Kind::Unknown, 0}; }
  static Placement replicated() { return {Kind::Replicated, 0}; }
  static Placement sharded(int64_t dim) { return {Kind::Sharded, dim}; }

  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isReplicated() const { return kind == Kind::Replicated; }
  bool isSharded() const { return kind == Kind::Sharded; }
  int64_t getDim() const { return dim; }

  /// The placement of slices along dimension 0, and of slices stacked there.
  Placement sliced() const;
  Placement stacked() const;

  static Placement join(Placement a, Placement b);
  bool operator==(const Placement &other) const = default;

private:
  enum class Kind { Unknown, Replicated, Sharded };
  Placement(Kind kind, int64_t dim) : kind(kind), dim(dim) {}
  Kind kind;
  int64_t dim;
};

/// Places every value of one root.
///
/// Forward, to a fixed point over carries: results of pmaps are sharded along
/// their out axes; an op with a sharded operand is cut there if it can be, and
/// gets the operand whole otherwise. Backward: what only cut ops use is made
/// in part as well, and so is a random draw that a pmap maps, whoever else
/// uses it. Anything else is replicated: every worker computes it, which is
/// always right and needs no exchange.
class PlacementAnalysis {
public:
  explicit PlacementAnalysis(const Root &root);

  /// Replicated for everything outside of the root.
  Placement get(mlir::Value value) const;

  /// How an op is cut, or none where every worker runs it whole.
  const Cut *getCut(mlir::Operation *op) const;

  /// Maps in the root that can't be partitioned, and the op that prevents it.
  llvm::ArrayRef<std::pair<mlir::Operation *, mlir::Operation *>>
  getUnpartitioned() const {
    return unpartitioned;
  }

private:
  void seedDraws(mlir::Operation *op);
  bool markDraws(mlir::Value value, int64_t dim);
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitScan(ScanOp scan);
  void setCut(mlir::Operation *op, Cut cut);
  void narrowBlock(mlir::Block &block);
  void narrow(mlir::Operation *op,
              llvm::function_ref<bool(mlir::Operation *)> isDirect);
  std::optional<int64_t> demand(mlir::OpOperand &use) const;
  void findUnpartitioned(mlir::Operation *op);

  const Root &root;
  llvm::DenseMap<mlir::Value, Placement> placements;
  llvm::DenseMap<mlir::Operation *, Cut> cuts;
  llvm::DenseMap<mlir::Operation *, Cut> draws;
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>>
      unpartitioned;
};

} // namespace scanweave

#endif // SCANWEAVE_ANALYSIS_PLACEMENT_H
