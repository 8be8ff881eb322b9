// SPDX-License-Identifier: Apache-2.0
//
// How two rows combine, for every kind and element type, and the identities.

#ifndef SCANWEAVE_LIB_RUNTIME_COMBINE_H
#define SCANWEAVE_LIB_RUNTIME_COMBINE_H

#include <cstdint>

namespace scanweave::runtime {

/// Elementwise: out[i] = left[i] combined with right[i]. `out` may be one of
/// the operands, but not overlap one otherwise.
using CombineRows = void (*)(void *out, const void *left, const void *right,
                             int64_t length);

/// One combination of the table below.
struct Combination {
  CombineRows combine = nullptr;
  uint64_t identity = 0; ///< its bits, in the low bytes
  int32_t elementBytes = 0;
};

/// The combination of a scanweave_kind and a scanweave_type; null if there is
/// none (bitwise and unsigned kinds of floats, numbers out of range).
const Combination *getCombination(int32_t kind, int32_t type);

/// Fills a row with the identity.
void fillIdentity(const Combination &combination, void *out, int64_t length);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_COMBINE_H
