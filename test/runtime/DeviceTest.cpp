//===- DeviceTest.cpp - what devices refuse, and the thread pool ------------------------------------===//

#include "runtime/device/Device.h"
#include "runtime/device/cpu/CpuFeatures.h"
#include "runtime/device/cpu/ThreadPool.h"
#include "test/runtime/Expect.h"

#include <atomic>
#include <vector>

namespace cedilla::test {

static void testFeatures() {
  cpu::checkFeatures("avx2", {"avx2", "fma", "f16c"});
  expectFails("chip 'avx2' needs avx2 fma f16c, this processor has avx2 f16c (no fma)",
              [] { cpu::checkFeatures("avx2", {"avx2", "f16c"}); });
  expectFails("this processor has none", [] { cpu::checkFeatures("avx512", {}); });
  expectFails("chip 'sm_90a' is unknown, expected one of avx2, avx512",
              [] { cpu::checkFeatures("sm_90a", {"avx2"}); });
}

static void testNames() {
  expectFails("device 'tpu': expected one of cpu", [] { openDevice("tpu"); });
  expectFails("device 'cuda:x': expected a number", [] { openDevice("cuda:x"); });
  expectFails("device 'cuda:': expected a number", [] { openDevice("cuda:"); });
  expectFails("device 'cpu:1': expected a level of avx2, avx512 behind 'cpu:', got '1'", [] { openDevice("cpu:1"); });
  expectFails("device 'null:1': there is one 'null', expected no number", [] { openDevice("null:1"); });
  EXPECT(openDevice("cpu").hostMemory());
  EXPECT(!openDevice("null").hostMemory());
}

static void testMemory() {
  Device device = openDevice("cpu");
  DeviceAddress address = device.allocate(100, "test");
  EXPECT(address % 64 == 0);
  std::vector<uint8_t> bytes(100, 1);
  device.download(bytes.data(), address, 100);
  EXPECT(bytes == std::vector<uint8_t>(100, 0));
  device.fill(address + 10, 0xFF, 5);
  device.upload(address, "ab", 2);
  device.download(bytes.data(), address, 100);
  EXPECT(bytes[0] == 'a' && bytes[9] == 0 && bytes[10] == 0xFF && bytes[14] == 0xFF &&
         bytes[15] == 0);
  device.release(address);
  expectFails("cannot allocate", [&] { device.allocate(uint64_t(1) << 60, "too much"); });
}

/// Every block of the grid, each once, with an aligned arena.
static void countBlock(void *const *buffers, int64_t rows, const int64_t block[3], void *arena) {
  auto *counts = static_cast<std::atomic<int> *>(buffers[0]);
  if (reinterpret_cast<uintptr_t>(arena) % 64 == 0 && arena)
    ++counts[block[0] + rows * (block[1] + 5 * block[2])];
  static_cast<int *>(arena)[15] = int(block[0]);
}

static void testThreadPool() {
  for (int threads : {1, 2, 3, 8}) {
    cpu::ThreadPool pool(threads);
    EXPECT(pool.size() == threads);
    pool.reserveArenas(60);
    for (int64_t width : {1, 2, 7, 100}) {
      std::vector<std::atomic<int>> counts(width * 5 * 2);
      void *buffers[] = {counts.data()};
      for (int repeat = 0; repeat < 50; ++repeat)
        pool.run({countBlock, buffers, width, {width, 5, 2}});
      for (std::atomic<int> &count : counts)
        EXPECT(count == 50);
    }
  }
}

static void testImages() {
  Device device = openDevice("cpu");
  std::vector<std::byte> bytes(100, std::byte(1));
  expectFails("here: expected an ELF shared object", [&] { device.loadModule(bytes, {}, "here"); });
  const unsigned char elf[] = {0x7f, 'E', 'L', 'F', 1, 1};
  for (size_t i = 0; i < sizeof(elf); ++i)
    bytes[i] = std::byte(elf[i]);
  expectFails("here: expected a 64-bit x86-64 shared object",
              [&] { device.loadModule(bytes, {}, "here"); });
}

void testDevice() {
  testFeatures();
  testNames();
  testMemory();
  testThreadPool();
  testImages();
}

} // namespace cedilla::test
