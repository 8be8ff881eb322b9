// SPDX-License-Identifier: Apache-2.0
//
// What the logarithm shares with the functions made from it.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_LOGARITHM_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_LOGARITHM_H

#include "Exponential.h"

namespace scanweave {

/// A positive number as 2^exponent * (1 + fraction + low), with the exponent a
/// float and 1 + fraction between sqrt(1/2) and sqrt(2). `low` may be null.
struct SplitNumber {
  mlir::Value exponent;
  mlir::Value fraction;
  mlir::Value low;
};

/// Splits a positive finite number.
SplitNumber splitNumber(ElementArithmetic &a, mlir::Value x);

/// Splits 1 + x + tail, for x > -1 and a tail that may be null.
SplitNumber splitOnePlus(ElementArithmetic &a, mlir::Value x, mlir::Value tail);

/// The natural logarithm.
mlir::Value logOf(ElementArithmetic &a, SplitNumber number);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_LOGARITHM_H
