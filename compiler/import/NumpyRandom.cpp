//===- NumpyRandom.cpp - SeedSequence, PCG64 (XSL-RR), Lemire's bounded draw
//---------------------------===//
//
// Written from the published descriptions of the three algorithms; the constants are theirs.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/NumpyRandom.h"

#include <bit>
#include <cassert>
#include <cstddef>

namespace cedilla {

using uint128 = unsigned __int128;

//===------------------------------------------------------------------------------------------===//
// SeedSequence: spreads a small seed over 256 bits
//===------------------------------------------------------------------------------------------===//

namespace {
/// Multiplies by a constant that itself moves on with every use.
struct MovingHash {
  uint32_t constant, step;

  uint32_t operator()(uint32_t value) {
    value ^= constant;
    constant *= step;
    value *= constant;
    return value ^ value >> 16;
  }
};
} // namespace

static uint32_t mixWords(uint32_t left, uint32_t right) {
  uint32_t mixed = 0xca01f9ddu * left - 0x4973f715u * right;
  return mixed ^ mixed >> 16;
}

static std::array<uint64_t, 4> spreadSeed(uint32_t seed) {
  MovingHash absorb{0x43b0d7e5u, 0x931e8875u};
  std::array<uint32_t, 4> pool;
  for (std::size_t i = 0; i < pool.size(); ++i)
    pool[i] = absorb(i == 0 ? seed : 0);
  for (std::size_t from = 0; from < pool.size(); ++from)
    for (std::size_t to = 0; to < pool.size(); ++to)
      if (from != to)
        pool[to] = mixWords(pool[to], absorb(pool[from]));

  MovingHash emit{0x8b51f9ddu, 0x58f38dedu};
  std::array<uint64_t, 4> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    uint64_t low = emit(pool[2 * i % 4]);
    uint64_t high = emit(pool[(2 * i + 1) % 4]);
    words[i] = high << 32 | low;
  }
  return words;
}

//===------------------------------------------------------------------------------------------===//
// PCG64
//===------------------------------------------------------------------------------------------===//

static uint128 join(uint64_t high, uint64_t low) { return uint128(high) << 64 | low; }

static uint128 stepped(uint128 state, uint128 increment) {
  return state * join(0x2360ed051fc65da4u, 0x4385df649fccf645u) + increment;
}

NumpyRandom::NumpyRandom(uint32_t seed) {
  std::array<uint64_t, 4> words = spreadSeed(seed);
  increment = join(words[2], words[3]) << 1 | 1;
  state = stepped(0, increment) + join(words[0], words[1]);
  state = stepped(state, increment);
}

uint64_t NumpyRandom::next() {
  state = stepped(state, increment);
  uint64_t folded = uint64_t(state >> 64) ^ uint64_t(state);
  return std::rotr(folded, int(state >> 122));
}

uint64_t NumpyRandom::below(uint64_t bound) {
  assert(bound > uint64_t(1) << 32 && "smaller bounds are drawn from half words");
  uint128 product = uint128(next()) * bound;
  // Rejecting this many of the lowest products makes every result equally likely.
  uint64_t threshold = -bound % bound;
  while (uint64_t(product) < threshold)
    product = uint128(next()) * bound;
  return uint64_t(product >> 64);
}

} // namespace cedilla
