//===- TwinReport.cpp - the table and the verdict ---------------------------------------------------===//

#include "runtime/twin/TwinReport.h"

#include <cinttypes>
#include <cstdio>

namespace cedilla::twin {

/// What is beyond its limit; null: nothing.
static const char *faultOf(const Entry &entry) {
  if (!(entry.bf16.worstUlps <= maxUlps))
    return "bf16 values";
  if (!(entry.f32.relativeL2() <= maxF32))
    return "f32 values";
  if (entry.bytesMoved > maxCodesMoved * double(entry.bytes))
    return "codes";
  if (entry.exactWrong)
    return "integers";
  if (entry.picks.equal + entry.picks.withinUlp != entry.picks.rows)
    return "picks";
  return nullptr;
}

bool TwinReport::print() const {
  std::printf("%-40s %6s %22s %12s %18s %16s %26s\n", "kernel, fed with the twin's values", "runs", "bf16 equal, ulps",
              "f32 rel. L2", "codes moved", "integers wrong", "rows of own picks equal");
  bool passed = true;
  Picks all;
  for (const auto &[name, entry] : entries) {
    const char *fault = faultOf(entry);
    passed &= !fault;
    char text[64];
    std::printf("%-40.40s %6" PRId64, name.c_str(), entry.dispatches);
    std::snprintf(text, sizeof text, "%.4f %%, %.3g", 100 * entry.bf16.equalShare(), entry.bf16.worstUlps);
    std::printf(" %22s", entry.bf16.elements ? text : "");
    std::snprintf(text, sizeof text, "%.1e", entry.f32.relativeL2());
    std::printf(" %12s", entry.f32.elements ? text : "");
    std::snprintf(text, sizeof text, "%" PRId64 " of %" PRId64, entry.bytesMoved, entry.bytes);
    std::printf(" %18s", entry.bytes ? text : "");
    std::snprintf(text, sizeof text, "%" PRId64 " of %" PRId64, entry.exactWrong, entry.exact);
    std::printf(" %16s", entry.exact ? text : "");
    std::snprintf(text, sizeof text, "%" PRId64 " of %" PRId64 ", %.2g ulp", entry.picks.equal, entry.picks.rows,
                  entry.picks.worstUlps);
    std::printf(" %26s%s%s\n", entry.picks.rows ? text : "", fault ? "  FAILED: " : "", fault ? fault : "");
    all.rows += entry.picks.rows, all.equal += entry.picks.equal, all.withinUlp += entry.picks.withinUlp;
  }
  if (all.rows)
    std::printf("own picks: %.3f %% of %" PRId64 " rows equal, %" PRId64
                " differ where scores are within %g bf16 ulp, %" PRId64 " otherwise\n",
                100.0 * double(all.equal) / double(all.rows), all.rows, all.withinUlp, maxPickUlps,
                all.rows - all.equal - all.withinUlp);
  std::printf("twin check %s\n", passed ? "passed" : "failed");
  return passed;
}

} // namespace cedilla::twin
