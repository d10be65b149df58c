//===- Copies.cpp - cp.async: copies from global to shared memory -----------------------------===//
//
// A copy happens when its thread waits for it, as late as it may; until then its destination holds
// NaN. Reading too early, waiting for too few groups, and overwriting what others still read show.
//
//===------------------------------------------------------------------------------------------===//

#include "test/emulator/Builtins.h"

#include <cstring>

namespace cedilla::emulator {

static uint8_t *pointer(uint64_t address) { return reinterpret_cast<uint8_t *>(address); }

/// Arguments: to, from, and with `.s` the bytes that exist.
template <uint32_t width>
static void begin(Thread &thread, const Call &call, uint32_t existing) {
  if (existing > width)
    thread.block->stop(thread, call.site, "copies more bytes than the width of the copy");
  AsyncCopy copy{call.in[0], call.in[1], width, existing, call.site};
  thread.block->check(thread, {copy.to, width, width, Access::Write, true, call.site});
  std::memset(pointer(copy.to), 0xFF, width);
  thread.groups.back().push_back(copy);
}

template <uint32_t width>
static void copyAll(Thread &thread, const Call &call) {
  begin<width>(thread, call, width);
}
template <uint32_t width>
static void copySome(Thread &thread, const Call &call) {
  begin<width>(thread, call, static_cast<uint32_t>(call.in[2]));
}

static void commit(Thread &thread, const Call &) { thread.groups.emplace_back(); }

static void perform(Thread &thread, const AsyncCopy &copy) {
  if (copy.existing)
    thread.block->check(thread, {copy.from, copy.existing, copy.width, Access::Read, false, copy.site});
  thread.block->check(thread, {copy.to, copy.width, copy.width, Access::Write, true, copy.site});
  std::memcpy(pointer(copy.to), pointer(copy.from), copy.existing);
  std::memset(pointer(copy.to) + copy.existing, 0, copy.width - copy.existing);
}

/// All committed groups but the last `left`.
static void wait(Thread &thread, uint64_t left) {
  auto &groups = thread.groups;
  while (groups.size() > left + 1) {
    std::vector<AsyncCopy> group = std::move(groups.front());
    groups.erase(groups.begin());
    for (const AsyncCopy &copy : group)
      perform(thread, copy);
  }
}

static void waitGroup(Thread &thread, const Call &call) { wait(thread, call.in[0]); }
static void waitAll(Thread &thread, const Call &call) {
  commit(thread, call);
  wait(thread, 0);
}

template <uint32_t width>
static void addWidth(Table &table, const std::string &kind) {
  std::string name = "llvm.nvvm.cp.async." + kind + ".shared.global." + std::to_string(width);
  table[name].alone = copyAll<width>;
  table[name + ".s"].alone = copySome<width>;
}

void addCopies(Table &table) {
  addWidth<4>(table, "ca");
  addWidth<8>(table, "ca");
  addWidth<16>(table, "ca");
  addWidth<16>(table, "cg");
  table["llvm.nvvm.cp.async.commit.group"].alone = commit;
  table["llvm.nvvm.cp.async.wait.group"].alone = waitGroup;
  table["llvm.nvvm.cp.async.wait.all"].alone = waitAll;
}

} // namespace cedilla::emulator
