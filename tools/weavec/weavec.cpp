// SPDX-License-Identifier: Apache-2.0
//
// weavec: compiles a program over the weave dialect to a native binary.

#include "scanweave/Driver/Compile.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return scanweave::runWeavec(argc, argv);
}
