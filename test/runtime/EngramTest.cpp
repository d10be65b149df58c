//===- EngramTest.cpp - where Engram tables go ------------------------------------------------------===//

#include "runtime/session/MemoryPlan.h"
#include "test/runtime/Expect.h"

#include <algorithm>

namespace cedilla::test {

namespace {
/// Mapped, or made up. Nobody reads a byte.
struct Weights final : WeightSource {
  explicit Weights(bool exist) : exist(exist) {}
  bool exist;
  const std::byte *mapped(const BufferInfo &) const override {
    return exist ? reinterpret_cast<const std::byte *>(64) : nullptr;
  }
  bool madeUp() const override { return !exist; }
  void upload(const BufferInfo &, Device &, DeviceAddress, LoadProgress &) override {}
  void copy(const BufferInfo &, std::span<std::byte>, LoadProgress &) override {}
};
uint64_t room = 0;
} // namespace

/// The null device with a certain room, and perhaps with kernels that read host memory.
static DeviceTable deviceTable(bool readsHost) {
  DeviceTable table = nullDevice;
  table.freeBytes = [](void *) { return room; };
  if (readsHost)
    table.mapHost = [](void *, const void *, uint64_t, DeviceAddress *) { return false; };
  return table;
}

/// 4000 bytes of an embedding, a table of 4000 + 100 bytes. A step of 2 rows reads 3 rows each: 240 + 6 bytes.
static Manifest tables() {
  Manifest m;
  m.facts.maxRows = 2;
  m.workspaceBytes = 1000;
  m.buffers = {
      {"embed", "weight", "i8", {100, 40}, 4000, 0, false, {"embed"}, "I8", {100, 40}, true},
      {"t.weight", "weight", "i8", {100, 40}, 4000, 0, false, {"t.weight"}, "I8", {100, 40}, true},
      {"t.scale", "weight", "i8", {100, 1}, 100, 0, false, {"t.scale"}, "I8", {100, 1}, true},
      {"engram_gathered", "input", "i32", {1}, 4, 0, false, {}, "", {}, false},
  };
  m.engram = {1, 3, 0, "map", {{"t.weight", "t.scale", {3, 5}, {31, 31, 31}, {0, 31, 62}}}};
  return m;
}

static void expectPlaces(const DeviceTable &table, EngramMode mode, bool mapped, Place embed, Place codes, uint64_t total) {
  Device device(table, {});
  MemoryPlan plan = planMemory(tables(), Weights(mapped), device, mode);
  EXPECT(plan.places[0] == embed);
  EXPECT(plan.places[1] == codes);
  EXPECT(plan.total() == total);
  EXPECT(plan.gathered == (codes == Place::Gathered ? 246 : 0));
}

void testEngram() {
  DeviceTable reads = deviceTable(true), plain = deviceTable(false);
  constexpr uint64_t all = 1000 + 4000 + 4100 + 4, none = 1000 + 4;
  room = 20000;
  expectPlaces(reads, EngramMode::Auto, true, Place::Device, Place::Device, all);
  expectPlaces(reads, EngramMode::ZeroCopy, true, Place::Device, Place::Host, all - 4100);
  expectPlaces(reads, EngramMode::HostGather, true, Place::Device, Place::Gathered, all - 4100 + 246);
  expectPlaces(plain, EngramMode::HostGather, true, Place::Device, Place::Gathered, all - 4100 + 246);
  // Without room tables leave: into memory that kernels read, and where there is none, row by row. What somebody
  // asked for stays, and something else leaves.
  room = 1100;
  expectPlaces(reads, EngramMode::Auto, true, Place::Host, Place::Host, none);
  expectPlaces(plain, EngramMode::Auto, true, Place::Device, Place::Gathered, all - 4100 + 246);
  room = 5200;
  expectPlaces(reads, EngramMode::Device, true, Place::Host, Place::Device, all - 4000);

  Device device(plain, {});
  expectFails("--engram zero-copy: null: its kernels cannot read host memory",
              [&] { planMemory(tables(), Weights(true), device, EngramMode::ZeroCopy); });
  expectFails("--engram host-gather: rows are gathered from a checkpoint, got made-up weights",
              [&] { planMemory(tables(), Weights(false), device, EngramMode::HostGather); });
  Manifest older = tables();
  older.engram = {};
  expectFails("--engram: the package names no Engram tables",
              [&] { planMemory(older, Weights(true), device, EngramMode::Device); });
}

} // namespace cedilla::test
