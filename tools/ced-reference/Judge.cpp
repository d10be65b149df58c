//===- Judge.cpp - is a recorded value what the op gives? ------------------------------------------===//

#include "tools/ced-reference/Judge.h"

#include "dialects/ced/reference/Quantize.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

namespace cedilla {

using namespace reference;

std::string Verdict::text() const {
  char line[200];
  std::string result;
  if (numbers.elements) {
    std::snprintf(line, sizeof line, "max abs %.3g, relative L2 %.3g, at worst %.3g ulp, %.4f %% equal", numbers.worstAbsolute,
                  numbers.relativeL2(), numbers.worstUlps, 100 * numbers.equalShare());
    result = line;
  }
  if (items) {
    std::snprintf(line, sizeof line, "%s%" PRId64 " of %" PRId64 " %s differ", result.empty() ? "" : ", ", unequal, items, unit.c_str());
    result += line;
  }
  if (isList && unequal)
    result += sameScores == unequal ? ", score multisets equal" : ", score multisets not equal in " + std::to_string(unequal - sameScores);
  return result + (first.empty() ? "" : "; row " + std::to_string(row) + ": " + first);
}

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

static float number(float x) { return x; }
static float number(BF16 x) { return toFloat(x); }

template <typename T>
static std::string textOf(T x) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, BF16>) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", number(x));
    return text;
  } else {
    return std::to_string(x);
  }
}

template <typename T>
static void noteFirst(Verdict &verdict, int64_t row, int64_t element, T own, T theirs) {
  if (verdict.row >= 0)
    return;
  verdict.row = row;
  verdict.first = "element " + std::to_string(element) + ": expected " + textOf(own) + ", got " + textOf(theirs);
}

/// Vectors of the last dim are compared one by one; a row may have several.
template <typename T>
static void addNumbers(Verdict &verdict, const Array<T> &own, const Array<T> &theirs, const std::function<bool(int64_t)> &counts) {
  int64_t columns = own.cols(), each = own.dim(0) ? own.size() / own.dim(0) : 0;
  std::vector<float> a(columns), b(columns);
  for (int64_t at = 0; at + columns <= own.size() && columns; at += columns) {
    int64_t row = at / each;
    if (!counts(row))
      continue;
    for (int64_t i = 0; i < columns; ++i) {
      a[i] = number(own[at + i]), b[i] = number(theirs[at + i]);
      if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0)
        noteFirst(verdict, row, at % each + i, own[at + i], theirs[at + i]);
    }
    verdict.numbers.addRow(b, a);
  }
}

static void judgeNumbers(Verdict &v, const Array<float> &own, const Array<float> &theirs, const std::function<bool(int64_t)> &counts) {
  addNumbers(v, own, theirs, counts);
  v.wrong = !(v.numbers.relativeL2() <= maxF32);
}

static void judgeNumbers(Verdict &v, const Array<BF16> &own, const Array<BF16> &theirs, const std::function<bool(int64_t)> &counts) {
  addNumbers(v, own, theirs, counts);
  v.wrong = !(v.numbers.worstUlps <= maxUlps) || v.numbers.equalShare() < minEqual;
}

//===------------------------------------------------------------------------------------------===//
// Codes
//===------------------------------------------------------------------------------------------===//

static bool tooManyMoved(const Verdict &v) { return v.unequal > freeCodes + int64_t(maxCodesMoved * v.items); }

static void addCodes(Verdict &v, const Array<uint8_t> &own, const Array<uint8_t> &theirs, const std::function<bool(int64_t)> &counts) {
  int64_t each = own.dim(0) ? own.size() / own.dim(0) : 0;
  for (int64_t i = 0; i < own.size(); ++i) {
    if (!counts(i / each))
      continue;
    ++v.items;
    if (own[i] == theirs[i])
      continue;
    ++v.unequal;
    noteFirst<int>(v, i / each, i % each, own[i], theirs[i]);
  }
}

static void judgeCodes(Verdict &v, const ScaledArray &own, const ScaledArray &theirs, const std::function<bool(int64_t)> &counts) {
  v.unit = "codes and scales";
  addCodes(v, own.codes, theirs.codes, counts);
  addCodes(v, own.scales, theirs.scales, counts);
  addNumbers(v, dequantize(own), dequantize(theirs), counts);
  v.wrong = tooManyMoved(v);
}

//===------------------------------------------------------------------------------------------===//
// Integers and lists
//===------------------------------------------------------------------------------------------===//

template <typename T>
static void judgeIntegers(Verdict &v, const Array<T> &own, const Array<T> &theirs, const std::function<bool(int64_t)> &counts) {
  v.unit = "integers";
  int64_t each = own.dim(0) ? own.size() / own.dim(0) : 0;
  for (int64_t i = 0; i < own.size(); ++i) {
    if (!counts(i / each))
      continue;
    ++v.items;
    if (own[i] == theirs[i])
      continue;
    ++v.unequal;
    noteFirst(v, i / each, i % each, own[i], theirs[i]);
  }
  v.wrong = v.unequal > 0;
}

static std::vector<int32_t> valid(std::span<const int32_t> list) {
  std::vector<int32_t> entries;
  std::copy_if(list.begin(), list.end(), std::back_inserter(entries), [](int32_t entry) { return entry >= 0; });
  std::sort(entries.begin(), entries.end());
  return entries;
}

