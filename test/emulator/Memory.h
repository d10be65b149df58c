//===- Memory.h - what threads may touch, and who touched it last -----------------------------===//
//
// Shared memory is one buffer, used by the block that runs. Every access is checked: inside of
// shared memory or of one allocation, and aligned as the code says. With the race check every byte
// remembers its last writer and readers. Two threads meet at a byte safely when a block barrier lies
// between, or a warp barrier if they are of one warp; other collectives order nothing. Two blocks
// meet safely when both did an atomic operation on global memory: a hand-over through counters.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cedilla::emulator {

struct Access {
  enum Kind : uint32_t { Read, Write, Atomic };
  uint64_t address = 0;
  uint32_t bytes = 0, alignment = 1;
  Kind kind = Read;
  bool shared = false; ///< the pointer's type says shared memory
  uint32_t site = 0;
};

/// When something happens, as far as order is guaranteed.
struct Moment {
  uint32_t block = 0;  ///< counted over all launches, from 1 on
  uint32_t thread = 0; ///< of the block
  uint32_t epoch = 0, warpEpoch = 0; ///< barriers of the block and of the thread's warp so far
  uint32_t site = 0;

  bool sameWarp(const Moment &other) const { return thread / 32 == other.thread / 32; }
};

class Memory {
public:
  Memory();
  ~Memory();
  Memory(const Memory &) = delete;

  uint64_t allocate(uint64_t bytes);
  void release(uint64_t address);

  void beginLaunch();
  /// Poisons shared memory. Returns the block's number.
  uint32_t beginBlock(uint64_t sharedBytes);
  uint64_t sharedBase() const;

  /// Empty, or what is wrong with the access.
  std::string check(const Access &access, const Moment &now);

private:
  struct Byte;
  struct Region {
    uint64_t base = 0, bytes = 0; ///< what may be touched
    std::vector<Byte> history;    ///< filled when the race check first sees it
  };
  Region *find(const Access &access);
  std::string findRace(Region &region, const Access &access, const Moment &now);
  bool areOrdered(const Moment &before, const Moment &now) const;

  std::map<uint64_t, Region> allocations; ///< by the address given out
  Region *lastFound = nullptr;
  Region shared;
  uint32_t blocks = 0, firstBlock = 1; ///< so far; of this launch
  std::set<uint32_t> atomicBlocks;     ///< that touched global memory atomically
};

} // namespace cedilla::emulator
