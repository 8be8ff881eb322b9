// SPDX-License-Identifier: Apache-2.0
//
// examples/openai_es/pmap.mlir by hand: OpenAI-ES on f(x) = -x.x, samples
// spread over workers, x before each step stored. Dimensions and samples are
// compile-time constants (-DDIMS=10 -DSAMPLES=4).
//
//   es [steps [workers]]    prints the first of x, the time and that per step

#include "keys.h"
#include "team.h"
#include "timing.h"

namespace {

constexpr float deviation = 1e-2f, stepsize = 1e-3f;
constexpr float scale = stepsize / (2 * deviation * SAMPLES);

struct alignas(64) Gradient {
  float of[(DIMS + 63) / 64 * 64 * 2];
};

/// Adds up what the workers have published, vector by vector.
template <typename Float, int vectors>
void addAll(Team<Gradient> &team, int worker, long exchange,
            Float (&g)[vectors]) {
  std::memcpy(team.mine(worker, exchange).of, g, sizeof g);
  team.publish(worker, exchange);
  Float total[vectors] = {};
  for (int w = 0; w < team.workers; ++w) {
    const float *from = team.await(w, exchange).of;
    for (int v = 0; v < vectors; ++v) {
      Float part;
      std::memcpy(&part, from + v * sizeof(Float) / sizeof(float), sizeof part);
      total[v] += part;
    }
  }
  std::memcpy(g, total, sizeof g);
}

/// For few directions. A vector has a few dimensions of each of the worker's N
/// samples (a power of two), and x is kept N times, so sums over dimensions are
/// sums of vectors. Directions do not depend on x: those of a few steps are
/// drawn at once.
template <int N> class InRegisters {
  static constexpr int dims = lanes / N; // per vector
  static constexpr int vectors = (DIMS + dims - 1) / dims;
  static constexpr int ahead = interleaved;
  using Float = Vectors<lanes>::Float;
  using Wide = Vectors<ahead * lanes>::UInt;
  Float x[vectors];
  Float directions[ahead][vectors];

  template <int from, int to> static Float sum(Float v) {
    if constexpr (from >= to) {
      return v;
    } else {
      Float r;
      for (int i = 0; i < lanes; ++i)
        r[i] = v[i ^ from];
      return sum<2 * from, to>(v + r);
    }
  }

  void draw(long step, int first, Keys &keys) {
    Wide k0, k1;
    for (int s = 0; s < ahead; ++s) {
      uint32_t a, b;
      keys.load(step + s, a, b);
      for (int i = 0; i < lanes; ++i) {
        k0[s * lanes + i] = a;
        k1[s * lanes + i] = b;
      }
    }
    for (int v = 0; v < vectors; ++v) {
      Wide counter;
      for (int i = 0; i < ahead * lanes; ++i)
        counter[i] = (first + i % N) * DIMS + v * dims + i % lanes / N;
      auto z = Normal<ahead * lanes>::of(bits(k0, k1, counter));
      for (int s = 0; s < ahead; ++s)
        for (int i = 0; i < lanes; ++i)
          directions[s][v][i] = v * dims + i / N < DIMS ? z[s * lanes + i] : 0;
    }
  }

  /// What the worker's samples add to the gradient.
  void evaluate(const Float (&z)[vectors], Float (&g)[vectors]) const {
    Float plus{}, minus{};
    for (int v = 0; v < vectors; ++v) {
      Float p = x[v] + deviation * z[v], m = x[v] - deviation * z[v];
      plus += p * p;
      minus += m * m;
    }
    Float y = sum<N, lanes>(minus - plus);
    for (int v = 0; v < vectors; ++v)
      g[v] = sum<1, N>(y * z[v]);
  }

public:
  void store(float *to) const {
    for (int d = 0; d < DIMS; ++d)
      to[d] = x[d / dims][d % dims * N];
  }

  void run(long steps, Team<Gradient> &team, int worker, float *xs) {
    for (int v = 0; v < vectors; ++v)
      for (int i = 0; i < lanes; ++i)
        x[v][i] = v * dims + i / N < DIMS;
    Keys keys;
    for (long i = 0; i < steps; ++i) {
      if (i % ahead == 0)
        draw(i, worker * N, keys);
      if (worker == 0)
        store(xs + i * DIMS);
      Float g[vectors];
      evaluate(directions[i % ahead], g);
      if (team.workers > 1)
        addAll(team, worker, i + 1, g);
      for (int v = 0; v < vectors; ++v)
        x[v] += scale * g[v];
    }
    if (worker == 0)
      store(xs + steps * DIMS);
  }
};

/// For many: a direction at a time, in the first-level cache.
class ByRows {
  static constexpr int N = interleaved * lanes;
  static constexpr int vectors = (DIMS + N - 1) / N;
  using Float = Vectors<N>::Float;
  Float x[vectors], g[vectors];

