//===- Replay.cpp - ced-test-replay: the golden check over captured answers -------------------------===//
//
//   ced-test-replay <tiny-six-role> [<mark or state> [<layer>]]      the named value is a little off
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/check/GoldenCheck.h"
#include "test/runtime/ReplayEngine.h"

#include <cstdio>
#include <cstdlib>

using namespace cedilla;

int main(int argc, char **argv) {
  try {
    GoldenSet golden(argc > 1 ? argv[1] : "");
    test::Fault fault{argc > 2 ? argv[2] : "", argc > 3 ? std::atoi(argv[3]) : -1};
    test::ReplayEngine engine(golden, fault);
    return checkGolden(engine, golden, {}) ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
