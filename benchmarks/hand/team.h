// SPDX-License-Identifier: Apache-2.0
//
// How the hand-written programs' workers meet once a step: each publishes a
// row, stamped with the number of the exchange, in one of two slots by turns,
// then reads the others' rows. One phase, no barrier, no lock.

#ifndef BENCHMARKS_HAND_TEAM_H
#define BENCHMARKS_HAND_TEAM_H

#include <atomic>
#include <memory>
#include <thread>

template <typename Row> class Team {
  struct alignas(128) Slot {
    std::atomic<long> stamp{0};
    Row row;
  };

public:
  explicit Team(int workers) : workers(workers), slots(new Slot[2 * workers]) {}

  /// Where `worker` writes its row of the exchange; exchanges count from 1.
  Row &mine(int worker, long exchange) { return slot(worker, exchange).row; }

  void publish(int worker, long exchange) {
    slot(worker, exchange).stamp.store(exchange, std::memory_order_release);
  }

  /// The row of another worker, once it is there. Whoever has published its
  /// next row is done with the slots of the exchange before that one.
  const Row &await(int worker, long exchange) {
    Slot &other = slot(worker, exchange);
    for (int spins = 0; other.stamp.load(std::memory_order_acquire) < exchange;
         ++spins) {
      if (spins < 10000)
        __builtin_ia32_pause();
      else
        std::this_thread::yield();
    }
    return other.row;
  }

  const int workers;

private:
  Slot &slot(int worker, long exchange) {
    return slots[2 * worker + (exchange & 1)];
  }
  std::unique_ptr<Slot[]> slots;
};

#endif // BENCHMARKS_HAND_TEAM_H