  void evaluate(int sample, uint32_t k0, uint32_t k1) {
    Float z[vectors], plus{}, minus{};
    drawRow<N, DIMS>(k0, k1, sample * DIMS, z);
    for (int v = 0; v < vectors; ++v) {
      Float p = x[v] + deviation * z[v], m = x[v] - deviation * z[v];
      plus += p * p;
      minus += m * m;
    }
    float y = 0;
    for (int i = 0; i < N; ++i)
      y += minus[i] - plus[i];
    for (int v = 0; v < vectors; ++v)
      g[v] += y * z[v];
  }

public:
  void run(long steps, Team<Gradient> &team, int worker, float *xs) {
    for (int v = 0; v < vectors; ++v)
      for (int i = 0; i < N; ++i)
        x[v][i] = v * N + i < DIMS;
    Keys keys;
    int first = worker * SAMPLES / team.workers;
    int last = (worker + 1) * SAMPLES / team.workers;
    for (long i = 0; i < steps; ++i) {
      if (worker == 0)
        std::memcpy(xs + i * DIMS, x, sizeof(float) * DIMS);
      uint32_t k0, k1;
      keys.load(i, k0, k1);
      std::memset(g, 0, sizeof g);
      for (int s = first; s < last; ++s)
        evaluate(s, k0, k1);
      addAll(team, worker, i + 1, g);
      for (int v = 0; v < vectors; ++v)
        x[v] += scale * g[v];
    }
    if (worker == 0)
      std::memcpy(xs + steps * DIMS, x, sizeof(float) * DIMS);
  }
};

template <typename Search> void search(long steps, int workers, float *xs) {
  Team<Gradient> team(workers);
#pragma omp parallel for num_threads(workers) schedule(static, 1)
  for (int worker = 0; worker < workers; ++worker)
    std::make_unique<Search>()->run(steps, team, worker, xs);
}

/// In registers if each of the workers has N samples there.
template <int N> bool searchInRegisters(long steps, int workers, float *xs) {
  if constexpr (N >= 1 && N <= lanes && (N & (N - 1)) == 0 &&
                N * DIMS <= 16 * lanes) {
    if (N * workers == SAMPLES) {
      search<InRegisters<N>>(steps, workers, xs);
      return true;
    }
  }
  return false;
}

void searchByBestForm(long steps, int workers, float *xs) {
  if (!searchInRegisters<SAMPLES>(steps, workers, xs) &&
      !searchInRegisters<SAMPLES / 2>(steps, workers, xs) &&
      !searchInRegisters<SAMPLES / 4>(steps, workers, xs))
    search<ByRows>(steps, workers, xs);
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argc, argv, 1000000);
  long steps = arguments.steps;
  Clock clock;
  float *xs = static_cast<float *>(std::malloc((steps + 1) * DIMS * 4));
  searchByBestForm(steps, arguments.workers, xs);
  double seconds = clock.seconds();
  printValues("x", xs + steps * DIMS, DIMS);
  printTime(seconds, steps);
  std::free(xs);
}
