//===- Errors.cpp - the page of numbered errors ----------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "tools/ced-inspect/Commands.h"

#include <iostream>

namespace cedilla::inspect {

namespace {
struct Row {
  int number;
  const char *meaning, *remedy;
};
constexpr Row rows[] = {
#define CED_ERROR(name, number, meaning, remedy) {number, meaning, remedy},
#include "runtime/base/Errors.def"
#undef CED_ERROR
};
constexpr const char *parts[] = {"import", "plan", "package", "device", "run"};
} // namespace

void showErrors(const Arguments &) {
  std::cout << "# Numbered errors\n\n"
               "Written by `ced-inspect errors` from `Errors.def`. A failure is one line on standard error,\n"
               "`error: CED<number>: <where>: expected <what>, got <what>`, and exit code 2 for a user's mistake, 1 for a fault of\n"
               "ours or of the machine. Of a phase that refused IR, the lines above it say which op and why.\n";
  int thousand = 0;
  for (const Row &row : rows) {
    if (row.number / 1000 != thousand) {
      thousand = row.number / 1000;
      std::cout << "\n## CED" << thousand << "xxx: " << parts[thousand - 1] << "\n\n| number | what it means | what to do |\n|---|---|---|\n";
    }
    std::cout << "| CED" << row.number << " | " << row.meaning << " | " << row.remedy << " |\n";
  }
}

} // namespace cedilla::inspect
