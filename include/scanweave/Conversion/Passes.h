// SPDX-License-Identifier: Apache-2.0
//
// Conversions from the weave dialect to others.

#ifndef SCANWEAVE_CONVERSION_PASSES_H
#define SCANWEAVE_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace scanweave {

/// How workers exchange values.
enum class ExchangeForm {
  slots, ///< through the runtime's slots
  omp,   ///< with omp.barrier and shared arrays
};

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

#endif // SCANWEAVE_CONVERSION_PASSES_H
