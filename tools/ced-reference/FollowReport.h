//===- FollowReport.h - what following a recording found -------------------------------------------===//

#pragma once

#include "tools/ced-reference/Judge.h"
#include "tools/ced-reference/Recording.h"

#include <map>
#include <string>

namespace cedilla {

class FollowReport {
public:
  explicit FollowReport(const Recording &recording) : recording(recording) {}

  /// `maker` may be null: of caches, whose writers are not told apart.
  void add(size_t step, const std::string &value, const std::string &op, const MadeBy *maker, const Verdict &verdict);
  /// A value that has not as many bytes as the model says.
  void addMisfit(size_t step, const std::string &value, const MadeBy *maker, const std::string &reason);
  /// Prints; true when nothing differs.
  bool print() const;

private:
  void addWrong(size_t step, const std::string &value, const MadeBy *maker, const std::string &what);

  const Recording &recording;
  struct Entry {
    int64_t values = 0, wrong = 0;
    check::Difference numbers;
    int64_t items = 0, unequal = 0;
  };
  std::map<std::string, Entry> byOp;
  int64_t values = 0, wrong = 0;
  std::string first;
  std::vector<std::string> others;
};

} // namespace cedilla
