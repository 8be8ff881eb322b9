// SPDX-License-Identifier: Apache-2.0
//
// Results and times as a person reads them.

#ifndef SCANWEAVE_LIB_RUNTIME_PRINT_H
#define SCANWEAVE_LIB_RUNTIME_PRINT_H

#include "Tensor.h"

#include <string>

namespace scanweave::runtime {

/// "x = [1. 2.5 3.]": as NumPy prints, with all digits that matter, lines of at
/// most 79 characters, and only the borders of what is large.
std::string formatTensor(const std::string &name, const TensorView &tensor);

/// Three digits that matter and a unit: "1.23 ms".
std::string formatSeconds(double seconds);

/// 1000000 as "1,000,000".
std::string formatCount(int64_t count);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_PRINT_H
