// SPDX-License-Identifier: Apache-2.0
//
// The protocol of Team.h, checked on all interleavings of small teams. Every
// access to shared memory is a step of its own; all reachable states are
// visited. A state in which a worker reads what it should not is an error, and
// so is one in which nobody can go on. To show that the check can fail, it is
// also run on protocols that lack one of the precautions.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace {

constexpr int maxTeam = 3;

/// What is left out.
struct Protocol {
  bool singleBuffer = false;      ///< one slot for all phases
  bool bellBeforeStamp = false;   ///< looks for sleepers, then stamps
  bool noSecondLook = false;      ///< sleeps without looking at the stamp again
  bool noAcknowledgement = false; ///< a gather ends when it has been published
  bool skipEmpty = false;         ///< nobody waits for who has no rows
};

struct Model {
  int team = 2;
  std::string exchanges; ///< Reduce, Gather, Barrier by their first letters
  bool sleeping = true;  ///< waiting may turn into sleep
  int emptyWorker = -1;  ///< has no rows
  Protocol protocol = {};
};

enum class Op {
  WriteSlot,
  WriteBuffer,
  Stamp,
  Bell,
  Await,
  ReadSlot,
  ReadBuffer
};

struct Instruction {
  Op op;
  int who = 0;   ///< whose slot, stamp or buffer
  int phase = 0; ///< which is also what a slot holds in it
  int half = 0;  ///< slots and buffers are written and read in two halves
  int value = 0; ///< of a buffer
};

using Program = std::vector<Instruction>;

/// What one worker does, as Exchange.cpp does it.
Program makeProgram(const Model &model, int self) {
  Program program;
  int phase = 0;
  auto hasRows = [&](int w) { return w != model.emptyWorker; };
  auto forOthers = [&](auto visit) {
    for (int w = 0; w < model.team; ++w)
      if (w != self)
        visit(w);
  };
  auto exchange = [&](bool onlyRows) {
    Instruction stamp{Op::Stamp, self, phase}, bell{Op::Bell, self, phase};
    bool swapped = model.protocol.bellBeforeStamp;
    program.push_back(swapped ? bell : stamp);
    program.push_back(swapped ? stamp : bell);
    forOthers([&](int w) {
      if (!onlyRows || hasRows(w))
        program.push_back({Op::Await, w, phase});
    });
  };
  int value = 0;
  for (char kind : model.exchanges) {
    ++phase;
    ++value;
    switch (kind) {
    case 'R':
      for (int half = 0; half < 2 && hasRows(self); ++half)
        program.push_back({Op::WriteSlot, self, phase, half});
      exchange(model.protocol.skipEmpty);
      forOthers([&](int w) {
        for (int half = 0; half < 2 && hasRows(w); ++half)
          program.push_back({Op::ReadSlot, w, phase, half});
      });
      break;
    case 'G':
      for (int half = 0; half < 2; ++half)
        program.push_back({Op::WriteBuffer, self, phase, half, value});
      exchange(false);
      forOthers([&](int w) {
        for (int half = 0; half < 2; ++half)
          program.push_back({Op::ReadBuffer, w, phase, half, value});
      });
      if (!model.protocol.noAcknowledgement) {
        ++phase;
        exchange(false);
      }
      // The owner puts the buffer to another use.
      program.push_back({Op::WriteBuffer, self, phase, 0, -1});
      break;
    default:
      exchange(false);
    }
  }
  return program;
}

enum Sleep : int8_t { Awake, Counted, Loaded, Looked, Asleep };
enum Ringing : int8_t { Quiet, MustCount, MustWake };

struct Worker {
  int8_t pc = 0;
  Sleep sleep = Awake;
  int8_t rings = 0; ///< what was loaded before going to sleep
  Ringing ringing = Quiet;
};

struct State {
  std::array<Worker, maxTeam> workers{};
  int8_t stamp[maxTeam][2] = {};
  int8_t slot[maxTeam][2][2] = {};
  int8_t buffer[maxTeam][2] = {};
  int8_t rings[maxTeam] = {};
  int8_t sleepers[maxTeam] = {};
};
static_assert(std::has_unique_object_representations_v<State>,
              "states are compared by their bytes");

class Checker {
public:
  explicit Checker(const Model &model) : model(model) {
    for (int w = 0; w < model.team; ++w)
      programs.push_back(makeProgram(model, w));
  }

  /// What is wrong; empty if nothing is.
  std::string check() {
    visit(State());
    while (error.empty() && !queue.empty()) {
      State state = queue.front();
      queue.pop_front();
      bool moved = false, finished = true;
      for (int w = 0; w < model.team; ++w) {
        finished &= isFinished(state, w);
        moved |= !isFinished(state, w) && step(state, w);
      }
      if (!moved && !finished && error.empty())
        error = "nobody can go on";
    }
    return error;
  }
  size_t states() const { return seen.size(); }

private:
  bool isFinished(const State &state, int w) const {
    return state.workers[w].pc == static_cast<int8_t>(programs[w].size());
  }

  void visit(const State &state) {
    std::string bytes(reinterpret_cast<const char *>(&state), sizeof(state));
    if (seen.insert(bytes).second)
      queue.push_back(state);
  }

