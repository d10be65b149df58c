//===- ListCheck.cpp - are numbers that kernels index with what they must be? ----------------------===//

#include "runtime/debug/ListCheck.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace cedilla::debug {

namespace {
/// One row's list.
struct List {
  int64_t row;
  std::span<const int32_t> entries;
};
using Fault = std::optional<ListFault>;
} // namespace

static std::string range(int64_t low, int64_t high) { return std::to_string(low) + " to " + std::to_string(high); }

static Fault faultAt(const List &list, size_t element, std::string expected) {
  return ListFault{list.row, int64_t(element), std::move(expected), std::to_string(list.entries[element])};
}

//===------------------------------------------------------------------------------------------===//
// Sets of entries and of blocks
//===------------------------------------------------------------------------------------------===//

/// Valid ones below `limit`, ascending, then -1. `count`: how many valid ones there must be; -1: as many as there are.
static Fault checkSet(const List &list, int64_t limit, int64_t count, const std::string &of) {
  int64_t previous = -1, valid = 0;
  bool ended = false;
  for (size_t i = 0; i < list.entries.size(); ++i) {
    int64_t entry = list.entries[i];
    bool mustBe = count < 0 ? !ended && entry != -1 : int64_t(i) < count;
    if (!mustBe) {
      if (entry != -1)
        return faultAt(list, i, "-1 behind the " + std::to_string(valid) + " valid ones");
      ended = true;
      continue;
    }
    if (entry < 0 || entry >= limit)
      return faultAt(list, i, "one of the " + std::to_string(limit) + " " + of + ", " + range(0, limit - 1));
    if (entry <= previous)
      return faultAt(list, i, "ascending order, more than " + std::to_string(previous));
    previous = entry, ++valid;
  }
  return {};
}

static Fault checkEntries(const List &list, int64_t visible) {
  return checkSet(list, visible, std::min<int64_t>(visible, list.entries.size()), "visible entries");
}

/// The newest block is always kept; how many others is for their scores to say.
static Fault checkBlocks(const List &list, int64_t visible, int64_t block) {
  int64_t blocks = (visible + block - 1) / block;
  if (Fault fault = checkSet(list, blocks, -1, "blocks with visible entries"))
    return fault;
  size_t count = std::find(list.entries.begin(), list.entries.end(), -1) - list.entries.begin();
  if (blocks > 0 && (count == 0 || list.entries[count - 1] != blocks - 1))
    return faultAt(list, count ? count - 1 : 0, "block " + std::to_string(blocks - 1) + ", the newest, as the last valid one");
  return {};
}

//===------------------------------------------------------------------------------------------===//
// Experts, places, table rows
//===------------------------------------------------------------------------------------------===//

/// What a padding row chooses does not matter, but products index with it.
static Fault checkExperts(const List &list, int64_t count, bool padding) {
  for (size_t i = 0; i < list.entries.size(); ++i) {
    auto end = list.entries.begin() + i;
    if (*end < 0 || *end >= count)
      return faultAt(list, i, "one of " + std::to_string(count) + " experts, " + range(0, count - 1));
    if (!padding && std::find(list.entries.begin(), end, *end) != end)
      return faultAt(list, i, "an expert that the row has not chosen yet");
  }
  return {};
}

static Fault checkPlaces(const List &list, const HoldsInfo &holds, const StepRows &rows, int64_t visible) {
  int64_t position = rows.positions[list.row], start = rows.starts[list.row];
  int64_t first = std::max<int64_t>(0, position - holds.window + 1);
  for (int64_t n = 0; n < holds.window; ++n) {
    int64_t q = first + n, place = q > position ? -1 : q < start ? q % holds.ring : holds.ring + list.row - (position - q);
    if (list.entries[n] != place)
      return faultAt(list, n, std::to_string(place) + (place < 0 ? "" : ", where position " + std::to_string(q) + " lies"));
  }
  for (size_t i = holds.window; i < list.entries.size(); ++i)
    if (list.entries[i] < -1 || list.entries[i] >= visible)
      return faultAt(list, i, "-1, or one of the " + std::to_string(visible) + " visible entries");
  return {};
}

static Fault checkTableRows(const BufferInfo &buffer, std::span<const std::byte> bytes, const EngramFacts &engram) {
  int64_t tables = buffer.shape[1], columns = buffer.shape[2];
  if (int64_t(engram.tables.size()) != tables || engram.columns() != columns)
    return {}; // nothing is known of the tables
  for (size_t i = 0; (i + 1) * sizeof(int64_t) <= bytes.size(); ++i) {
    int64_t found, table = i / columns % tables, column = i % columns;
    std::memcpy(&found, &bytes[i * sizeof found], sizeof found);
    int64_t low = engram.tables[table].offsets[column], high = low + engram.tables[table].primes[column] - 1;
    if (found < low || found > high)
      return ListFault{int64_t(i) / (tables * columns), int64_t(i) % (tables * columns),
                       "a row of table " + std::to_string(table) + ", column " + std::to_string(column) + ", " + range(low, high),
                       std::to_string(found)};
  }
  return {};
}

//===------------------------------------------------------------------------------------------===//
// All of them
//===------------------------------------------------------------------------------------------===//

static Fault checkList(const List &list, const HoldsInfo &holds, const StepRows &rows) {
  int64_t position = rows.positions[list.row];
  bool padding = position < 0;
  int64_t visible = holds.ratio ? (position + 1) / holds.ratio : 0;
  if (holds.what == "entries")
    return checkEntries(list, visible);
  if (holds.what == "blocks")
    return checkBlocks(list, visible, holds.block);
  if (holds.what == "experts")
    return checkExperts(list, holds.count, padding);
  if (holds.what == "places" && !padding)
    return checkPlaces(list, holds, rows, visible);
  return {};
}

std::optional<ListFault> checkLists(const BufferInfo &buffer, std::span<const std::byte> bytes, const StepRows &rows,
                                    const EngramFacts &engram) {
  if (buffer.holds.what == "table_rows")
    return checkTableRows(buffer, bytes, engram);
  std::vector<int32_t> numbers(bytes.size() / sizeof(int32_t));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(int32_t));
  size_t width = rows.size() ? numbers.size() / rows.size() : 0;
  for (int64_t row = 0; row < rows.size(); ++row)
    if (Fault fault = checkList({row, std::span(numbers).subspan(row * width, width)}, buffer.holds, rows))
      return fault;
  return {};
}

std::optional<ListFault> checkPages(std::span<const int32_t> pages, const ModelFacts &facts) {
  int64_t each = facts.pagesPerSlot(), count = facts.maxBatch * each;
  std::map<int32_t, int64_t> owner;
  for (int64_t i = 0; i < int64_t(pages.size()); ++i) {
    ListFault fault{i / each, i % each, "", std::to_string(pages[i])};
    if (pages[i] < 0 || pages[i] >= count) {
      fault.expected = "one of the " + std::to_string(count) + " pages, " + range(0, count - 1);
      return fault;
    }
    auto [place, isNew] = owner.try_emplace(pages[i], i / each);
    if (!isNew) {
      fault.expected = "a page of its own; slot " + std::to_string(place->second) + " has this one";
      return fault;
    }
  }
  return {};
}

} // namespace cedilla::debug
