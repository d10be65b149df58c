//===- TwinEngine.cpp - feeding, running, comparing ---------------------------------------------------===//

#include "runtime/twin/TwinEngine.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cedilla::twin {

//===------------------------------------------------------------------------------------------===//
// The same list on both sides
//===------------------------------------------------------------------------------------------===//

static bool isFixed(const BufferInfo &buffer) { return buffer.kind == "weight" || buffer.kind == "constant"; }

/// The buffers of a dispatch that both sides must have: a kernel's own scratch is its own affair.
static std::vector<size_t> sharedBuffers(const PackageEngine &engine, const StepInfo &step) {
  std::vector<size_t> result;
  for (int64_t buffer : step.buffers)
    if (!isScratch(engine.manifest().buffers[buffer]))
      result.push_back(buffer);
  return result;
}

static bool sameBuffer(const BufferInfo &a, const BufferInfo &b) {
  return a.kind == b.kind && a.type == b.type && a.shape == b.shape && (a.kind == "workspace" || a.name == b.name);
}

static void checkSameList(const PackageEngine &tried, const PackageEngine &right, bool decode) {
  const char *what = decode ? "decode" : "prefill";
  constexpr const char *advice = "; compile both from the same model and sizes with --schedule=split";
  const std::vector<StepInfo> &a = tried.program(decode).steps, &b = right.program(decode).steps;
  if (a.size() != b.size())
    fail(Err::Twin, "--twin: expected ", a.size(), " steps of '", what, "', the twin has ", b.size(), advice);
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<size_t> x = sharedBuffers(tried, a[i]), y = sharedBuffers(right, b[i]);
    bool same = a[i].op == b[i].op && a[i].name == b[i].name && a[i].layer == b[i].layer && x.size() == y.size();
    for (size_t j = 0; same && j < x.size(); ++j)
      same = sameBuffer(tried.manifest().buffers[x[j]], right.manifest().buffers[y[j]]);
    if (!same)
      fail(Err::Twin, "--twin: '", what, "' step ", i, ": expected '", a[i].name, "' (layer ", a[i].layer,
           ") on the same buffers, the twin has '", b[i].name, "' (layer ", b[i].layer, ")", advice);
  }
}

TwinEngine::TwinEngine(std::unique_ptr<PackageEngine> triedEngine, std::unique_ptr<PackageEngine> rightEngine,
                       std::shared_ptr<TwinReport> theReport)
    : tried(std::move(triedEngine)), right(std::move(rightEngine)), report(std::move(theReport)) {
  for (bool decode : {false, true})
    checkSameList(*tried, *right, decode);
}

std::vector<TwinEngine::Operand> TwinEngine::operandsOf(const StepInfo &a, const StepInfo &b) const {
  std::vector<size_t> x = sharedBuffers(*tried, a), y = sharedBuffers(*right, b);
  std::vector<Operand> operands;
  for (size_t i = 0; i < x.size(); ++i) {
    const BufferInfo &info = tried->manifest().buffers[x[i]];
    bool known = std::any_of(operands.begin(), operands.end(), [&](const Operand &o) { return o.tried == x[i]; });
    if (!isFixed(info) && info.kind != "input" && !known)
      operands.push_back({x[i], y[i], &info});
  }
  return operands;
}

void TwinEngine::resetSlot(int64_t slot) {
  tried->resetSlot(slot);
  right->resetSlot(slot);
}

//===------------------------------------------------------------------------------------------===//
// Comparing
//===------------------------------------------------------------------------------------------===//

/// Numbers of a bf16 or f32 buffer.
static std::vector<float> numbersOf(const BufferInfo &info, std::span<const std::byte> bytes) {
  std::vector<float> numbers(bytes.size() / (info.type == "bf16" ? 2 : 4));
  if (info.type == "f32")
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
  for (size_t i = 0; info.type == "bf16" && i < numbers.size(); ++i) {
    uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * i, 2);
    numbers[i] = check::bf16ToFloat(bits);
  }
  return numbers;
}

static void compareNumbers(const BufferInfo &info, size_t cols, std::span<const std::byte> got,
                           std::span<const std::byte> wanted, Entry &entry) {
  std::vector<float> a = numbersOf(info, got), b = numbersOf(info, wanted);
  check::Difference &difference = info.type == "bf16" ? entry.bf16 : entry.f32;
  for (size_t i = 0; i + cols <= a.size(); i += cols)
    difference.addRow({a.data() + i, cols}, {b.data() + i, cols});
}

/// Of a buffer that the dispatch wrote. Bytes of codes count where they changed.
static void compareOperand(const BufferInfo &info, std::span<const std::byte> before, std::span<const std::byte> got,
                           std::span<const std::byte> wanted, Entry &entry) {
  if (info.type == "bf16" || (info.type == "f32" && info.kind != "state"))
    return compareNumbers(info, info.shape.empty() ? 1 : info.shape.back(), got, wanted, entry);
  if (info.type == "f32") { // of all slots, most of which were not written
    for (size_t i = 0; i + 4 <= got.size(); i += 4)
      if (std::memcmp(&before[i], &wanted[i], 4) != 0 || std::memcmp(&before[i], &got[i], 4) != 0)
        compareNumbers(info, 1, got.subspan(i, 4), wanted.subspan(i, 4), entry);
    return;
  }
  bool codes = info.type == "i8";
  size_t size = codes ? 1 : info.type == "i32" ? 4 : 8;
  for (size_t i = 0; i + size <= got.size(); i += size) {
    bool differs = std::memcmp(&got[i], &wanted[i], size) != 0;
    bool written = differs || info.kind != "state" || std::memcmp(&before[i], &wanted[i], size) != 0;
    (codes ? entry.bytes : entry.exact) += written;
    (codes ? entry.bytesMoved : entry.exactWrong) += differs;
  }
}

