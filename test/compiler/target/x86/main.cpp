//===- main.cpp - runs all cases, or those whose name contains a given word -------------------===//
//
//   ced-test-x86 <golden directory> [word]
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

#include <chrono>

using namespace x86test;

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: ced-test-x86 <golden directory> [word]\n");
    return 2;
  }
  goldenDirectory = argv[1];
  std::string word = argc > 2 ? argv[2] : "";
  int failed = 0, run = 0;
  for (const Case &test : cases()) {
    if (word.empty() ? test.onlyByName : test.name.find(word) == std::string::npos)
      continue;
    ++run;
    auto start = std::chrono::steady_clock::now();
    std::string failure;
    try {
      test.run();
    } catch (const std::exception &error) {
      failure = error.what();
      ++failed;
    }
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%s %s (%.2f s)%s%s\n", failure.empty() ? "ok  " : "FAIL", test.name.c_str(), seconds,
           failure.empty() ? "" : ": ", failure.c_str());
    fflush(stdout);
  }
  printf("%d of %d cases passed\n", run - failed, run);
  return failed || !run;
}
