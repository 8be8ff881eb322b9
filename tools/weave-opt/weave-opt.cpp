// SPDX-License-Identifier: Apache-2.0
//
// weave-opt: runs any of the compiler's passes and pipelines on a file.

#include "scanweave/Conversion/Passes.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"
#include "scanweave/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<scanweave::WeaveDialect>();
  mlir::registerAllPasses();
  scanweave::registerWeaveTransformsPasses();
  scanweave::registerConversionPasses();
  scanweave::registerPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Scanweave optimizer driver\n", registry));
}
