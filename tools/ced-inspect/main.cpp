//===- main.cpp - ced-inspect: look at a model without running it ------------------------------------------===//

#include "runtime/base/Program.h"
#include "tools/ced-inspect/Commands.h"

#include <iostream>
#include <string_view>

namespace {
struct Command {
  std::string_view name, operand, help;
  void (*run)(const std::string &path);
};

using namespace cedilla::inspect;

constexpr Command commands[] = {
    {"table", "<package | model>", "every layer: mode, what it owns, from whom it reads, and which buffer that is",
     showTable},
    {"kv", "<package | model>", "bytes of cache per token and per sequence, part by part", showKv},
    {"weights", "<model>", "the tensors the model needs; with a checkpoint, whether it has them",
     showWeights},
    {"schedule", "<package | model>", "every program: its kernels per layer, in order, with their buffers", showSchedule},
    {"package", "<package>", "what a package holds: limits, memory, objects, kernels", showPackage},
    {"graph", "<model>", "the ced functions that import builds", showGraph},
};

int usage(std::ostream &out, int code) {
  out << "usage: ced-inspect <command> <file>\n";
  for (const Command &command : commands)
    out << "  " << command.name << " " << command.operand << "\n      " << command.help << "\n";
  out << "<model> is a model directory or a config.json\n";
  return code;
}
} // namespace

int main(int argc, char **argv) {
  std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h")
    return cedilla::runProgram([] { return usage(std::cout, 0); });
  for (const Command &command : commands) {
    if (command.name != name || argc != 3)
      continue;
    return cedilla::runProgram([&] { return command.run(argv[2]), 0; });
  }
  return usage(std::cerr, 2);
}
