// SPDX-License-Identifier: Apache-2.0
//
// From LLVM IR to machine code, with LLVM's default pipeline and no freedom of
// rounding.

#ifndef SCANWEAVE_LIB_DRIVER_NATIVECODE_H
#define SCANWEAVE_LIB_DRIVER_NATIVECODE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
class raw_pwrite_stream;
} // namespace llvm

namespace scanweave {

/// The target machine of a CPU, `native` for this machine's. Refuses CPUs that
/// have no fused multiply-add, which all values depend on.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef cpu, unsigned level);

/// The size of the vector registers that programs should use.
unsigned getVectorBytes(const llvm::TargetMachine &machine);

/// Runs LLVM's default pipeline of an optimisation level.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level);

llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                       llvm::raw_pwrite_stream &os);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DRIVER_NATIVECODE_H
