//===- ThreadPool.h - the blocks of one kernel over all processors --------------------------------===//
//
// Threads live as long as the pool and sleep between launches. Each has its own 64-byte aligned arena.
// Which thread runs which block is open, so blocks may not depend on each other.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace cedilla::cpu {

/// KernelInfo's ABI on the CPU.
using KernelFunction = void (*)(void *const *buffers, int64_t rows, const int64_t block[4],
                                void *arena);

/// What all threads work on at one time.
struct Job {
  KernelFunction function = nullptr;
  void *const *buffers = nullptr;
  int64_t rows = 0;
  std::array<int64_t, 3> grid = {1, 1, 1};
  bool descending = false; ///< begin with the last block
  int64_t phase = 0;

  int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};

class ThreadPool {
public:
  /// 0 threads: one per processor the process may use. The calling thread is one of them.
  explicit ThreadPool(int threads);
  ~ThreadPool();

  int size() const { return static_cast<int>(arenas.size()); }
  /// Makes every arena at least this large.
  void reserveArenas(size_t bytes);
  /// Fills the first bytes of every arena.
  void fillArenas(int byte, size_t bytes);
  /// Runs all blocks and returns when they are done.
  void run(const Job &job);

private:
  struct FreeArena {
    void operator()(void *arena) const;
  };
  void worker(size_t index);
  void work(size_t index);

  std::vector<std::unique_ptr<void, FreeArena>> arenas; ///< [0] is the calling thread's
  size_t arenaBytes = 0;
  Job job;
  std::atomic<int64_t> next{0};       ///< the next block of `job`
  std::atomic<uint32_t> generation{0}; ///< goes up with each job
  std::atomic<uint32_t> busy{0};       ///< workers that have not finished it
  std::atomic<bool> stopping{false};
  std::vector<std::thread> threads;
};

} // namespace cedilla::cpu