static std::string numbersText(const std::vector<int32_t> &numbers) {
  constexpr size_t shown = 8;
  std::string text;
  for (size_t i = 0; i < std::min(numbers.size(), shown); ++i)
    text += (i ? "," : "") + std::to_string(numbers[i]);
  return text.empty() ? "none" : numbers.size() > shown ? text + ",…" : text;
}

/// Entries that only one side has.
static std::string setDifference(const std::vector<int32_t> &own, const std::vector<int32_t> &theirs) {
  std::vector<int32_t> missing, extra;
  std::set_difference(own.begin(), own.end(), theirs.begin(), theirs.end(), std::back_inserter(missing));
  std::set_difference(theirs.begin(), theirs.end(), own.begin(), own.end(), std::back_inserter(extra));
  if (missing.empty() && extra.empty())
    return "the same entries in another order or place";
  return "missing " + numbersText(missing) + ", instead of them " + numbersText(extra);
}

static std::vector<float> scoresAt(const Array<BF16> &scores, int64_t row, const std::vector<int32_t> &entries) {
  std::vector<float> found;
  for (int32_t entry : entries)
    found.push_back(entry < scores.dim(1) ? toFloat(scores[row * scores.dim(1) + entry]) : -INFINITY);
  std::sort(found.begin(), found.end());
  return found;
}

/// Equal scores chosen the other way break the tie rule, but no more than that.
static void judgeLists(Verdict &v, const Array<int32_t> &own, const Array<int32_t> &theirs,
                       const std::function<bool(int64_t)> &counts, const Array<BF16> *scores) {
  v.isList = true, v.unit = "lists";
  int64_t k = own.dim(1);
  for (int64_t row = 0; row < own.dim(0); ++row) {
    if (!counts(row))
      continue;
    ++v.items;
    std::span<const int32_t> a(own.data() + row * k, k), b(theirs.data() + row * k, k);
    if (std::equal(a.begin(), a.end(), b.begin()))
      continue;
    ++v.unequal;
    std::vector<int32_t> x = valid(a), y = valid(b);
    v.sameScores += scores && scoresAt(*scores, row, x) == scoresAt(*scores, row, y);
    if (v.row < 0)
      v.row = row, v.first = setDifference(x, y);
  }
  v.wrong = v.unequal > 0;
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

Verdict judge(const HostValue &own, const HostValue &theirs, const std::function<bool(int64_t)> &counts, const Array<BF16> *scores,
              bool isList) {
  Verdict v;
  std::visit(
      [&](const auto &a) {
        using Value = std::decay_t<decltype(a)>;
        const Value &b = std::get<Value>(theirs);
        if constexpr (std::is_same_v<Value, Array<float>> || std::is_same_v<Value, Array<BF16>>)
          judgeNumbers(v, a, b, counts);
        else if constexpr (std::is_same_v<Value, ScaledArray>)
          judgeCodes(v, a, b, counts);
        else if constexpr (std::is_same_v<Value, Array<int32_t>>)
          isList ? judgeLists(v, a, b, counts, scores) : judgeIntegers(v, a, b, counts);
        else if constexpr (std::is_same_v<Value, Array<int64_t>>)
          judgeIntegers(v, a, b, counts);
      },
      own);
  return v;
}

template <typename T>
static void judgeState(Verdict &v, const Array<T> &before, const Array<T> &own, const Array<T> &theirs) {
  int64_t each = own.dim(0) ? own.size() / own.dim(0) : 0;
  for (int64_t i = 0; i < own.size(); ++i) {
    if (std::memcmp(&own[i], &before[i], sizeof(T)) == 0 && std::memcmp(&theirs[i], &before[i], sizeof(T)) == 0)
      continue;
    if constexpr (std::is_same_v<T, float>) {
      v.numbers.addRow(std::span(&theirs[i], 1), std::span(&own[i], 1));
      if (own[i] != theirs[i])
        noteFirst(v, i / each, i % each, own[i], theirs[i]);
      continue;
    }
    ++v.items;
    if (std::memcmp(&own[i], &theirs[i], sizeof(T)) == 0)
      continue;
    ++v.unequal;
    if constexpr (std::is_same_v<T, uint8_t>)
      noteFirst<int>(v, i / each, i % each, own[i], theirs[i]);
    else
      noteFirst(v, i / each, i % each, own[i], theirs[i]);
  }
}

Verdict judgeCache(const HostValue &before, const HostValue &own, const HostValue &theirs) {
  Verdict v;
  v.unit = "bytes";
  std::visit(
      [&](const auto &a) {
        using Value = std::decay_t<decltype(a)>;
        if constexpr (std::is_same_v<Value, WindowCache> || std::is_same_v<Value, PagedCache>) {
          judgeState(v, std::get<Value>(before).bytes, a.bytes, std::get<Value>(theirs).bytes);
          v.wrong = tooManyMoved(v);
        } else if constexpr (std::is_same_v<Value, Array<float>>) {
          judgeState(v, std::get<Value>(before), a, std::get<Value>(theirs));
          v.wrong = !(v.numbers.relativeL2() <= maxF32);
        } else if constexpr (std::is_same_v<Value, Array<int32_t>>) {
          v.unit = "integers";
          judgeState(v, std::get<Value>(before), a, std::get<Value>(theirs));
          v.wrong = v.unequal > 0;
        }
      },
      own);
  return v;
}

} // namespace cedilla
