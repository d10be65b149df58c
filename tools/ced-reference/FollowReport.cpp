//===- FollowReport.cpp - what following a recording found -----------------------------------------===//

#include "tools/ced-reference/FollowReport.h"

#include <cinttypes>
#include <cstdio>

namespace cedilla {

/// "layer 3, dispatch 41 'topk' (kernel 'select_0')"; without a maker, of a cache, nothing.
static std::string whereOf(const MadeBy *maker) {
  return maker ? ", layer " + std::to_string(maker->step->layer) + ", dispatch " + std::to_string(maker->index) + " '" +
                     maker->step->name + "' (kernel '" + maker->kernel->name + "')"
               : "";
}

void FollowReport::addWrong(size_t step, const std::string &value, const MadeBy *maker, const std::string &what) {
  constexpr size_t named = 10;
  std::string where = (recording.steps()[step].decode ? "decode step " : "prefill step ") + std::to_string(step) + whereOf(maker);
  if (++wrong == 1)
    first = value + ": " + where + ": " + what;
  else if (others.size() < named)
    others.push_back(value + ": " + where);
}

void FollowReport::add(size_t step, const std::string &value, const std::string &op, const MadeBy *maker, const Verdict &verdict) {
  Entry &entry = byOp[op];
  ++values, ++entry.values;
  entry.numbers.add(verdict.numbers);
  entry.items += verdict.items, entry.unequal += verdict.unequal;
  if (!verdict.wrong)
    return;
  ++entry.wrong;
  addWrong(step, value, maker, verdict.text());
}

void FollowReport::addMisfit(size_t step, const std::string &value, const MadeBy *maker, const std::string &reason) {
  ++values;
  addWrong(step, value, maker, reason);
}

bool FollowReport::print() const {
  std::printf("%-18s %7s %7s %10s %10s %9s %9s  %s\n", "op", "values", "wrong", "max abs", "rel L2", "worst ulp", "equal %",
              "codes, integers or lists that differ");
  for (const auto &[op, entry] : byOp)
    std::printf("%-18s %7" PRId64 " %7" PRId64 " %10.3g %10.3g %9.3g %9.4f  %" PRId64 " of %" PRId64 "\n", op.c_str(), entry.values,
                entry.wrong, entry.numbers.worstAbsolute, entry.numbers.relativeL2(), entry.numbers.worstUlps,
                100 * entry.numbers.equalShare(), entry.unequal, entry.items);
  std::printf("compare: %zu steps, %" PRId64 " values that left a kernel, each computed from what the package had\n",
              recording.steps().size(), values);
  if (wrong == 0) {
    std::printf("compare passed: no op differs from the interpreter\n");
    return true;
  }
  std::printf("first op that differs: %s\n", first.c_str());
  for (const std::string &other : others)
    std::printf("differs, too: %s\n", other.c_str());
  std::printf("compare failed: %" PRId64 " of %" PRId64 " values\n", wrong, values);
  return false;
}

} // namespace cedilla
