// SPDX-License-Identifier: Apache-2.0
//
// What every tool of the project registers, so that a program means the same
// to all of them.

#ifndef SCANWEAVE_DRIVER_REGISTER_H
#define SCANWEAVE_DRIVER_REGISTER_H

namespace mlir {
class DialectRegistry;
}

namespace scanweave {

/// The weave dialect, MLIR's dialects with their extensions, and the
/// translations to LLVM IR.
void registerDialects(mlir::DialectRegistry &registry);

/// All passes and pipelines, MLIR's own included, for tools that take them by
/// name.
void registerPasses();

} // namespace scanweave

#endif // SCANWEAVE_DRIVER_REGISTER_H
