// SPDX-License-Identifier: Apache-2.0
//
// benchmarks/programs/mlp.mlir by hand: evolution strategies on a network
// 4-32-2 with ReLU. The batch is what vectors are of; nothing of the network
// leaves the registers but its parameters.

#include "keys.h"
#include "team.h"
#include "timing.h"

#include <algorithm>

namespace {

constexpr int inputs = 4, hidden = 32, outputs = 2, batch = 64, samples = 64;
constexpr int parameters = (inputs + 1) * hidden + (hidden + 1) * outputs;
constexpr float deviation = 0.03125f, scale = -1.25e-2f;
constexpr int N = interleaved * lanes, vectors = (parameters + N - 1) / N;
constexpr int wide = 4 * lanes <= batch ? 4 * lanes : batch;
typedef Vectors<N>::Float Float;
typedef Vectors<wide>::Float Batch;

struct Gradient {
  Float of[vectors];
};

/// By input and by output: vectors of examples.
struct Examples {
  Batch in[batch / wide][inputs], out[batch / wide][outputs];

  Examples() {
    uint32_t keys[2][2];
    for (uint32_t i : {0, 1}) {
      uint32_t x0 = 0, x1 = 2 + i; // fold_in of 2 and 3
      threefry(0u, 0u, x0, x1);
      keys[i][0] = x0;
      keys[i][1] = x1;
    }
    for (int e = 0; e < batch; ++e) {
      for (int i = 0; i < inputs; ++i)
        in[e / wide][i][e % wide] =
            uniform(keys[0][0], keys[0][1], e * inputs + i);
      for (int o = 0; o < outputs; ++o)
        out[e / wide][o][e % wide] =
            uniform(keys[1][0], keys[1][1], e * outputs + o);
    }
  }

  float loss(const float *p) const {
    const float *b1 = p + inputs * hidden, *w2 = b1 + hidden;
    const float *b2 = w2 + hidden * outputs;
    Batch squares{};
    for (int e = 0; e < batch / wide; ++e) {
      Batch y[outputs] = {b2[0], b2[1]};
      for (int j = 0; j < hidden; ++j) {
        Batch h = b1[j];
        for (int i = 0; i < inputs; ++i)
          h += in[e][i] * p[i * hidden + j];
        h = Normal<wide>::select(h > Batch{}, h, Batch{});
        for (int o = 0; o < outputs; ++o)
          y[o] += h * w2[j * outputs + o];
      }
      for (int o = 0; o < outputs; ++o)
        squares += (y[o] - out[e][o]) * (y[o] - out[e][o]);
    }
    float sum = 0;
    for (int i = 0; i < wide; ++i)
      sum += squares[i];
    return sum / (batch * outputs);
  }
};

struct Parameters {
  Float of[vectors] = {};
  const float *begin() const { return reinterpret_cast<const float *>(of); }
};

void search(long steps, Team<Gradient> &team, int worker,
            const Examples &examples, Parameters &p) {
  Keys keys;
  int first = worker * samples / team.workers;
  int last = (worker + 1) * samples / team.workers;
  for (long step = 0; step < steps; ++step) {
    uint32_t k0, k1;
    keys.load(step, k0, k1);
    Gradient sum{};
    for (int s = first; s < last; ++s) {
      Float z[vectors];
      drawRow<N, parameters>(k0, k1, s * parameters, z);
      Parameters above, below;
      for (int i = 0; i < vectors; ++i) {
        above.of[i] = p.of[i] + deviation * z[i];
        below.of[i] = p.of[i] - deviation * z[i];
      }
      float y = examples.loss(above.begin()) - examples.loss(below.begin());
      for (int i = 0; i < vectors; ++i)
        sum.of[i] += y * z[i];
    }
    team.mine(worker, step + 1) = sum;
    team.publish(worker, step + 1);
    sum = Gradient{};
    for (int w = 0; w < team.workers; ++w)
      for (int i = 0; i < vectors; ++i)
        sum.of[i] += team.await(w, step + 1).of[i];
    for (int i = 0; i < vectors; ++i)
      p.of[i] += scale * sum.of[i];
  }
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argc, argv, 1000);
  Clock clock;
  Examples examples;
  uint32_t k0 = 0, k1 = 4;
  threefry(0u, 0u, k0, k1);
  Parameters start;
  for (int i = 0; i < parameters; ++i)
    start.of[i / N][i % N] = uniform(k0, k1, i) - 0.5f;
  Team<Gradient> team(arguments.workers);
  Parameters result;
#pragma omp parallel for num_threads(arguments.workers) schedule(static, 1)
  for (int worker = 0; worker < arguments.workers; ++worker) {
    Parameters p = start;
    search(arguments.steps, team, worker, examples, p);
    if (worker == 0)
      result = p;
  }
  float loss = examples.loss(result.begin());
  double seconds = clock.seconds();
  printValues("parameters", result.begin() + parameters - 16, 16);
  printValues("loss", &loss, 1);
  printTime(seconds, arguments.steps);
}
