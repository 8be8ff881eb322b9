// SPDX-License-Identifier: Apache-2.0
//
// Conversions from the weave dialect to others.

#ifndef SCANWEAVE_CONVERSION_PASSES_TD
#define SCANWEAVE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // SCANWEAVE_CONVERSION_PASSES_TD
