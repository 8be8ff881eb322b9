// SPDX-License-Identifier: Apache-2.0
//
// benchmarks/programs/shaped.mlir by hand: evolution strategies with mirrored
// directions, centred ranks and Adam. Workers exchange values of their samples,
// then what their samples add to the gradient.

#include "keys.h"
#include "team.h"
#include "timing.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr int dims = 1000, samples = 1024, N = interleaved * lanes;
constexpr int vectors = (dims + N - 1) / N, values = 2 * samples;
constexpr float deviation = 1e-2f, rate = 1e-2f, shape = 2.38535051e-05f;
typedef Vectors<N>::Float Float;
typedef Vectors<N>::Int Int;

struct alignas(64) Values {
  float of[values];
};
struct Gradient {
  Float of[vectors];
};

/// How many of the values are below this one.
int rank(const Values &all, float value) {
  Int count{};
  for (int i = 0; i < values; i += N) {
    Float part;
    std::memcpy(&part, all.of + i, sizeof part);
    count -= part < (Float)value;
  }
  return __builtin_reduce_add(count);
}

class Search {
  Float x[vectors], m[vectors] = {}, v[vectors] = {};
  Float z[samples][vectors];
  float power1 = 1, power2 = 1;

  /// -f above and below x, along a direction.
  void evaluate(const Float *direction, float &above, float &below) const {
    Float plus{}, minus{};
    for (int i = 0; i < vectors; ++i) {
      Float d = deviation * direction[i], p = x[i] + d, q = x[i] - d;
      plus += p * p;
      minus += q * q;
    }
    above = below = 0;
    for (int i = 0; i < N; ++i) {
      above -= plus[i];
      below -= minus[i];
    }
  }

  void move(const Float *sum) {
    power1 *= 0.9f;
    power2 *= 0.999f;
    float step = rate / (1 - power1), unit = 1 / (1 - power2);
    for (int i = 0; i < vectors; ++i) {
      Float g = shape * sum[i];
      m[i] = 0.9f * m[i] + 0.1f * g;
      v[i] = 0.999f * v[i] + 1e-3f * (g * g);
      x[i] += step * (m[i] / (__builtin_elementwise_sqrt(v[i] * unit) + 1e-8f));
    }
  }

public:
  void run(long steps, Team<Values> &evaluations, Team<Gradient> &gradients,
           int worker, float *result) {
    for (int i = 0; i < vectors * N; ++i)
      x[i / N][i % N] = i < dims;
    Keys keys;
    int workers = gradients.workers;
    auto first = [&](int w) { return w * samples / workers; };
    for (long step = 0; step < steps; ++step) {
      uint32_t k0, k1;
      keys.load(step, k0, k1);
      Values &mine = evaluations.mine(worker, step + 1);
      for (int s = first(worker); s < first(worker + 1); ++s) {
        drawRow<N, dims>(k0, k1, s * dims, z[s]);
        evaluate(z[s], mine.of[s], mine.of[samples + s]);
      }
      evaluations.publish(worker, step + 1);
      Values all;
      for (int w = 0; w < workers; ++w) {
        const Values &theirs = evaluations.await(w, step + 1);
        for (int half : {0, samples})
          std::copy(theirs.of + half + first(w),
                    theirs.of + half + first(w + 1), all.of + half + first(w));
      }
      Gradient sum{};
      for (int s = first(worker); s < first(worker + 1); ++s) {
        float weight = rank(all, all.of[s]) - rank(all, all.of[samples + s]);
        for (int i = 0; i < vectors; ++i)
          sum.of[i] += weight * z[s][i];
      }
      gradients.mine(worker, step + 1) = sum;
      gradients.publish(worker, step + 1);
      sum = Gradient{};
      for (int w = 0; w < workers; ++w)
        for (int i = 0; i < vectors; ++i)
          sum.of[i] += gradients.await(w, step + 1).of[i];
      move(sum.of);
    }
    if (worker == 0)
      std::memcpy(result, x, sizeof(float) * dims);
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argc, argv, 100);
  Clock clock;
  float x[dims];
  Team<Values> evaluations(arguments.workers);
  Team<Gradient> gradients(arguments.workers);
#pragma omp parallel for num_threads(arguments.workers) schedule(static, 1)
  for (int worker = 0; worker < arguments.workers; ++worker)
    std::make_unique<Search>()->run(arguments.steps, evaluations, gradients,
                                    worker, x);
  double seconds = clock.seconds();
  printValues("x", x, dims);
  printTime(seconds, arguments.steps);
}
