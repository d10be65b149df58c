//===- Holds.cpp - does what a buffer is said to hold fit its shape? -------------------------------===//

#include "runtime/package/Holds.h"

#include <limits>
#include <string_view>

namespace cedilla {

namespace {
struct Kind {
  std::string_view what, type;
  size_t rank;
  bool ratio, block, count, window; ///< facts that must be positive
};
} // namespace

static constexpr Kind kinds[] = {
    {"entries", "i32", 2, true, false, false, false}, {"blocks", "i32", 2, true, true, false, false},
    {"experts", "i32", 2, false, false, true, false}, {"places", "i32", 2, false, false, false, true},
    {"table_rows", "i64", 3, false, false, false, false},
};

static std::string wrongFact(const HoldsInfo &holds, const Kind &kind) {
  struct Fact {
    const char *name;
    int64_t value;
    bool needed;
  };
  for (const Fact &fact : {Fact{"ratio", holds.ratio, kind.ratio}, {"block", holds.block, kind.block},
                           {"count", holds.count, kind.count}, {"window", holds.window, kind.window},
                           {"ring", holds.ring, kind.window}})
    if (fact.value < (fact.needed ? 1 : 0) || fact.value > std::numeric_limits<int32_t>::max())
      return std::string("'") + fact.name + "': expected " + (fact.needed ? "1" : "0") + " to 2147483647, got " +
             std::to_string(fact.value);
  return "";
}

std::string holdsMismatch(const BufferInfo &buffer) {
  for (const Kind &kind : kinds) {
    if (kind.what != buffer.holds.what)
      continue;
    if (buffer.type != kind.type || buffer.shape.size() != kind.rank || buffer.shape[0] != -1)
      return "expected " + std::string(kind.type) + " of " + std::to_string(kind.rank) + " dims, the first the step's rows, got " +
             buffer.type + " of " + std::to_string(buffer.shape.size());
    if (std::string wrong = wrongFact(buffer.holds, kind); !wrong.empty())
      return wrong;
    if (kind.window && (buffer.holds.ring < buffer.holds.window || buffer.shape[1] < buffer.holds.window))
      return "expected a ring and lists of at least the window's " + std::to_string(buffer.holds.window) + ", got " +
             std::to_string(buffer.holds.ring) + " and " + std::to_string(buffer.shape[1]);
    return "";
  }
  return "";
}

} // namespace cedilla
