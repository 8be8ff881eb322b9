// SPDX-License-Identifier: Apache-2.0
//
// Collectives over values that are stacked over all lanes.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_LANECOLLECTIVES_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_LANECOLLECTIVES_H

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

namespace scanweave {

/// The dimension along which `collective` wants its operand stacked.
int64_t getStackingAxis(mlir::Operation *collective);

/// What `collective` gives every lane, from its operand's values on all lanes,
/// stacked along `getStackingAxis`, and the number of lanes.
mlir::Value buildOverLanes(mlir::OpBuilder &builder,
                           mlir::Operation *collective, mlir::Value stacked,
                           mlir::Value lanes);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_LANECOLLECTIVES_H
