//===- ReplayList.h - cases that a package carries with inputs and right results --------------===//
//
// ced-conformance --save writes such a package, ced-bench --replay runs it. A program is one case on
// one target. Its constants are the inputs and the caches as they are before the run; its workspace
// buffers hold NaN, or numbers that are generated where they are needed. The list of cases is a constant named "replay", JSON of the structures below.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/package/Package.h"
#include "tools/ced-bench/Difference.h"

#include <nlohmann/json.hpp>

namespace cedilla::bench {

struct ReplayResult {
  std::string kind; ///< "f32" "bf16" "i32" "i64", "scaled", or "bytes" of a cache
  std::vector<int64_t> found, expected; ///< buffers, one per part of the value
  std::vector<std::vector<int64_t>> foundShapes, expectedShapes;
  std::vector<int64_t> shape; ///< of a block-scaled value, with its format
  bool fp4 = false, e4m3Scales = false;
  int64_t blockRows = 1, blockCols = 1;
  double ulp = 0, absolute = 0, codes = 0; ///< Tolerance
  std::vector<bool> counted;               ///< see compare()

  /// A value of this kind, for withParts.
  reference::HostValue like() const;
  static ReplayResult of(const reference::HostValue &value);
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReplayResult, kind, found, expected, foundShapes, expectedShapes,
                                   shape, fp4, e4m3Scales, blockRows, blockCols, ulp, absolute,
                                   codes, counted)

/// A buffer that fillInput fills, range `Usual`.
struct ReplayInput {
  int64_t buffer = 0;
  std::string dtype;
  uint64_t seed = 0, stream = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReplayInput, buffer, dtype, seed, stream)

struct ReplayCase {
  std::string program; ///< <case>/<target>/<rows and seed>
  int64_t rows = 0;
  std::vector<int64_t> buffers; ///< of all its dispatches
  std::vector<int64_t> written; ///< those that a kernel may change
  std::vector<ReplayInput> generated;
  std::vector<ReplayResult> results;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReplayCase, program, rows, buffers, written, generated,
                                   results)

inline constexpr const char *replayListName = "replay";

/// The list of a package. Fails when it has none or names what is not there.
std::vector<ReplayCase> readReplayList(const Package &package);

} // namespace cedilla::bench
