// SPDX-License-Identifier: Apache-2.0
//
// Stops a pipeline after a pass, by skipping all that follows.

#include "StopAfter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace scanweave;

void StopAfter::operator()(llvm::function_ref<void()> transform,
                           const tracing::Action &action) {
  const auto *execution = llvm::dyn_cast<PassExecutionAction>(&action);
  if (!execution)
    return transform();
  Operation *op = execution->getOp();
  for (Operation *parent = op; parent; parent = parent->getParentOp())
    if (done.contains(parent))
      return;
  size_t before = done.size();
  transform();
  // A pipeline of passes on functions is itself a pass on the module: it has
  // run on all of them when it is over.
  if (execution->getPass().getArgument() == name || done.size() > before)
    done.insert(op);
}

llvm::SmallVector<std::string>
scanweave::getPassNames(OpPassManager &pipeline) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pipeline.printAsTextualPipeline(os);
  // In the text, options stand in braces, and the operations that passes run
  // on before parentheses.
  llvm::SmallVector<std::string> names;
  std::string name;
  unsigned depth = 0;
  for (char c : text) {
    if (c == '{') {
      ++depth;
    } else if (c == '}') {
      --depth;
    } else if (depth > 0) {
      continue;
    } else if (c == '(') {
      name.clear();
    } else if (c == ',' || c == ')') {
      if (!name.empty())
        names.push_back(std::move(name));
      name.clear();
    } else {
      name += c;
    }
  }
  return names;
}
