//===- ThreadPool.cpp - the blocks of one kernel over all processors ------------------------------===//

#include "runtime/device/cpu/ThreadPool.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cedilla::cpu {

/// A decode step is hundreds of short kernels: a thread that sleeps at once would cost more to wake
/// than to let it look a little longer.
static constexpr int looksBeforeSleep = 2000;

/// Returns when `value` is no longer `old`.
static void waitForChange(std::atomic<uint32_t> &value, uint32_t old) {
  for (int i = 0; i < looksBeforeSleep; ++i) {
    if (value.load(std::memory_order_acquire) != old)
      return;
    __builtin_ia32_pause();
  }
  value.wait(old, std::memory_order_acquire);
}

void ThreadPool::FreeArena::operator()(void *arena) const { std::free(arena); }

ThreadPool::ThreadPool(int count) {
  if (count <= 0)
    count = std::max(1u, std::thread::hardware_concurrency());
  arenas.resize(count);
  for (int i = 1; i < count; ++i)
    threads.emplace_back([this, i] { worker(i); });
}

ThreadPool::~ThreadPool() {
  stopping.store(true, std::memory_order_relaxed);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadPool::reserveArenas(size_t bytes) {
  if (bytes <= arenaBytes)
    return;
  bytes = (bytes + 63) / 64 * 64;
  for (auto &arena : arenas) {
    arena.reset(std::aligned_alloc(64, bytes));
    if (!arena)
      fail(Err::DeviceMemory, "cpu: cannot allocate ", bytes, " bytes of scratch per thread");
  }
  arenaBytes = bytes;
}

void ThreadPool::fillArenas(int byte, size_t bytes) {
  for (auto &arena : arenas)
    if (arena)
      std::memset(arena.get(), byte, std::min(bytes, arenaBytes));
}

void ThreadPool::run(const Job &newJob) {
  job = newJob;
  next.store(0, std::memory_order_relaxed);
  // One block needs nobody else.
  if (threads.empty() || job.blocks() == 1)
    return work(0);
  busy.store(threads.size(), std::memory_order_relaxed);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
  work(0);
  while (uint32_t left = busy.load(std::memory_order_acquire))
    waitForChange(busy, left);
}

void ThreadPool::worker(size_t index) {
  for (uint32_t seen = 0;; ++seen) {
    waitForChange(generation, seen);
    if (stopping.load(std::memory_order_relaxed))
      return;
    work(index);
    if (busy.fetch_sub(1, std::memory_order_release) == 1)
      busy.notify_all();
  }
}

void ThreadPool::work(size_t index) {
  const int64_t blocks = job.blocks();
  for (int64_t n; (n = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
    int64_t i = job.descending ? blocks - 1 - n : n;
    int64_t block[4] = {i % job.grid[0], i / job.grid[0] % job.grid[1],
                        i / (job.grid[0] * job.grid[1]), job.phase};
    job.function(job.buffers, job.rows, block, arenas[index].get());
  }
}

} // namespace cedilla::cpu
