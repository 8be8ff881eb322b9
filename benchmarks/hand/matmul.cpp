// SPDX-License-Identifier: Apache-2.0
//
// benchmarks/programs/matmul.mlir by hand: x' = x w, matrices of SIZE x SIZE.
// With -DBLAS by OpenBLAS. Without, tiles of x' stay in registers, and w,
// the same in each step, is stored once as panels of a tile's width. Products
// are added in ascending order, each by one fused operation.

#include "random.h"
#include "timing.h"

#include <cmath>
#include <vector>

#ifdef BLAS
#include <cblas.h>
#endif

namespace {

constexpr int N = SIZE;

#ifdef BLAS

class Product {
  const float *w;

public:
  explicit Product(const float *w) : w(w) { openblas_set_num_threads(1); }
  void operator()(const float *x, float *y) const {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, x, N, w,
                N, 0, y, N);
  }
};

#else

constexpr int width = 2 * lanes, rows = 6, depth = N < 256 ? N : 256;
typedef Vectors<lanes>::Float Float;

class Product {
  float *panels; ///< [N / width][N][width]

  template <int R>
  static void tile(const float *x, const float *panel, int first, float *y) {
    Float sums[R][2];
    if (first == 0)
      std::memset(sums, 0, sizeof sums);
    else
      for (int r = 0; r < R; ++r)
        std::memcpy(sums[r], y + r * N, sizeof sums[r]);
#pragma clang loop unroll_count(4)
    for (int k = first; k < first + depth; ++k) {
      Float w[2];
      std::memcpy(w, panel + k * width, sizeof w);
#pragma clang loop unroll(full)
      for (int r = 0; r < R; ++r)
        for (int v = 0; v < 2; ++v)
          sums[r][v] =
              __builtin_elementwise_fma((Float)x[r * N + k], w[v], sums[r][v]);
    }
    for (int r = 0; r < R; ++r)
      std::memcpy(y + r * N, sums[r], sizeof sums[r]);
  }

public:
  explicit Product(const float *w)
      : panels(static_cast<float *>(
            std::aligned_alloc(64, sizeof(float) * N * N))) {
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j)
        panels[(j / width * N + k) * width + j % width] = w[k * N + j];
  }
  ~Product() { std::free(panels); }

  void operator()(const float *x, float *y) const {
    for (int k = 0; k < N; k += depth)
      for (int j = 0; j < N; j += width) {
        const float *panel = panels + j * N;
        int i = 0;
        for (; i + rows <= N; i += rows)
          tile<rows>(x + i * N, panel, k, y + i * N + j);
        if constexpr (N % rows)
          tile<N % rows>(x + i * N, panel, k, y + i * N + j);
      }
  }
};

#endif

} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argc, argv, 100);
  Clock clock;
  std::vector<float> x(N * N), y(N * N), w(N * N);
  float size = std::sqrt(11.0f / N);
  for (int i = 0; i < N * N; ++i) {
    x[i] = uniform(0, 0, i);
    w[i] = size * (x[i] - 0.5f);
  }
  Product product(w.data());
  for (long i = 0; i < arguments.steps; ++i) {
    product(x.data(), y.data());
    x.swap(y);
  }
  double seconds = clock.seconds();
  printValues("first", x.data(), 8);
  printValues("last", x.data() + N * N - 8, 8);
  printTime(seconds, arguments.steps);
}
