//===- Progress.h - a sign of life on stderr for work that takes long -----------------------------===//

#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace cedilla {

/// Prints a line at most every few seconds; short work prints nothing.
class Progress {
public:
  template <typename MakeText>
  void show(MakeText text) {
    auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::seconds(5))
      return;
    last = now;
    std::fprintf(stderr, "%s\n", std::string(text()).c_str());
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace cedilla
