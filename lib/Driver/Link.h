// SPDX-License-Identifier: Apache-2.0
//
// From an object file to an executable, by the system's compiler driver.

#ifndef SCANWEAVE_LIB_DRIVER_LINK_H
#define SCANWEAVE_LIB_DRIVER_LINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace scanweave {

/// Links an object with the runtime, which lies beside the tool: in its build
/// or its installation, `../lib` from the tool.
llvm::Error link(llvm::StringRef object, llvm::StringRef executable);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DRIVER_LINK_H
