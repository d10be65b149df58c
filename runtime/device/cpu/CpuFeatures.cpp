//===- CpuFeatures.cpp - which x86 code can run on this processor ---------------------------------===//

#include "runtime/device/cpu/CpuFeatures.h"

#include "runtime/base/Error.h"

#include <algorithm>

namespace cedilla::cpu {

namespace {
/// An ISA level that objects are compiled for and what it may execute.
struct Chip {
  std::string_view name;
  std::vector<std::string_view> features;
};
} // namespace

/// From least to most.
static const std::vector<Chip> &chips() {
  static const std::vector<Chip> table = {
      {"avx2", {"avx2", "fma", "f16c"}},
      {"avx512", {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
  };
  return table;
}

static std::string joined(const std::vector<std::string_view> &names) {
  std::string text;
  for (std::string_view name : names)
    text += (text.empty() ? "" : " ") + std::string(name);
  return text.empty() ? "none" : text;
}

std::vector<std::string_view> foundFeatures() {
  // The builtin takes literals only; it looks at what the operating system saves, too.
  std::vector<std::string_view> found;
#define CED_FEATURE(name)                                                                          \
  if (__builtin_cpu_supports(name))                                                                \
    found.push_back(name);
  __builtin_cpu_init();
  CED_FEATURE("avx2")
  CED_FEATURE("fma")
  CED_FEATURE("f16c")
  CED_FEATURE("avx512f")
  CED_FEATURE("avx512bw")
  CED_FEATURE("avx512cd")
  CED_FEATURE("avx512dq")
  CED_FEATURE("avx512vl")
#undef CED_FEATURE
  return found;
}

int rankOf(const std::string &chip) {
  for (size_t i = 0; i < chips().size(); ++i)
    if (chips()[i].name == chip)
      return static_cast<int>(i);
  return -1;
}

std::string levelNames() {
  std::string known;
  for (const Chip &entry : chips())
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  return known;
}

void checkFeatures(const std::string &chip, const std::vector<std::string_view> &found) {
  int rank = rankOf(chip);
  if (rank < 0)
    fail(Err::Chip, "chip '", chip, "' is unknown, expected one of ", levelNames());
  const Chip &entry = chips()[rank];
  for (std::string_view feature : entry.features)
    if (std::find(found.begin(), found.end(), feature) == found.end())
      fail(Err::ChipFeatures, "chip '", chip, "' needs ", joined(entry.features), ", this processor has ", joined(found), " (no ", feature, ")");
}

} // namespace cedilla::cpu
