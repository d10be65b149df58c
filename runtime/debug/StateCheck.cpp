//===- StateCheck.cpp - which bytes of the caches a step may write ---------------------------------===//

#include "runtime/debug/StateCheck.h"

#include <algorithm>

namespace cedilla::debug {

StateCheck::StateCheck(PackageEngine &engine) : engine(engine) {
  const std::vector<BufferInfo> &buffers = engine.manifest().buffers;
  was.resize(buffers.size()), places.resize(buffers.size());
  // What `advance` keeps (sampling, chosen) is not written by these programs either: no row has a place there.
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].kind == "state")
      all.push_back(i);
}

//===------------------------------------------------------------------------------------------===//
// Places
//===------------------------------------------------------------------------------------------===//

static bool isRing(const BufferInfo &state) { return state.name.starts_with("window."); }

/// A ring row, a paged entry, or the slot's whole state (engine/Engine.h, StateView).
std::vector<StateCheck::Place> StateCheck::placesOf(const BufferInfo &state) const {
  std::vector<Place> list;
  if (state.name == "sampling" || state.name == "chosen")
    return list;
  uint64_t each = state.bytes / state.shape[0]; // of a slot or page
  int64_t inner = state.shape.size() > 1 ? state.shape[1] : 1;
  for (int64_t row = 0; row < rows->size(); ++row) {
    int64_t position = rows->positions[row], slot = rows->slots[row];
    if (position < 0)
      continue;
    if (isRing(state)) {
      uint64_t bytes = each / inner, begin = slot * each + position % inner * bytes;
      list.push_back({begin, begin + bytes, row});
    } else if (state.paged) {
      int64_t page = engine.facts().page, ratio = std::max<int64_t>(page / inner, 1);
      if ((position + 1) % ratio)
        continue; // the group is still open
      int64_t entry = (position + 1) / ratio - 1;
      uint64_t bytes = each / inner;
      uint64_t begin = engine.pageOf(slot, entry * ratio / page) * each + entry * ratio % page / ratio * bytes;
      list.push_back({begin, begin + bytes, row});
    } else {
      list.push_back({slot * each, (slot + 1) * each, row});
    }
  }
  return list;
}

void StateCheck::begin(const StepRows &stepRows) {
  rows = &stepRows;
  for (size_t state : all) {
    was[state] = engine.read(state, 0);
    places[state] = placesOf(engine.manifest().buffers[state]);
  }
}

//===------------------------------------------------------------------------------------------===//
// Checks
//===------------------------------------------------------------------------------------------===//

static std::string where(uint64_t byte, const BufferInfo &state) {
  uint64_t each = state.bytes / state.shape[0], inner = state.shape.size() > 1 ? state.shape[1] : 1, bytes = each / inner;
  return "byte " + std::to_string(byte % bytes) + " of row " + std::to_string(byte % each / bytes) + " of " +
         (state.paged ? "page " : "slot ") + std::to_string(byte / each) + " of '" + state.name + "'";
}

std::string StateCheck::changedIn(std::span<const size_t> states) {
  for (size_t state : states) {
    const BufferInfo &info = engine.manifest().buffers[state];
    std::vector<std::byte> now = engine.read(state, 0);
    for (const Place &place : places[state])
      std::copy(now.begin() + place.begin, now.begin() + place.end, was[state].begin() + place.begin);
    auto differ = std::mismatch(now.begin(), now.end(), was[state].begin());
    std::string found = differ.first == now.end() ? "" : where(differ.first - now.begin(), info);
    was[state] = std::move(now);
    if (!found.empty())
      return found;
  }
  return "";
}

/// Rows of rings and paged caches hold nothing but poison until they are written. (Only the last rows of a chunk that
/// is longer than the ring stay in it, but then its place was written by a later one.)
std::string StateCheck::unwritten(size_t state, std::span<const std::byte> now) const {
  const BufferInfo &info = engine.manifest().buffers[state];
  if (!isRing(info) && !info.paged)
    return "";
  for (const Place &place : places[state])
    if (std::all_of(now.begin() + place.begin, now.begin() + place.end, [](std::byte b) { return b == std::byte(poisonByte); }))
      return where(place.begin, info) + " to be written for row " + std::to_string(place.row) + " (position " +
             std::to_string(rows->positions[place.row]) + "), got what lay there";
  return "";
}

std::string StateCheck::atEnd() {
  if (std::string found = changedIn(all); !found.empty())
    return "expected " + found + " to stay as it was";
  for (size_t state : all) {
    if (std::string found = unwritten(state, was[state]); !found.empty())
      return "expected " + found;
    written += places[state].size();
  }
  return "";
}

} // namespace cedilla::debug
