//===- Block.h - the threads of one block, and where they meet --------------------------------===//
//
// Every thread is a fiber that runs until it ends or must meet others. Warps run one after the
// other, each as far as it gets alone, so that what a barrier should hold back happens far too early
// when the barrier is missing. When nobody can go on, the block says who waits where.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "test/emulator/Fiber.h"
#include "test/emulator/Memory.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cedilla::emulator {

constexpr uint32_t warpSize = 32;

struct Thread;
class Block;

/// A call of a function of the GPU: every argument and every result in 64 bits of its own.
struct Call {
  uint32_t site = 0; ///< which call of the code
  const uint64_t *in = nullptr;
  uint64_t *out = nullptr;
};

/// Threads of a warp that meet, by lane; null: does not take part.
using Lanes = std::array<Thread *, warpSize>;

/// A function of the GPU; one of the two is set, or it is a barrier of the block.
struct Builtin {
  void (*alone)(Thread &, const Call &) = nullptr;
  void (*together)(const Lanes &) = nullptr;
  /// The argument that says who meets: a mask of lanes, or a number of threads at a barrier.
  /// -1: all; lanes of a warp then come from the same call.
  int who = -1;

  bool isBarrier() const { return !alone && !together; }
};

/// A copy to shared memory that was begun.
struct AsyncCopy {
  uint64_t to = 0, from = 0;
  uint32_t width = 0, existing = 0; ///< bytes written; bytes read, the others are zero
  uint32_t site = 0;
};

struct Thread {
  enum State { Ready, Waiting, Ended };

  Block *block = nullptr;
  uint32_t id = 0;
  State state = Ready;
  const Builtin *at = nullptr; ///< where it waits
  Call call;
  Fiber fiber;
  std::vector<std::vector<AsyncCopy>> groups; ///< committed ones, and the open one last

  uint32_t lane() const { return id % warpSize; }
  uint32_t warp() const { return id / warpSize; }
};

/// What all blocks of a launch share.
struct Grid {
  std::string kernel;
  void (*entry)(void *const *parameters) = nullptr;
  std::vector<void *> parameters;
  uint32_t threads = 0;
  uint64_t sharedBytes = 0;
  std::array<uint32_t, 3> blocks = {1, 1, 1};
  bool descending = false; ///< order of blocks, of warps and of threads
};

class Block {
public:
  Block(const Grid &grid, Memory &memory, FiberStacks &stacks);

  /// Runs one block. Throws what its threads did wrong.
  void run(std::array<uint32_t, 3> index);

  /// By the code of the thread that runs.
  void call(const Builtin &builtin, const Call &call);
  void access(const Access &access) { check(*current, access); }

  /// By builtins; ends the block if the access is wrong.
  void check(Thread &thread, const Access &access);
  [[noreturn]] void stop(const Thread &thread, uint32_t site, const std::string &what);

  const Grid &grid;
  std::array<uint32_t, 3> index = {};

  static Block *active; ///< there is one at a time

private:
  void enter(Thread &thread);
  bool runWarp(uint32_t warp);
  bool meet(uint32_t warp);
  bool meetAll();
  [[noreturn]] void reportStuck();
  std::string name() const;

  Memory &memory;
  FiberStacks &stacks;
  std::vector<Thread> threads;
  std::vector<uint32_t> warpEpochs;
  uint32_t number = 0, epoch = 0;
  Thread *current = nullptr;
  std::string message; ///< of the thread that stopped the block
};

} // namespace cedilla::emulator