//===------------------------------------------------------------------------------------------===//
// Picks
//===------------------------------------------------------------------------------------------===//

static double bf16UlpsBetween(float a, float b) {
  if (a == b)
    return 0;
  float magnitude = std::max(std::fabs(a), std::fabs(b));
  double ulp = std::ldexp(1.0, std::max(std::isfinite(magnitude) ? std::ilogb(magnitude) : 127, -126) - 7);
  return std::fabs(double(a) - b) / ulp;
}

/// Numbers that only one of the two has.
static std::vector<int32_t> onlyInOne(std::vector<int32_t> a, std::vector<int32_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<int32_t> result;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

static std::vector<int32_t> integersOf(std::span<const std::byte> bytes) {
  std::vector<int32_t> result(bytes.size() / 4);
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

void TwinEngine::comparePicks(size_t index, bool decode, int64_t rows, std::span<const Operand> operands,
                              std::span<const Bytes> before, std::span<const Bytes> after, Entry &entry) {
  auto isPick = [&](size_t i) {
    return operands[i].info->type == "i32" && operands[i].info->kind == "workspace" && before[i] != after[i];
  };
  auto isScore = [&](size_t i) {
    const BufferInfo &info = *operands[i].info;
    return before[i] == after[i] && (info.type == "bf16" || info.type == "f32") && info.shape.size() == 2 &&
           info.shape[0] == -1 && own.count(operands[i].tried);
  };
  std::vector<size_t> picks, scores;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (isPick(i))
      picks.push_back(i);
    else if (isScore(i))
      scores.push_back(i);
  }
  if (picks.empty() || scores.size() != 1)
    return;
  size_t score = scores[0];
  const BufferInfo &scoreInfo = *operands[score].info;
  for (size_t i = 0; i < operands.size(); ++i)
    tried->write(operands[i].tried, i == score ? own[operands[i].tried] : before[i]);
  tried->runDispatch(decode, index, rows);

  std::vector<float> a = numbersOf(scoreInfo, own[operands[score].tried]), b = numbersOf(scoreInfo, before[score]);
  int64_t scoreCols = scoreInfo.shape.back();
  for (size_t i : picks) {
    std::vector<int32_t> got = integersOf(tried->read(operands[i].tried, rows)), wanted = integersOf(after[i]);
    int64_t cols = operands[i].info->shape.back();
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int32_t> differing = onlyInOne({got.begin() + row * cols, got.begin() + (row + 1) * cols},
                                                 {wanted.begin() + row * cols, wanted.begin() + (row + 1) * cols});
      double ulps = 0;
      for (int32_t pick : differing)
        if (pick >= 0 && pick < scoreCols)
          ulps = std::max(ulps, bf16UlpsBetween(a[row * scoreCols + pick], b[row * scoreCols + pick]));
      ++entry.picks.rows;
      entry.picks.equal += differing.empty();
      entry.picks.withinUlp += !differing.empty() && ulps <= maxPickUlps;
      entry.picks.worstUlps = std::max(entry.picks.worstUlps, ulps);
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

/// What the dispatch computes, and its first weight without the layer: "linear attn.wq_a.weight".
static std::string nameOf(const PackageEngine &engine, const StepInfo &step) {
  for (int64_t buffer : step.buffers) {
    const BufferInfo &info = engine.manifest().buffers[buffer];
    if (info.kind != "weight")
      continue;
    std::string_view name = info.name;
    if (name.starts_with("layers."))
      name.remove_prefix(name.find('.', 7) + 1);
    return step.name + " " + std::string(name);
  }
  return step.name;
}

void TwinEngine::runBoth(size_t index, bool decode, const StepRows &rows) {
  const StepInfo &step = tried->program(decode).steps[index];
  std::vector<Operand> operands = operandsOf(step, right->program(decode).steps[index]);
  std::vector<Bytes> before, after;
  for (const Operand &operand : operands) {
    before.push_back(right->read(operand.right, rows.size()));
    tried->write(operand.tried, before.back());
  }
  right->runDispatch(decode, index, rows.size());
  tried->runDispatch(decode, index, rows.size());

  Entry &entry = report->of(nameOf(*tried, step));
  ++entry.dispatches;
  std::vector<std::pair<size_t, Bytes>> written;
  for (size_t i = 0; i < operands.size(); ++i) {
    after.push_back(right->read(operands[i].right, rows.size()));
    Bytes got = tried->read(operands[i].tried, rows.size());
    if (got == before[i] && after[i] == before[i])
      continue;
    compareOperand(*operands[i].info, before[i], got, after[i], entry);
    written.emplace_back(operands[i].tried, std::move(got));
  }
  comparePicks(index, decode, rows.size(), operands, before, after, entry);
  for (auto &[buffer, bytes] : written)
    own[buffer] = std::move(bytes);
}

void TwinEngine::step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &observer) {
  if (observer)
    fail(Err::Option, "--twin: shows no marks; not with --dump-all or --dump-golden");
  own.clear();
  tried->beginStep(rows, decode, logits.size());
  right->beginStep(rows, decode, logits.size());
  for (size_t i = 0; i < tried->program(decode).steps.size(); ++i)
    if (tried->program(decode).steps[i].op == "dispatch")
      runBoth(i, decode, rows);
  tried->endStep(rows, decode, {});
  right->endStep(rows, decode, logits);
}

} // namespace cedilla::twin
