// SPDX-License-Identifier: Apache-2.0
//
// Passes over the weave dialect.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_H
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace scanweave {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_H
