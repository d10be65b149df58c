//===- LinearTest.cpp - linear8, linear4 --------------------------------------------------------------===//

#include "dialects/ced/reference/Linear.h"
#include "dialects/ced/reference/Quantize.h"
#include "test/dialects/ced/reference/Golden.h"

namespace cedilla::reference {

void checkLinear(const Golden &golden, Report &report) {
  const std::pair<const char *, ScaledFormat> formats[] = {{"linear8", formatWeight8},
                                                           {"linear4", formatWeight4}};
  for (const auto &[group, format] : formats)
    for (const char *size : {".a", ".b", ".c"}) {
      std::string name = std::string(group) + size;
      ScaledArray x = quantize(golden.bf16(name + ".x"), formatQ8);
      Array<BF16> y = linear(x, golden.scaled(name + ".w", name + ".s", format));
      report.ulps(group, name + ".y", y, golden.bf16(name + ".y"), 1);
    }
}

} // namespace cedilla::reference
