//===- main.cpp - ced-test-debug: rules of lists, and planted faults --------------------------------===//
//
//   ced-test-debug lists
//   ced-test-debug fault <file.ced> <model-dir> <dispatch name> <launch> <operand> <index> <number>
//     runs 20 tokens and 4 new ones under `ced-run --check`'s engine on the cpu; behind that launch of that dispatch,
//     the i32 at `index` of the operand becomes `number`
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Program.h"
#include "runtime/debug/CheckedEngine.h"
#include "runtime/driver/Generate.h"
#include "test/runtime/Expect.h"
#include "test/runtime/debug/Fault.h"

#include <cstdio>
#include <cstring>

namespace cedilla::test {
void testListCheck();
} // namespace cedilla::test

using namespace cedilla;

int cedilla::test::failures = 0;

static int runFault(char **arguments) {
  test::Fault fault{arguments[2], std::stoll(arguments[3]), std::stoul(arguments[4]), std::stoll(arguments[5]),
                    static_cast<int32_t>(std::stoll(arguments[6]))};
  EngineOptions options;
  options.poison = options.checkEachKernel = true;
  auto package = std::make_shared<const Package>(arguments[0]);
  auto counts = std::make_shared<debug::CheckCounts>();
  debug::CheckedEngine engine(std::make_unique<PackageEngine>(package, test::openFaulty(fault), arguments[1], options), counts);
  Sequence sequence;
  for (int32_t i = 0; i < 20; ++i)
    sequence.prompt.push_back(5 + 7 * i);
  GenerateSettings settings;
  settings.maxNew = 4;
  generate(engine, {sequence}, settings);
  std::printf("%s\n", test::wasPlanted() ? "not found" : "not planted");
  return 3;
}

static int run(int argc, char **argv) {
  if (argc == 9 && std::strcmp(argv[1], "fault") == 0)
    return runFault(argv + 2);
  if (argc != 2 || std::strcmp(argv[1], "lists") != 0)
    fail(Err::Unnumbered, "expected lists, or fault and seven arguments");
  test::testListCheck();
  std::printf("lists: %s\n", test::failures ? "FAILED" : "passed");
  return test::failures != 0;
}

int main(int argc, char **argv) {
  return runProgram([&] { return run(argc, argv); });
}
