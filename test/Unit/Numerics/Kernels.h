// SPDX-License-Identifier: Apache-2.0
//
// The functions compiled from Draws.mlir and for Functions.def.

#ifndef SCANWEAVE_TEST_UNIT_NUMERICS_KERNELS_H
#define SCANWEAVE_TEST_UNIT_NUMERICS_KERNELS_H

#include <cstdint>

/// Elements of a block.
constexpr int kBlock = 4096;

extern "C" {
#define UNARY(name, exact, precise)                                            \
  void name##_f32(const float *x, float *y);                                   \
  void name##_f64(const double *x, double *y);
#define BINARY(name, exact)                                                    \
  void name##_f32(const float *x, const float *z, float *y);                   \
  void name##_f64(const double *x, const double *z, double *y);
#define SMALL(name, precise)                                                   \
  void name##_f16(const uint16_t *x, uint16_t *y);                             \
  void name##_bf16(const uint16_t *x, uint16_t *y);
#include "Functions.def"

/// Elements first, first + 1, ... of a draw.
void bits_i32(const uint32_t *key, int64_t first, uint32_t *y);
void bits_i64(const uint32_t *key, int64_t first, uint64_t *y);
void uniform_f32(const uint32_t *key, int64_t first, float *y);
void uniform_f64(const uint32_t *key, int64_t first, double *y);
void normal_f32(const uint32_t *key, int64_t first, float *y);
void normal_f64(const uint32_t *key, int64_t first, double *y);
}

#endif // SCANWEAVE_TEST_UNIT_NUMERICS_KERNELS_H
