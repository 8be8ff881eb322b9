// SPDX-License-Identifier: Apache-2.0
//
// The functions compiled from Kernels.mlir.

#ifndef SCANWEAVE_TEST_UNIT_NUMERICS_KERNELS_H
#define SCANWEAVE_TEST_UNIT_NUMERICS_KERNELS_H

#include <cstdint>

/// Elements of a block.
constexpr int kBlock = 4096;

extern "C" {
void exp_f32(const float *x, float *y);
void expm1_f32(const float *x, float *y);
void log_f32(const float *x, float *y);
void log1p_f32(const float *x, float *y);
void tanh_f32(const float *x, float *y);
void exp_f64(const double *x, double *y);
void expm1_f64(const double *x, double *y);
void log_f64(const double *x, double *y);
void log1p_f64(const double *x, double *y);
void tanh_f64(const double *x, double *y);

/// Elements first, first + 1, ... of a draw.
void bits_i32(const uint32_t *key, int64_t first, uint32_t *y);
void bits_i64(const uint32_t *key, int64_t first, uint64_t *y);
void uniform_f32(const uint32_t *key, int64_t first, float *y);
void uniform_f64(const uint32_t *key, int64_t first, double *y);
void normal_f32(const uint32_t *key, int64_t first, float *y);
void normal_f64(const uint32_t *key, int64_t first, double *y);
}

#endif // SCANWEAVE_TEST_UNIT_NUMERICS_KERNELS_H
