// SPDX-License-Identifier: Apache-2.0
//
// Passes over the weave dialect, in the order in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD

include "scanweave/Dialect/Weave/Transforms/MeaningPasses.td"
include "scanweave/Dialect/Weave/Transforms/PartitionPasses.td"
include "scanweave/Dialect/Weave/Transforms/LoopPasses.td"
include "scanweave/Dialect/Weave/Transforms/BufferPasses.td"

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD
