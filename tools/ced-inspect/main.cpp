//===- main.cpp - ced-inspect: look at a model without running it ------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "tools/ced-inspect/Commands.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <string_view>

using namespace cedilla::inspect;

//===------------------------------------------------------------------------------------------===//
// Arguments
//===------------------------------------------------------------------------------------------===//

std::string Arguments::text(const std::string &name, const std::string &otherwise) const {
  auto found = options.find(name);
  return found == options.end() ? otherwise : found->second;
}

std::vector<int64_t> Arguments::numbers(const std::string &name, std::vector<int64_t> otherwise, int64_t low) const {
  if (!has(name))
    return otherwise;
  constexpr int64_t most = int64_t(1) << 31;
  std::vector<int64_t> list;
  const std::string &text = options.at(name);
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find(',', begin);
    std::string item = text.substr(begin, end - begin);
    int64_t value = 0;
    auto [stop, error] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (item.empty() || error != std::errc() || stop != item.data() + item.size() || value < low || value > most)
      cedilla::fail(cedilla::Err::Option, "--", name, ": expected a number from ", low, " to ", most, ", got '", item, "'");
    list.push_back(value);
  }
  return list;
}

int64_t Arguments::number(const std::string &name, int64_t otherwise, int64_t low) const {
  std::vector<int64_t> list = numbers(name, {otherwise}, low);
  if (list.size() != 1)
    cedilla::fail(cedilla::Err::Option, "--", name, ": expected one number, got ", list.size());
  return list[0];
}

//===------------------------------------------------------------------------------------------===//
// Commands
//===------------------------------------------------------------------------------------------===//

namespace {
/// An option is "name VALUE", or "name" for one that takes none.
struct Command {
  std::string_view name, operand, help;
  int (*run)(const Arguments &arguments); ///< the exit code
  std::vector<std::string_view> options = {};
};

template <void (*show)(const std::string &)>
int onPath(const Arguments &arguments) {
  show(arguments.path);
  return 0;
}

template <void (*show)(const Arguments &)>
int always(const Arguments &arguments) {
  show(arguments);
  return 0;
}

const Command commands[] = {
    {"table", "<package | model>", "every layer: mode, what it owns, from whom it reads, and which buffer that is", onPath<showTable>},
    {"kv", "<package | model | layer table>", "bytes of cache per token and per sequence, part by part", always<showKv>, {"against FILE"}},
    {"flops", "<model>", "products of a decode step of one token, by format and context", always<showFlops>, {"context N,.."}},
    {"weights", "<model>", "the tensors the model needs; with a checkpoint, whether it has them", onPath<showWeights>},
    {"schedule", "<package | model>",
     "per kind of layer its kernels: what each fuses, bytes, flops, predicted time, and why it is not one with the kernel before",
     always<showSchedule>,
     {"batch N", "context N", "rows N", "target NAME[:CHIP]", "rates NAME:CHIP", "schedule NAME|FILE", "json", "html"}},
    {"memory", "<model>", "scratch buffers with their lifetimes and places, peaks; what is fixed and what grows", always<showMemory>,
     {"batch N,..", "context N", "rows N", "target NAME[:CHIP]", "each"}},
    {"support", "<model>",
     "will it run there, and why not: every kernel and whether it is built, memory, and for what is in the way the field and the "
     "nearest value that works; exit code 2 where it does not",
     showSupport, {"target NAME[:CHIP]", "batch N", "context N", "rows N", "schedule NAME", "json"}},
    {"package", "<package>", "what a package holds: sections with hashes, limits, memory, chips, programs, kernels with registers and shared memory, weights", onPath<showPackage>},
    {"verify", "<package>",
     "checks all of a package that can be checked without running it: hashes, manifest, images; against a SHA-256 and a checkpoint, too",
     always<verifyPackage>, {"sha256 HEX", "weights DIR|FILE"}},
    {"errors", "", "every numbered error: what it means, what to do; the page runtime/base/Errors.md", always<showErrors>},
    {"graph", "<model>", "the ced functions that import builds", onPath<showGraph>},
};

int usage() {
  std::ostream &out = std::cout;
  out << "usage: ced-inspect <command> <file> [options]\n";
  for (const Command &command : commands) {
    out << "  " << command.name << " " << command.operand;
    for (std::string_view option : command.options)
      out << " [--" << option << "]";
    out << "\n      " << command.help << "\n";
  }
  out << "<model> is a model directory or a config.json; <layer table> a layers.json of models/\n";
  return 0;
}

const Command &findCommand(std::string_view name) {
  std::string known;
  for (const Command &command : commands) {
    if (command.name == name)
      return command;
    known += (known.empty() ? "" : ", ") + std::string(command.name);
  }
  std::string got = name.empty() ? "nothing" : "'" + std::string(name) + "'";
  cedilla::fail(cedilla::Err::Option, "expected a command, one of ", known, ", got ", got, cedilla::helpHint);
}

/// What stands behind the command's name, each option one that the command knows.
Arguments readArguments(const Command &command, int argc, char **argv) {
  Arguments arguments;
  auto refuse = [&](const auto &...words) { cedilla::fail(cedilla::Err::Option, command.name, ": ", words..., cedilla::helpHint); };
  for (int i = 2; i < argc; ++i) {
    std::string text = argv[i];
    if (!text.starts_with("--")) {
      if (!arguments.path.empty() || command.operand.empty())
        refuse("expected ", command.operand.empty() ? "no argument" : "one " + std::string(command.operand), ", got '", text, "'",
               arguments.path.empty() ? "" : ", too");
      arguments.path = text;
      continue;
    }
    std::string name = text.substr(2);
    auto known = std::find_if(command.options.begin(), command.options.end(),
                              [&](std::string_view option) { return option.substr(0, option.find(' ')) == name; });
    if (known == command.options.end())
      refuse("unknown option '", text, "'");
    bool takesValue = known->find(' ') != std::string_view::npos;
    if (takesValue && i + 1 == argc)
      refuse(text, ": expected ", known->substr(known->find(' ') + 1), " behind it, got nothing");
    if (arguments.has(name))
      refuse(text, ": given twice");
    arguments.options[name] = takesValue ? argv[++i] : "";
    if (takesValue && arguments.options[name].empty())
      refuse(text, ": expected ", known->substr(known->find(' ') + 1), " behind it, got nothing");
  }
  if (arguments.path.empty() && !command.operand.empty())
    refuse("expected ", command.operand, ", got nothing");
  return arguments;
}
} // namespace

int main(int argc, char **argv) {
  std::string_view name = argc > 1 ? argv[1] : "";
  bool help = name == "--help" || name == "-h" || (argc > 2 && std::string_view(argv[2]) == "--help");
  return cedilla::runProgram([&] {
    if (help)
      return usage();
    const Command &command = findCommand(name);
    return command.run(readArguments(command, argc, argv));
  });
}
