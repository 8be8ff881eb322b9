// SPDX-License-Identifier: Apache-2.0
//
// Registers dialects, passes and pipelines for all tools.

#include "scanweave/Driver/Register.h"

#include "scanweave/Conversion/Passes.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"
#include "scanweave/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"

void scanweave::registerDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerOpenMPDialectTranslation(registry);
  registry.insert<WeaveDialect>();
}

void scanweave::registerPasses() {
  mlir::registerAllPasses();
  registerWeaveTransformsPasses();
  registerConversionPasses();
  registerPipelines();
}
