//===- Gumbel.h - the random numbers of sampling, the same bits everywhere -----------------------===//
//
// The id with the largest logit / temperature + g, g drawn from the Gumbel distribution for each id anew, is
// distributed as softmax(logits / temperature) says. So sampling is a maximum over one pass, and whoever knows
// the three integers that g is a function of chooses the same id: the host, the interpreter, a kernel.
//
// It is written once, for numbers of any kind: `A` says what integers (i32, wrapping, unsigned where it
// matters) and floats (f32) are and how to compute with them. Every operation is one IEEE operation, rounded
// to nearest even; nothing else would have the same bits on every machine.
//
//   struct A {
//     using I, F;
//     I integer(uint32_t), F number(float)
//     I add(I, I), mul(I, I), bitXor(I, I), bitAnd(I, I), shiftRight(I, unsigned)  // zeros come in
//     F add(F, F), sub(F, F), mul(F, F), div(F, F), toNumber(I)                    // of an I below 2^31
//     I bitsOf(F), F ofBits(I)
//   }
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace cedilla {

/// A bijection of 32 bits, well spread for counters.
template <typename A>
typename A::I mixBits(A &a, typename A::I x) {
  x = a.bitXor(x, a.shiftRight(x, 16));
  x = a.mul(x, a.integer(0x9e3779b1));
  x = a.bitXor(x, a.shiftRight(x, 15));
  x = a.mul(x, a.integer(0xd35a2d97));
  return a.bitXor(x, a.shiftRight(x, 16));
}

/// What all ids of a row have in common: the key of its sequence and the position of the token to choose.
template <typename A>
typename A::I gumbelRow(A &a, typename A::I key, typename A::I position) {
  return mixBits(a, a.bitXor(key, mixBits(a, position)));
}

/// 2 atanh(z), 0 <= z <= 1/3, to some 1e-7 of itself.
template <typename A>
typename A::F twiceAtanh(A &a, typename A::F z) {
  typename A::F square = a.mul(z, z), sum = a.number(2.0f / 13);
  for (float term : {2.0f / 11, 2.0f / 9, 2.0f / 7, 2.0f / 5, 2.0f / 3, 2.0f})
    sum = a.add(a.mul(sum, square), a.number(term));
  return a.mul(z, sum);
}

/// -ln(u) of a uniform u, with as many digits where u is near 1 as where it is near 0: u = 2^-n (1 - v), n
/// the zeros that a random word of 23 bits begins with, v uniform in (0, 1/2).
template <typename A>
typename A::F exponential(A &a, typename A::I bits) {
  constexpr float ln2 = 0.693147181f;
  // The exponent of a number counts its leading zeros. 23 bits and a half are exact.
  typename A::F word = a.add(a.toNumber(a.shiftRight(bits, 9)), a.number(0.5f));
  typename A::F zeros = a.sub(a.number(127 + 22), a.toNumber(a.shiftRight(a.bitsOf(word), 23)));
  typename A::I other = a.shiftRight(mixBits(a, a.bitXor(bits, a.integer(0x5bd1e995))), 1);
  typename A::F v = a.mul(a.add(a.toNumber(other), a.number(0.5f)), a.number(0x1p-32f));
  typename A::F rest = twiceAtanh(a, a.div(v, a.sub(a.number(2), v)));
  return a.add(a.mul(zeros, a.number(ln2)), rest);
}

/// ln(x), x > 0 and normal.
template <typename A>
typename A::F logarithm(A &a, typename A::F x) {
  constexpr float ln2 = 0.693147181f;
  typename A::I bits = a.bitsOf(x);
  typename A::F exponent = a.sub(a.toNumber(a.shiftRight(bits, 23)), a.number(127));
  typename A::F mantissa = a.ofBits(a.add(a.bitAnd(bits, a.integer(0x007fffff)), a.integer(0x3f800000)));
  typename A::F z = a.div(a.sub(mantissa, a.number(1)), a.add(mantissa, a.number(1)));
  return a.add(a.mul(exponent, a.number(ln2)), twiceAtanh(a, z));
}

/// g of an id; `row` from gumbelRow.
template <typename A>
typename A::F gumbel(A &a, typename A::I row, typename A::I id) {
  typename A::I bits = mixBits(a, a.add(row, a.mul(id, a.integer(0x85ebca77))));
  return a.sub(a.number(0), logarithm(a, exponential(a, bits)));
}

/// Plain numbers.
struct HostNumbers {
  using I = uint32_t;
  using F = float;
  I integer(uint32_t x) const { return x; }
  F number(float x) const { return x; }
  I add(I x, I y) const { return x + y; }
  I mul(I x, I y) const { return x * y; }
  I bitXor(I x, I y) const { return x ^ y; }
  I bitAnd(I x, I y) const { return x & y; }
  I shiftRight(I x, unsigned n) const { return x >> n; }
  F add(F x, F y) const { return x + y; }
  F sub(F x, F y) const { return x - y; }
  F mul(F x, F y) const { return x * y; }
  F div(F x, F y) const { return x / y; }
  F toNumber(I x) const { return static_cast<float>(static_cast<int32_t>(x)); }
  I bitsOf(F x) const { return std::bit_cast<uint32_t>(x); }
  F ofBits(I x) const { return std::bit_cast<float>(x); }
};

/// The score of an id at a temperature that is not 0.
inline float gumbelScore(float logit, float temperature, uint32_t row, uint32_t id) {
  HostNumbers host;
  return logit / temperature + gumbel(host, row, id);
}

} // namespace cedilla
