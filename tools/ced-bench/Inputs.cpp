//===- Inputs.cpp - random inputs that are the same everywhere --------------------------------===//

#include "tools/ced-bench/Inputs.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>
#include <vector>

namespace cedilla::bench {

uint32_t hashBits(uint64_t seed, uint64_t stream, uint64_t n) {
  // Two rounds of multiply and fold over the counter; every input bit reaches every output bit.
  uint64_t x = n + stream * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
  for (uint64_t factor : {0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu}) {
    x ^= x >> 31;
    x *= factor;
  }
  return static_cast<uint32_t>(x >> 32);
}

/// Sum of four uniform bytes, centred: about normal with a deviation of 1.
static float aboutNormal(uint32_t bits) {
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += static_cast<int>(bits >> (8 * i) & 0xFF);
  return static_cast<float>(sum - 510) / 148.0f;
}

static void fillElement(std::byte *to, std::string_view dtype, InputRange range, uint32_t bits) {
  if (dtype == "F8_E4M3") {
    uint8_t code = bits >> 24;
    *to = std::byte((code & 0x7F) == 0x7F ? code ^ 0x40 : code);
  } else if (dtype == "F8_E8M0") {
    *to = std::byte(range == InputRange::WideScales ? 20 + (bits >> 25) : 117 + (bits >> 29));
  } else if (dtype == "I8") {
    *to = std::byte(bits >> 24);
  } else if (dtype == "BF16") {
    uint16_t value = std::bit_cast<uint32_t>(aboutNormal(bits)) >> 16;
    std::memcpy(to, &value, sizeof value);
  } else {
    float value = aboutNormal(bits);
    std::memcpy(to, &value, sizeof value);
  }
}

static uint64_t bytesOf(std::string_view dtype) {
  if (dtype == "F8_E4M3" || dtype == "F8_E8M0" || dtype == "I8")
    return 1;
  if (dtype == "BF16")
    return 2;
  if (dtype == "F32")
    return 4;
  fail(Err::Values, "inputs of dtype '", dtype, "' are not made: expected F8_E4M3, F8_E8M0, I8, BF16 or F32");
}

void fillInput(std::span<std::byte> to, std::string_view dtype, InputRange range, uint64_t seed,
               uint64_t stream) {
  uint64_t bytes = bytesOf(dtype), count = to.size() / bytes;
  if (range == InputRange::AllCodes && bytes == 1)
    dtype = "I8";
  uint64_t workers =
      std::clamp<uint64_t>(std::thread::hardware_concurrency(), 1, count / 65536 + 1);
  std::vector<std::thread> threads;
  for (uint64_t w = 0; w < workers; ++w)
    threads.emplace_back([=] {
      for (uint64_t i = count * w / workers; i < count * (w + 1) / workers; ++i)
        fillElement(to.data() + i * bytes, dtype, range, hashBits(seed, stream, i));
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace cedilla::bench
