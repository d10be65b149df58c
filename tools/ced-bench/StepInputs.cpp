//===- StepInputs.cpp - rows and caches as if a model had run for a while ----------------------===//

#include "runtime/base/Error.h"
#include "runtime/package/Package.h"
#include "tools/ced-bench/Inputs.h"
#include "tools/ced-bench/Step.h"

#include <algorithm>
#include <cstring>

namespace cedilla::bench {

//===------------------------------------------------------------------------------------------===//
// Rows
//===------------------------------------------------------------------------------------------===//

std::vector<StepShape> shapesOf(const StepOptions &options, const ModelFacts &facts) {
  int64_t perSequence = options.prefill ? options.prefill : 1;
  int64_t most = facts.maxContext - perSequence;
  if (most < 0 || perSequence > facts.maxRows)
    fail(Err::Option, "--prefill: the package is for steps of at most ", std::min(facts.maxRows, facts.maxContext),
         " rows of a sequence, got ", perSequence);
  int64_t context = options.context.value_or(std::min<int64_t>(most, options.prefill ? 0 : 4095));
  if (context > most)
    fail(Err::Option, "--context: the package is for sequences of ", facts.maxContext, " tokens, got ", context,
         " and ", perSequence, " in the step");
  std::vector<StepShape> shapes;
  bool one = options.prefill || options.batches.empty();
  for (int64_t batch : one ? std::vector<int64_t>{1} : options.batches) {
    if (batch < 1 || batch > std::min(facts.maxBatch, facts.maxRows))
      fail(Err::Option, "--batch: expected 1 to ", std::min(facts.maxBatch, facts.maxRows),
           " with this package, got ", batch);
    shapes.push_back({options.prefill == 0, batch, perSequence, context});
  }
  return shapes;
}

StepRows rowsOf(const StepShape &shape, const ModelFacts &facts, uint64_t seed) {
  StepRows rows;
  for (int64_t slot = 0; slot < shape.sequences; ++slot)
    for (int64_t i = 0; i < shape.rowsPerSequence; ++i) {
      auto token = int32_t(hashBits(seed, 1 + slot, i) % uint64_t(facts.vocab));
      rows.append(token, 0, int32_t(shape.context + i), int32_t(slot), int32_t(shape.context));
    }
  return rows;
}

//===------------------------------------------------------------------------------------------===//
// Caches
//===------------------------------------------------------------------------------------------===//

namespace {
/// A row of a cache: codes, then scales (runtime/engine/Engine.h).
struct RowFormat {
  int64_t codeBytes = 0;
  bool nibbles = false;          ///< two FP4 codes a byte, else E4M3
  uint8_t scaleLow = 0, scaleSpan = 1;
};
} // namespace

static std::optional<RowFormat> formatOf(const BufferInfo &state, const ModelFacts &facts) {
  if (state.type != "i8")
    return std::nullopt;
  // UE8M0 scales of 2^-9 to 2^-5; E4M3 scales of about 0.1 to 0.9.
  if (state.name.starts_with("window."))
    return RowFormat{facts.headDim, false, 118, 5};
  if (state.name.starts_with("main_kv."))
    return RowFormat{facts.headDim / 2, true, 0x1C, 0x1B};
  if (state.name.starts_with("index_k."))
    return RowFormat{facts.indexHeadDim / 2, true, 122, 5};
  return std::nullopt;
}

/// Some rows, a prime number of them so that no period fits a page; they are repeated over the whole state.
static constexpr int64_t patternRows = 1021;

static std::vector<std::byte> makeRows(const RowFormat &format, int64_t rowBytes, uint64_t seed,
                                       uint64_t stream) {
  std::vector<std::byte> rows(patternRows * rowBytes);
  for (size_t i = 0; i < rows.size(); ++i) {
    uint32_t bits = hashBits(seed, stream, i);
    auto byte = uint8_t(bits);
    if (int64_t(i) % rowBytes >= format.codeBytes)
      byte = uint8_t(format.scaleLow + (bits >> 8) % format.scaleSpan);
    else if (!format.nibbles && (byte & 0x7F) == 0x7F)
      byte ^= 0x40; // no NaN
    rows[i] = std::byte(byte);
  }
  return rows;
}

template <typename Stored, typename Make>
static std::vector<std::byte> makeValues(const BufferInfo &state, Make make) {
  uint64_t count = std::min<uint64_t>(state.bytes / sizeof(Stored), 1 << 20);
  std::vector<std::byte> bytes(count * sizeof(Stored));
  for (uint64_t i = 0; i < count; ++i) {
    Stored value = make(i);
    std::memcpy(&bytes[i * sizeof(Stored)], &value, sizeof(Stored));
  }
  return bytes;
}

std::vector<std::string> fillCaches(PackageEngine &engine, const Manifest &manifest,
                                    uint64_t seed) {
  std::vector<std::string> unknown;
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    const BufferInfo &state = manifest.buffers[i];
    if (state.kind != "state")
      continue;
    auto bits = [&](uint64_t n) { return hashBits(seed, 1000 + i, n); };
    if (std::optional<RowFormat> format = formatOf(state, manifest.facts))
      engine.repeatOver(i, makeRows(*format, state.shape.back(), seed, 1000 + i));
    else if (state.type == "f32")
      engine.repeatOver(i, makeValues<float>(
                               state, [&](uint64_t n) { return float(bits(n) >> 8) * 0x1p-23f - 1; }));
    else if (state.type == "i32")
      engine.repeatOver(i, makeValues<int32_t>(state, [&](uint64_t n) {
                          return int32_t(bits(n) % uint64_t(manifest.facts.vocab));
                        }));
    else
      unknown.push_back(state.name);
  }
  return unknown;
}

} // namespace cedilla::bench
