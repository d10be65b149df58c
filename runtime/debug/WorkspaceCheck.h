//===- WorkspaceCheck.h - a dispatch writes its own results and nothing else -----------------------===//

#pragma once

#include "runtime/debug/SteppedEngine.h"

#include <optional>

namespace cedilla::debug {

/// Remembers the scratch area and the step's inputs from one dispatch to the next.
class WorkspaceCheck {
public:
  explicit WorkspaceCheck(PackageEngine &engine) : engine(engine) {}

  void begin();
  /// What the dispatch changed outside the rows of the buffers it makes, in words; empty: nothing. `list` is the
  /// program's, for the name of what was hit.
  std::string changedBy(const Dispatch &dispatch, int64_t rows, const std::vector<Dispatch> &list);

private:
  std::string changedInput() const;
  std::string nameOf(uint64_t byte, const Dispatch &dispatch, const std::vector<Dispatch> &list) const;

  PackageEngine &engine;
  std::vector<std::byte> workspace;
  std::vector<std::pair<size_t, std::vector<std::byte>>> inputs; ///< by buffer
};

} // namespace cedilla::debug
