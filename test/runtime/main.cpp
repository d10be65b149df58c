//===- main.cpp - runs the runtime's unit tests ------------------------------------------------------===//

#include "test/runtime/Expect.h"

#include <cstring>

int cedilla::test::failures = 0;

using namespace cedilla::test;

static constexpr struct {
  const char *name;
  void (*run)();
} tests[] = {{"check", testCheck},
             {"device", testDevice},
             {"engram", testEngram},
             {"levels", testLevels},
             {"package", testPackage},
             {"recordings", testRecordings},
             {"sampler", testSampler},
             {"step-check", testStepCheck},
             {"synthetic", testSynthetic}};

int main(int argc, char **argv) {
  for (const auto &test : tests) {
    if (argc > 1 && std::strcmp(argv[1], test.name) != 0)
      continue;
    int before = failures;
    test.run();
    std::printf("%s: %s\n", test.name, failures == before ? "passed" : "FAILED");
  }
  return failures != 0;
}
