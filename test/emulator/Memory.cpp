//===- Memory.cpp - what threads may touch, and who touched it last ---------------------------===//

#include "test/emulator/Memory.h"

#include "runtime/base/Error.h"
#include "test/emulator/Emulator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cedilla::emulator {

static constexpr uint64_t largestShared = 228 * 1024, alignment = 256;
static constexpr int poison = 0xFF; ///< NaN in every format

/// The last write, and the reads since. Readers that are not ordered are remembered by one of them.
struct Memory::Byte {
  Moment writer, reader;
  bool atomic = false; ///< the write
  bool severalReaders = false, severalWarps = false;
};

static uint8_t *pointer(uint64_t address) { return reinterpret_cast<uint8_t *>(address); }

static uint64_t zeroed(uint64_t bytes) {
  uint64_t size = (bytes + alignment) / alignment * alignment;
  void *memory = std::aligned_alloc(alignment, size);
  if (!memory)
    fail(Err::Unnumbered, "emulator: cannot allocate ", bytes, " bytes");
  std::memset(memory, 0, size);
  return reinterpret_cast<uint64_t>(memory);
}

Memory::Memory() { shared.base = zeroed(largestShared); }

Memory::~Memory() {
  std::free(pointer(shared.base));
  for (auto &[address, region] : allocations)
    std::free(pointer(address));
}

uint64_t Memory::allocate(uint64_t bytes) {
  uint64_t address = zeroed(bytes), guard = options().guardBytes;
  Region &region = allocations[address];
  region.base = address + guard;
  region.bytes = bytes - std::min(bytes, 2 * guard);
  return address;
}

void Memory::release(uint64_t address) {
  lastFound = nullptr;
  allocations.erase(address);
  std::free(pointer(address));
}

uint64_t Memory::sharedBase() const { return shared.base; }

void Memory::beginLaunch() {
  firstBlock = blocks + 1;
  atomicBlocks.clear();
}

uint32_t Memory::beginBlock(uint64_t sharedBytes) {
  if (sharedBytes > largestShared)
    fail(Err::Unnumbered, "emulator: expected at most ", largestShared, " bytes of shared memory, got ", sharedBytes);
  shared.bytes = sharedBytes;
  std::memset(pointer(shared.base), poison, sharedBytes);
  return ++blocks;
}

//===------------------------------------------------------------------------------------------===//
// Bounds
//===------------------------------------------------------------------------------------------===//

/// The region an access begins in or, with its guards, belongs to.
Memory::Region *Memory::find(const Access &access) {
  auto holds = [&](const Region &region) { return access.address - region.base < region.bytes; };
  if (access.shared || holds(shared))
    return &shared;
  if (lastFound && holds(*lastFound))
    return lastFound;
  auto next = allocations.upper_bound(access.address);
  return lastFound = next == allocations.begin() ? nullptr : &std::prev(next)->second;
}

std::string Memory::check(const Access &access, const Moment &now) {
  static constexpr const char *verbs[] = {"reads", "writes", "atomically changes"};
  std::string what = std::string(verbs[access.kind]) + " " + std::to_string(access.bytes) + " bytes ";
  if (access.address % access.alignment)
    return what + "at an address that is no multiple of " + std::to_string(access.alignment);
  Region *region = find(access);
  if (!region)
    return what + "of no buffer";
  int64_t offset = access.address - region->base;
  if (offset < 0 || uint64_t(offset) + access.bytes > region->bytes)
    return what + "from byte " + std::to_string(offset) + " on of " +
           (region == &shared ? "shared memory" : "a buffer") + " of " +
           std::to_string(region->bytes);
  if (!options().racecheck)
    return {};
  std::string race = findRace(*region, access, now);
  return race.empty() ? race
                      : what + "from byte " + std::to_string(offset) + " on of " +
                            (region == &shared ? "shared memory" : "a buffer") + race;
}

//===------------------------------------------------------------------------------------------===//
// Races
//===------------------------------------------------------------------------------------------===//

bool Memory::areOrdered(const Moment &before, const Moment &now) const {
  if (before.block < firstBlock)
    return true;
  if (before.block != now.block)
    return atomicBlocks.count(before.block) && atomicBlocks.count(now.block);
  if (before.thread == now.thread || before.epoch != now.epoch)
    return true;
  return before.sameWarp(now) && before.warpEpoch != now.warpEpoch;
}

static std::string describe(const Moment &other, const char *did) {
  return ", which thread " + std::to_string(other.thread) + " " + did + " at #" +
         std::to_string(other.site) + " with no barrier in between";
}

std::string Memory::findRace(Region &region, const Access &access, const Moment &now) {
  bool isShared = &region == &shared;
  if (access.kind == Access::Atomic && !isShared)
    atomicBlocks.insert(now.block);
  region.history.resize(isShared ? largestShared : region.bytes);
  auto ordered = [&](const Moment &before) {
    return (isShared && before.block != now.block) || areOrdered(before, now);
  };
  for (uint32_t i = 0; i < access.bytes; ++i) {
    Byte &byte = region.history[access.address - region.base + i];
    bool bothAtomic = access.kind == Access::Atomic && byte.atomic;
    if (!ordered(byte.writer) && !bothAtomic)
      return describe(byte.writer, "wrote");
    if (access.kind == Access::Read) {
      bool again = byte.severalReaders && byte.reader.block == now.block &&
                   byte.reader.epoch == now.epoch &&
                   (byte.severalWarps || byte.reader.warpEpoch == now.warpEpoch);
      bool alone = ordered(byte.reader) && !again;
      byte.severalWarps = !alone && (byte.severalWarps || !byte.reader.sameWarp(now));
      byte.severalReaders = !alone;
      byte.reader = now;
      continue;
    }
    // Of several readers at least one is another thread than the one that writes now.
    Moment reader = byte.reader;
    if (byte.severalReaders && reader.thread == now.thread)
      reader.thread ^= byte.severalWarps ? 32 : 1;
    if (!ordered(reader) && !bothAtomic)
      return describe(byte.reader, "read");
    byte.writer = now;
    byte.atomic = access.kind == Access::Atomic;
    byte.reader = {};
    byte.severalReaders = byte.severalWarps = false;
  }
  return {};
}

} // namespace cedilla::emulator
