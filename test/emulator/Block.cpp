//===- Block.cpp - the threads of one block, and where they meet ------------------------------===//

#include "test/emulator/Block.h"

#include "runtime/base/Error.h"
#include "test/emulator/Builtins.h"

#include <map>

namespace cedilla::emulator {

Block *Block::active = nullptr;

Block::Block(const Grid &grid, Memory &memory, FiberStacks &stacks)
    : grid(grid), memory(memory), stacks(stacks), threads(grid.threads),
      warpEpochs((grid.threads + warpSize - 1) / warpSize) {}

std::string Block::name() const {
  return "kernel '" + grid.kernel + "', block " + std::to_string(index[0]) + " " +
         std::to_string(index[1]) + " " + std::to_string(index[2]);
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

static void runThread(void *self) {
  auto &thread = *static_cast<Thread *>(self);
  const Grid &grid = thread.block->grid;
  grid.entry(grid.parameters.data());
  thread.state = Thread::Ended;
  thread.fiber.leave();
}

void Block::run(std::array<uint32_t, 3> at) {
  index = at;
  number = memory.beginBlock(grid.sharedBytes);
  stacks.reserve(threads.size());
  for (uint32_t i = 0; i < threads.size(); ++i) {
    threads[i] = {};
    threads[i].block = this;
    threads[i].id = i;
    threads[i].groups.resize(1);
    threads[i].fiber.prepare(stacks.top(i), runThread, &threads[i]);
  }
  active = this;
  uint32_t warps = warpEpochs.size();
  for (bool progress = true; progress;) {
    progress = false;
    for (uint32_t i = 0; i < warps; ++i)
      progress |= runWarp(grid.descending ? warps - 1 - i : i);
    progress |= meetAll();
  }
  for (const Thread &thread : threads)
    if (thread.state != Thread::Ended)
      reportStuck();
}

/// As far as the warp gets without the others. Whether it got anywhere.
bool Block::runWarp(uint32_t warp) {
  uint32_t first = warp * warpSize, count = std::min<uint32_t>(warpSize, threads.size() - first);
  bool any = false;
  for (bool progress = true; progress;) {
    progress = false;
    for (uint32_t i = 0; i < count; ++i) {
      Thread &thread = threads[first + (grid.descending ? count - 1 - i : i)];
      if (thread.state != Thread::Ready)
        continue;
      enter(thread);
      progress = true;
    }
    progress |= meet(warp);
    any |= progress;
  }
  return any;
}

void Block::enter(Thread &thread) {
  current = &thread;
  thread.fiber.enter();
  current = nullptr;
  if (!message.empty())
    fail(Err::Unnumbered, message);
}

void Block::call(const Builtin &builtin, const Call &call) {
  Thread &thread = *current;
  if (builtin.alone)
    return builtin.alone(thread, call);
  thread.at = &builtin;
  thread.call = call;
  thread.state = Thread::Waiting;
  thread.fiber.leave();
}

//===------------------------------------------------------------------------------------------===//
// Meeting
//===------------------------------------------------------------------------------------------===//

/// Of the lanes that a waiting thread wants to meet, as bits.
static uint32_t wanted(const Thread &thread) {
  return thread.at->who < 0 ? ~0u : static_cast<uint32_t>(thread.call.in[thread.at->who]);
}

/// One meeting of lanes, if there is one for which all have come. Lanes that are named must agree in
/// whom they name; without names all lanes must come from the same call.
bool Block::meet(uint32_t warp) {
  uint32_t first = warp * warpSize, count = std::min<uint32_t>(warpSize, threads.size() - first);
  for (uint32_t begin = 0; begin < count; ++begin) {
    const Thread &leader = threads[first + begin];
    if (leader.state != Thread::Waiting || leader.at->isBarrier())
      continue;
    uint32_t mask = wanted(leader);
    Lanes lanes = {};
    uint32_t come = 0;
    for (uint32_t lane = 0; lane < count; ++lane) {
      Thread &thread = threads[first + lane];
      if (!(mask >> lane & 1) || thread.state != Thread::Waiting || thread.at != leader.at ||
          wanted(thread) != mask || (leader.at->who < 0 && thread.call.site != leader.call.site))
        continue;
      lanes[lane] = &thread;
      come |= 1u << lane;
    }
    if (come != mask)
      continue;
    if (leader.at->together == synchronizeWarp)
      ++warpEpochs[warp];
    leader.at->together(lanes);
    for (Thread *thread : lanes)
      if (thread)
        thread->state = Thread::Ready;
    return true;
  }
  return false;
}

/// Threads of one warp reach a barrier at the same call.
static bool agree(const std::vector<Thread *> &arrived) {
  for (size_t i = 1; i < arrived.size(); ++i)
    if (arrived[i]->warp() == arrived[i - 1]->warp() &&
        arrived[i]->call.site != arrived[i - 1]->call.site)
      return false;
  return true;
}

/// Lets threads go on from barriers that enough of them have reached. The first argument of a
/// barrier is its number.
bool Block::meetAll() {
  std::map<uint64_t, std::vector<Thread *>> waiting;
  for (Thread &thread : threads)
    if (thread.state == Thread::Waiting && thread.at->isBarrier())
      waiting[thread.call.in[0]].push_back(&thread);
  bool any = false;
  for (auto &[barrier, arrived] : waiting) {
    const Thread &first = *arrived.front();
    uint64_t expected = first.at->who < 0 ? threads.size() : first.call.in[first.at->who];
    if (arrived.size() != expected || !agree(arrived))
      continue;
    ++epoch;
    for (Thread *thread : arrived)
      thread->state = Thread::Ready;
    any = true;
  }
  return any;
}

//===------------------------------------------------------------------------------------------===//
// Faults
//===------------------------------------------------------------------------------------------===//

/// "thread 3", "threads 0-31"
static std::string rangeOf(uint32_t first, uint32_t last) {
  return first == last ? "thread " + std::to_string(first)
                       : "threads " + std::to_string(first) + "-" + std::to_string(last);
}

static std::string stateOf(const Thread &thread) {
  if (thread.state == Thread::Ended)
    return "ended";
  return "at " + nameOf(*thread.at) + " #" + std::to_string(thread.call.site);
}

void Block::reportStuck() {
  std::string text = name() + ": threads wait for others that do not come:";
  for (uint32_t first = 0, last; first < threads.size(); first = last + 1) {
    last = first;
    while (last + 1 < threads.size() && stateOf(threads[last + 1]) == stateOf(threads[first]))
      ++last;
    text += (first ? "; " : " ") + rangeOf(first, last) + " " + stateOf(threads[first]);
  }
  fail(Err::Unnumbered, text);
}

void Block::stop(const Thread &thread, uint32_t site, const std::string &what) {
  std::string text =
      name() + ": thread " + std::to_string(thread.id) + " " + what + ", at #" + std::to_string(site);
  if (!current)
    fail(Err::Unnumbered, text); // on no thread's stack
  message = text;
  for (;;)
    current->fiber.leave();
}

void Block::check(Thread &thread, const Access &access) {
  Moment now{number, thread.id, epoch, warpEpochs[thread.warp()], access.site};
  std::string wrong = memory.check(access, now);
  if (!wrong.empty())
    stop(thread, access.site, wrong);
}

} // namespace cedilla::emulator