  /// Visits what one step of worker `w` leads to. False if it cannot move.
  bool step(State state, int w) {
    Worker &worker = state.workers[w];
    const Instruction &instruction = programs[w][worker.pc];
    int who = instruction.who, half = instruction.half;
    int parity = model.protocol.singleBuffer ? 0 : instruction.phase % 2;
    int8_t phase = static_cast<int8_t>(instruction.phase);
    switch (instruction.op) {
    case Op::WriteSlot:
      state.slot[who][parity][half] = phase;
      break;
    case Op::WriteBuffer:
      state.buffer[who][half] = static_cast<int8_t>(instruction.value);
      break;
    case Op::Stamp:
      state.stamp[who][parity] = phase;
      break;
    case Op::ReadSlot:
      if (state.slot[who][parity][half] != phase)
        error = "read a slot of another phase";
      break;
    case Op::ReadBuffer:
      if (state.buffer[who][half] != instruction.value)
        error = "read a buffer that is used for something else";
      break;
    case Op::Bell:
      if (!ring(state, w))
        return visit(state), true;
      break;
    case Op::Await:
      return await(state, w, state.stamp[who][parity] == phase);
    }
    ++worker.pc;
    visit(state);
    return true;
  }

  /// One step of looking for sleepers; true when done.
  bool ring(State &state, int w) {
    Worker &worker = state.workers[w];
    switch (worker.ringing) {
    case Quiet:
      if (state.sleepers[w] == 0)
        return true;
      worker.ringing = MustCount;
      return false;
    case MustCount:
      ++state.rings[w];
      worker.ringing = MustWake;
      return false;
    case MustWake:
      for (int other = 0; other < model.team; ++other)
        if (state.workers[other].sleep == Asleep && awaits(state, other) == w)
          state.workers[other].sleep = Counted;
      worker.ringing = Quiet;
      return true;
    }
    return true;
  }

  int awaits(const State &state, int w) const {
    return programs[w][state.workers[w].pc].who;
  }

  bool await(State state, int w, bool ready) {
    Worker &worker = state.workers[w];
    int who = awaits(state, w);
    switch (worker.sleep) {
    case Awake:
      if (ready) {
        ++worker.pc;
      } else {
        if (!model.sleeping)
          return false;
        ++state.sleepers[who];
        worker.sleep = Counted;
      }
      break;
    case Counted:
      worker.rings = state.rings[who];
      worker.sleep = Loaded;
      break;
    case Loaded: // the second look
      if (ready && !model.protocol.noSecondLook) {
        --state.sleepers[who];
        worker = {static_cast<int8_t>(worker.pc + 1)};
      } else {
        worker.sleep = Looked;
      }
      break;
    case Looked: // the system call compares the count once more
      worker.sleep = worker.rings == state.rings[who] ? Asleep : Counted;
      break;
    case Asleep:
      return false;
    }
    visit(state);
    return true;
  }

  const Model &model;
  std::vector<Program> programs;
  std::unordered_set<std::string> seen;
  std::deque<State> queue;
  std::string error;
};

std::string check(const Model &model) {
  Checker checker(model);
  std::string error = checker.check();
  testing::Test::RecordProperty("states", static_cast<int>(checker.states()));
  return error;
}

TEST(ProtocolModel, TwoWorkersInAllSequencesOfThree) {
  for (char a : {'R', 'G', 'B'})
    for (char b : {'R', 'G', 'B'})
      for (char c : {'R', 'G', 'B'})
        EXPECT_EQ(check({2, {a, b, c}}), "") << a << b << c;
}

TEST(ProtocolModel, TwoWorkersManyReductions) {
  EXPECT_EQ(check({2, "RRRRRRR"}), "");
}

TEST(ProtocolModel, ThreeWorkersThatSpin) {
  for (const char *exchanges : {"RRR", "RGR", "GRB", "BGG"})
    EXPECT_EQ(check({3, exchanges, false}), "") << exchanges;
}

TEST(ProtocolModel, ThreeWorkersThatSleep) {
  for (const char *exchanges : {"BBB", "RR"})
    EXPECT_EQ(check({3, exchanges, true}), "") << exchanges;
}

TEST(ProtocolModel, AWorkerWithoutRows) {
  for (int empty = 0; empty < 3; ++empty)
    EXPECT_EQ(check({3, "RRRR", false, empty}), "");
}

TEST(ProtocolModel, OneSlotIsNotEnough) {
  EXPECT_NE(check({2, "RRR", true, -1, {.singleBuffer = true}}), "");
  EXPECT_NE(check({3, "RRR", false, -1, {.singleBuffer = true}}), "");
}

TEST(ProtocolModel, WakeUpsAreLostWhenTheBellComesFirst) {
  EXPECT_EQ(check({2, "BB", true, -1, {.bellBeforeStamp = true}}),
            "nobody can go on");
}

TEST(ProtocolModel, WakeUpsAreLostWithoutASecondLook) {
  EXPECT_EQ(check({2, "BB", true, -1, {.noSecondLook = true}}),
            "nobody can go on");
}

TEST(ProtocolModel, GathersNeedAnAcknowledgement) {
  EXPECT_EQ(check({2, "GG", true, -1, {.noAcknowledgement = true}}),
            "read a buffer that is used for something else");
}

TEST(ProtocolModel, WorkersWithoutRowsMustBeAwaited) {
  EXPECT_EQ(check({3, "RRR", false, 0, {.skipEmpty = true}}),
            "read a slot of another phase");
}

} // namespace
