//===- Inputs.h - random inputs that are the same everywhere ----------------------------------===//
//
// Byte n of a buffer depends on the seed, the buffer and n alone (a counter-based integer hash), so
// any machine and any number of threads make the same data.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cedilla::bench {

/// Bits of counter n of stream `stream`.
uint32_t hashBits(uint64_t seed, uint64_t stream, uint64_t n);

enum class InputRange {
  Usual,      ///< what a model holds
  WideScales, ///< F8_E8M0 from 2^-107 to 2^20
  AllCodes    ///< bytes are any byte: NaN, the smallest and the largest scale come up too
};

/// Fills with data of a safetensors dtype; `Usual` is
///   F8_E4M3  every code but NaN         F8_E8M0  2^-10 .. 2^-3
///   I8       every byte (two E2M1)      BF16, F32  about normal, a few bits
/// Fails on another dtype.
void fillInput(std::span<std::byte> to, std::string_view dtype, InputRange range, uint64_t seed,
               uint64_t stream);

} // namespace cedilla::bench
