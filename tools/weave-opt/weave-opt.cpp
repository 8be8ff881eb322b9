// SPDX-License-Identifier: Apache-2.0
//
// weave-opt: runs any of the compiler's passes and pipelines on a file.

#include "scanweave/Driver/Register.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  scanweave::registerDialects(registry);
  scanweave::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Scanweave optimizer driver\n", registry));
}
