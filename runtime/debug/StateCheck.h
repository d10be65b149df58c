//===- StateCheck.h - which bytes of the caches a step may write -----------------------------------===//

#pragma once

#include "runtime/debug/SteppedEngine.h"

#include <optional>

namespace cedilla::debug {

/// Remembers every cache and state from one dispatch to the next.
class StateCheck {
public:
  explicit StateCheck(PackageEngine &engine);

  void begin(const StepRows &rows);
  /// What changed in one of `states` where no row of the step may write, in words; empty: nothing.
  std::string changedIn(std::span<const size_t> states);
  /// The same for all states, and whether every row has written what it must.
  std::string atEnd();
  /// Cache rows that steps have written so far.
  int64_t rowsWritten() const { return written; }

private:
  /// Bytes [begin, end) that row `row` of the step writes.
  struct Place {
    uint64_t begin, end;
    int64_t row;
  };
  std::vector<Place> placesOf(const BufferInfo &state) const;
  std::string unwritten(size_t state, std::span<const std::byte> now) const;

  PackageEngine &engine;
  const StepRows *rows = nullptr;
  std::vector<size_t> all;
  std::vector<std::vector<std::byte>> was; ///< by buffer; empty for those that are no states
  std::vector<std::vector<Place>> places;  ///< of the step, by buffer
  int64_t written = 0;
};

} // namespace cedilla::debug
