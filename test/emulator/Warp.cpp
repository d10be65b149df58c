//===- Warp.cpp - what lanes of a warp say to each other --------------------------------------===//

#include "test/emulator/Builtins.h"

#include <bit>

namespace cedilla::emulator {

void synchronizeWarp(const Lanes &) {}

/// The values of an argument by lane.
static std::array<uint64_t, warpSize> valuesOf(const Lanes &lanes, int argument) {
  std::array<uint64_t, warpSize> values = {};
  for (uint32_t i = 0; i < warpSize; ++i)
    if (lanes[i])
      values[i] = lanes[i]->call.in[argument];
  return values;
}

template <typename Function>
static void forEach(const Lanes &lanes, Function function) {
  for (Thread *thread : lanes)
    if (thread)
      function(*thread);
}

//===------------------------------------------------------------------------------------------===//
// shfl.sync: mask, value, lane or distance, and a word of segment and last lane
//===------------------------------------------------------------------------------------------===//

enum class Shuffle { Up, Down, Butterfly, Index };

template <Shuffle kind>
static void shuffle(const Lanes &lanes) {
  std::array<uint64_t, warpSize> values = valuesOf(lanes, 1);
  forEach(lanes, [&](Thread &thread) {
    const Call &call = thread.call;
    int lane = thread.lane(), by = call.in[2] & 31, clamp = call.in[3] & 31;
    int segment = call.in[3] >> 8 & 31, last = (lane & segment) | (clamp & ~segment);
    int from = kind == Shuffle::Up          ? lane - by
               : kind == Shuffle::Down      ? lane + by
               : kind == Shuffle::Butterfly ? lane ^ by
                                            : (lane & segment) | (by & ~segment);
    bool inside = kind == Shuffle::Up ? from >= last : from <= last;
    from = inside ? from : lane;
    if (!lanes[from])
      thread.block->stop(thread, call.site, "takes a value from a lane that its mask does not name");
    call.out[0] = values[from];
    call.out[1] = inside;
  });
}

//===------------------------------------------------------------------------------------------===//
// vote, match, redux, elect: mask first
//===------------------------------------------------------------------------------------------===//

static uint32_t ballotOf(const Lanes &lanes) {
  uint32_t bits = 0;
  forEach(lanes, [&](Thread &thread) { bits |= uint32_t(thread.call.in[1] & 1) << thread.lane(); });
  return bits;
}

static uint32_t maskOf(const Lanes &lanes) {
  uint32_t mask = 0;
  forEach(lanes, [&](Thread &thread) { mask |= 1u << thread.lane(); });
  return mask;
}

static void answer(const Lanes &lanes, uint32_t value) {
  forEach(lanes, [&](Thread &thread) { thread.call.out[0] = value; });
}

static void ballot(const Lanes &lanes) { answer(lanes, ballotOf(lanes)); }
static void any(const Lanes &lanes) { answer(lanes, ballotOf(lanes) != 0); }
static void all(const Lanes &lanes) { answer(lanes, ballotOf(lanes) == maskOf(lanes)); }
static void uniform(const Lanes &lanes) {
  answer(lanes, ballotOf(lanes) == 0 || ballotOf(lanes) == maskOf(lanes));
}

static void matchAny(const Lanes &lanes) {
  std::array<uint64_t, warpSize> values = valuesOf(lanes, 1);
  forEach(lanes, [&](Thread &thread) {
    uint32_t equal = 0;
    for (uint32_t i = 0; i < warpSize; ++i)
      if (lanes[i] && values[i] == values[thread.lane()])
        equal |= 1u << i;
    thread.call.out[0] = equal;
  });
}

/// redux.sync has the mask behind the value.
template <typename T, T (*combine)(T, T)>
static void reduce(const Lanes &lanes) {
  bool first = true;
  T result = {};
  forEach(lanes, [&](Thread &thread) {
    T value = static_cast<T>(thread.call.in[0]);
    result = first ? value : combine(result, value);
    first = false;
  });
  answer(lanes, static_cast<uint32_t>(result));
}

template <typename T>
static T add(T x, T y) { return T(uint32_t(x) + uint32_t(y)); }
template <typename T>
static T larger(T x, T y) { return x > y ? x : y; }
template <typename T>
static T smaller(T x, T y) { return x < y ? x : y; }
static uint32_t bitsAnd(uint32_t x, uint32_t y) { return x & y; }
static uint32_t bitsOr(uint32_t x, uint32_t y) { return x | y; }
static uint32_t bitsXor(uint32_t x, uint32_t y) { return x ^ y; }

static void elect(const Lanes &lanes) {
  uint32_t leader = std::countr_zero(maskOf(lanes));
  forEach(lanes, [&](Thread &thread) {
    thread.call.out[0] = leader;
    thread.call.out[1] = thread.lane() == leader;
  });
}

void addWarp(Table &table) {
  auto add = [&](const std::string &name, void (*together)(const Lanes &), int who = 0) {
    table["llvm.nvvm." + name] = {.together = together, .who = who};
  };
  add("bar.warp.sync", synchronizeWarp);
  for (const char *type : {"i32", "f32", "i32p", "f32p"}) {
    add(std::string("shfl.sync.up.") + type, shuffle<Shuffle::Up>);
    add(std::string("shfl.sync.down.") + type, shuffle<Shuffle::Down>);
    add(std::string("shfl.sync.bfly.") + type, shuffle<Shuffle::Butterfly>);
    add(std::string("shfl.sync.idx.") + type, shuffle<Shuffle::Index>);
  }
  add("vote.ballot.sync", ballot);
  add("vote.any.sync", any);
  add("vote.all.sync", all);
  add("vote.uni.sync", uniform);
  add("match.any.sync.i32", matchAny);
  add("match.any.sync.i64", matchAny);
  add("elect.sync", elect);
  add("redux.sync.add", reduce<uint32_t, emulator::add>, 1);
  add("redux.sync.umax", reduce<uint32_t, larger>, 1);
  add("redux.sync.umin", reduce<uint32_t, smaller>, 1);
  add("redux.sync.max", reduce<int32_t, larger>, 1);
  add("redux.sync.min", reduce<int32_t, smaller>, 1);
  add("redux.sync.and", reduce<uint32_t, bitsAnd>, 1);
  add("redux.sync.or", reduce<uint32_t, bitsOr>, 1);
  add("redux.sync.xor", reduce<uint32_t, bitsXor>, 1);
}

} // namespace cedilla::emulator
