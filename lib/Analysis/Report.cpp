// SPDX-License-Identifier: Apache-2.0
//
// Reads, prints and checks reports. Loops are recognised across stages by
// their location: a scan's loop keeps the scan's.

#include "scanweave/Analysis/Report.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Bytes of a value that a worker receives, unless an extent is dynamic.
static std::optional<int64_t> bytesOf(Type type) {
  auto shaped = cast<ShapedType>(type);
  if (!shaped.hasStaticShape())
    return std::nullopt;
  Type element = shaped.getElementType();
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return shaped.getNumElements() * ((bits + 7) / 8);
}

/// Counts the exchanges of a loop's own steps, not those of scans in it.
static void countExchanges(Operation *loop, LoopReport &report) {
  auto add = [&](Type dest) {
    ++report.exchanges;
    std::optional<int64_t> bytes = bytesOf(dest);
    report.bytes = report.bytes && bytes ? std::optional(*report.bytes + *bytes)
                                         : std::nullopt;
  };
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != loop && isa<ScanOp>(op))
      return WalkResult::skip();
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      add(reduce.getDest().getType());
    if (auto gather = dyn_cast<GatherShardsOp>(op))
      add(gather.getDest().getType());
    return WalkResult::advance();
  });
}

static std::string reasonOf(Operation *op) {
  if (auto reason = op->getAttrOfType<StringAttr>(reasonAttrName))
    return reason.str();
  bool hasMap = isa<PMapOp>(op);
  op->walk([&](PMapOp) { hasMap = true; });
  return hasMap ? "the sequential pipeline partitions nothing"
                : "there is no pmap in it";
}

void Report::readPlan(Operation *module) {
  loops.clear();
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto spmd = op->getParentOfType<SpmdOp>();
    // A worker's own lane loop is part of the region that it is in.
    bool isWholeMap = isa<PMapOp>(op) && (!spmd || op->hasAttr(reasonAttrName));
    bool isMapRegion = isa<SpmdOp>(op) && !cast<SpmdOp>(op).getSteps();
    if (!isa<ScanOp>(op) && !isWholeMap && !isMapRegion)
      return;
    // Variants of one program have the same loops.
    if (llvm::any_of(loops, [&](const LoopReport &loop) {
          return loop.loc == op->getLoc();
        }))
      return;
    LoopReport report(op->getLoc());
    report.kind = isa<ScanOp>(op) ? "scan" : "map";
    report.isPartitioned = isMapRegion || (spmd && !isWholeMap);
    if (!report.isPartitioned)
      report.reason = reasonOf(op);
    countExchanges(op, report);
    loops.push_back(std::move(report));
  });
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The source and target of an op that only copies a buffer.
static std::optional<std::pair<Value, Value>> asCopy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return std::pair(copy.getSource(), copy.getTarget());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = linalgOp.getBlock();
  Value source = linalgOp.getDpsInputOperand(0)->get();
  bool copies = isa<MemRefType>(source.getType()) &&
                body->getTerminator()->getOperand(0) == body->getArgument(0);
  if (!copies)
    return std::nullopt;
  return std::pair(source, linalgOp.getDpsInits()[0]);
}

/// Whether a buffer is a view at a position that depends on the loop's step:
/// the place of a step's stacked output.
static bool isStepsPlace(Value buffer, scf::ForOp loop) {
  while (Operation *op = buffer.getDefiningOp()) {
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view)
      return false;
    if (auto subview = dyn_cast<memref::SubViewOp>(op))
      for (Value offset : subview.getOffsets()) {
        if (offset == loop.getInductionVar())
          return true;
        Operation *definition = offset.getDefiningOp();
        if (definition && llvm::is_contained(definition->getOperands(),
                                             loop.getInductionVar()))
          return true;
      }
    buffer = view.getViewSource();
  }
  return false;
}

void Report::readBuffers(Operation *module) {
  for (LoopReport &report : loops)
    if (report.kind == "scan")
      report.copies = report.allocations = 0;
  module->walk([&](scf::ForOp loop) {
    for (LoopReport &report : loops) {
      if (report.kind != "scan" || report.loc != loop.getLoc())
        continue;
      unsigned copies = 0, allocations = 0;
      loop.getBody()->walk([&](Operation *op) {
        allocations += isa<memref::AllocOp>(op);
        std::optional<std::pair<Value, Value>> copy = asCopy(op);
        copies += copy && !isStepsPlace(copy->second, loop);
      });
      // Of several clones of a loop, the worst counts.
      report.copies = std::max(*report.copies, copies);
      report.allocations = std::max(*report.allocations, allocations);
    }
  });
}

//===----------------------------------------------------------------------===//
// Printing and checking
//===----------------------------------------------------------------------===//

/// `file:line` where there is one.
static void printPlace(llvm::raw_ostream &os, Location loc) {
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine();
  else
    os << loc;
}

void Report::print(llvm::raw_ostream &os) const {
  if (loops.empty())
    os << "no scans and no maps\n";
  for (const LoopReport &loop : loops) {
    printPlace(os, loop.loc);
    os << ": " << loop.kind << '\n';
    if (loop.isPartitioned)
      os << "  partitioned over workers, outside of the loop\n";
    else
      os << "  not partitioned: " << loop.reason << '\n';
    StringRef per = loop.kind == "scan" ? " per step" : "";
    os << "  exchanges" << per << ": " << loop.exchanges;
    if (loop.exchanges && loop.bytes)
      os << " (" << *loop.bytes << " bytes)";
    else if (loop.exchanges)
      os << " (bytes depend on extents)";
    os << '\n';
    if (loop.copies)
      os << "  copies per step: " << *loop.copies << '\n';
    if (loop.allocations)
      os << "  allocations per step: " << *loop.allocations << '\n';
  }
}

bool ReportLimits::parse(StringRef text) {
  auto [name, number] = text.split('=');
  unsigned limit = 0;
  bool hasNumber = text.contains('=');
  if (hasNumber && number.getAsInteger(10, limit))
    return false;
  if (name == "copy")
    copies = limit;
  else if (name == "alloc")
    allocations = limit;
  else if (name == "exchange" && hasNumber)
    exchanges = limit;
  else
    return false;
  return true;
}

LogicalResult Report::check(const ReportLimits &limits) const {
  bool failed = false;
  auto checkOne = [&](const LoopReport &loop, StringRef what,
                      std::optional<unsigned> found,
                      std::optional<unsigned> limit) {
    if (!limit || !found || *found <= *limit)
      return;
    failed = true;
    emitError(loop.loc) << "too many " << what << " in a step of this "
                        << loop.kind << ": found " << *found << ", at most "
                        << *limit << " expected";
  };
  for (const LoopReport &loop : loops) {
    checkOne(loop, "exchanges", loop.exchanges, limits.exchanges);
    checkOne(loop, "copies", loop.copies, limits.copies);
    checkOne(loop, "allocations", loop.allocations, limits.allocations);
  }
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Instrumentation
//===----------------------------------------------------------------------===//

void ReportInstrumentation::runAfterPass(Pass *pass, Operation *op) {
  if (pass->getArgument() == "weave-hoist-partition")
    report.readPlan(op);
}

void ReportInstrumentation::runBeforePass(Pass *pass, Operation *op) {
  // The plan of the sequential pipeline is the program itself.
  if (pass->getArgument() == "weave-lower-maps" && report.getLoops().empty())
    report.readPlan(op);
  if (pass->getArgument() == "convert-linalg-to-loops")
    report.readBuffers(op);
}
