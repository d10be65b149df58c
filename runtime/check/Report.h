//===- Report.h - what the golden check found, by layer and by prompt -----------------------------===//

#pragma once

#include "runtime/check/Numbers.h"

#include <map>
#include <string>
#include <vector>

namespace cedilla::check {

/// Lists that are compared as a whole: index lists, masks, expert ids.
struct Lists {
  int64_t total = 0, equal = 0;
  int64_t nearTies = 0; ///< of the unequal: explained by captured scores that are all but equal
  void add(bool same) { ++total, equal += same; }
  int64_t unexplained() const { return total - equal - nearTies; }
  void add(const Lists &other) {
    total += other.total, equal += other.equal, nearTies += other.nearTies;
  }
};

struct LayerReport {
  PositionDifference stream, pre, attn, ffn, engram, weights;
  Difference score;
  Difference caches, open;
  Lists index, candidates, experts;
  bool sawStream = false, sawPre = false;
};

/// What captured inputs gave, over all prompts that keep every row.
struct FedReport {
  std::vector<std::string> prompts;
  std::vector<LayerReport> layers;
  Lists engramRows;
  Difference logits; ///< behind the captured stream and pre of the last layer
};

/// One prompt through the whole model.
struct EndReport {
  std::string prompt;
  int64_t size = 0;
  int64_t positions = 0, argmaxEqual = 0;
  double median = 0, decodeMedian = 0, worst = 0;
  Lists lists, decodeLists;
};

} // namespace cedilla::check
