// SPDX-License-Identifier: Apache-2.0
//
// Stopping a pipeline in the middle.

#ifndef SCANWEAVE_LIB_DRIVER_STOPAFTER_H
#define SCANWEAVE_LIB_DRIVER_STOPAFTER_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace scanweave {

/// Lets passes run until a named one has run for the first time, on all that it
/// runs on. Handles the actions of a context.
class StopAfter {
public:
  explicit StopAfter(llvm::StringRef pass) : name(pass) {}
  void operator()(llvm::function_ref<void()> transform,
                  const mlir::tracing::Action &action);

private:
  std::string name;
  llvm::DenseSet<mlir::Operation *> done;
};

/// The names of the passes in a pipeline, at any depth, in their order.
llvm::SmallVector<std::string> getPassNames(mlir::OpPassManager &pipeline);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DRIVER_STOPAFTER_H
