//===- Expect.h - the few words unit tests of the runtime need -------------------------------------===//

#pragma once

#include "runtime/base/Error.h"

#include <cstdio>
#include <string>

namespace cedilla::test {

extern int failures;

inline void expect(bool holds, const char *what, const char *file, int line) {
  if (holds)
    return;
  std::printf("%s:%d: expected %s\n", file, line, what);
  ++failures;
}
#define EXPECT(condition) ::cedilla::test::expect(condition, #condition, __FILE__, __LINE__)

/// The body must throw a user's error whose message holds `part`.
template <typename Body>
void expectFails(const std::string &part, Body body) {
  try {
    body();
    std::printf("expected an error with '%s', got none\n", part.c_str());
  } catch (const Error &error) {
    if (error.status() == Status::InvalidInput &&
        std::string(error.what()).find(part) != std::string::npos)
      return;
    std::printf("expected an error with '%s', got '%s'\n", part.c_str(), error.what());
  }
  ++failures;
}

// One per file.
void testCheck();
void testDevice();
void testEngram();
void testLevels();
void testPackage();
void testRecordings();
void testSampler();
void testStepCheck();
void testSynthetic();

} // namespace cedilla::test
