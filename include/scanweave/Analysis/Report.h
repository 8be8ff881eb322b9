// SPDX-License-Identifier: Apache-2.0
//
// What the compiler made of each scan and map of a program, in the terms that
// decide its speed: exchanges, copies and allocations per step.

#ifndef SCANWEAVE_ANALYSIS_REPORT_H
#define SCANWEAVE_ANALYSIS_REPORT_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <optional>
#include <string>
#include <vector>

namespace scanweave {

/// The attribute that says why an op was not partitioned over workers.
inline constexpr llvm::StringLiteral reasonAttrName = "weave.unpartitioned";

/// One scan, or a pmap that is in no scan.
struct LoopReport {
  explicit LoopReport(mlir::Location loc) : loc(loc) {}

  mlir::Location loc;
  llvm::StringRef kind; ///< scan or map
  bool isPartitioned = false;
  std::string reason; ///< why it is not, if it is not
  /// Per step: exchanges, and bytes that a worker receives in them; no number
  /// of bytes where an extent is only known at run time.
  unsigned exchanges = 0;
  std::optional<int64_t> bytes = 0;
  /// Per step, once known: copies, other than of a step's stacked output to its
  /// place, and allocations.
  std::optional<unsigned> copies, allocations;
};

/// What a compiled program must not exceed, for each of its scans.
struct ReportLimits {
  std::optional<unsigned> copies, allocations, exchanges;

  /// Parses `copy`, `alloc` (none allowed), `copy=N`, `alloc=N`, `exchange=N`.
  /// False for anything else.
  bool parse(llvm::StringRef text);
};

class Report {
public:
  /// Reads the partitioned program, after weave-hoist-partition.
  void readPlan(mlir::Operation *module);
  /// Reads the program on buffers, before its loops are lowered.
  void readBuffers(mlir::Operation *module);

  llvm::ArrayRef<LoopReport> getLoops() const { return loops; }
  void print(llvm::raw_ostream &os) const;
  /// Emits an error for each loop that exceeds the limits.
  mlir::LogicalResult check(const ReportLimits &limits) const;

private:
  std::vector<LoopReport> loops;
};

/// Fills a report while a pipeline runs.
class ReportInstrumentation final : public mlir::PassInstrumentation {
public:
  explicit ReportInstrumentation(Report &report) : report(report) {}
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;

private:
  Report &report;
};

} // namespace scanweave

#endif // SCANWEAVE_ANALYSIS_REPORT_H
