//===- ced-reference-ops - the reference's ops against captured data ----------------------------------===//
//
// ced-reference-ops <directory with ops.safetensors and cases.json>
// Prints a table (group, worst difference, tolerance); exits with 1 when a comparison fails, with 2 when
// the data cannot be read.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "test/dialects/ced/reference/Golden.h"

#include <cstdio>

using namespace cedilla;

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: ced-reference-ops <golden/ops directory>\n");
    return 2;
  }
  try {
    reference::Golden golden(argv[1]);
    reference::Report report;
    reference::checkNumbers(report);
    reference::checkQuantize(golden, report);
    reference::checkLinear(golden, report);
    reference::checkHyperConnection(golden, report);
    reference::checkAttention(golden, report);
    reference::checkIndexer(golden, report);
    reference::checkEngram(golden, report);
    reference::checkMoe(golden, report);
    reference::checkSampling(report);
    reference::checkState(report);
    return report.print() ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.status());
  }
}
