//===- main.cpp - ced-make-checkpoint: a model directory of synthetic weights
//------------------------------===//
//
// For tests, demonstrations and measurements where the released weights are not at hand: the
// released names and formats, values spread as in the released model. The same seed gives the same
// bytes everywhere.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Program.h"
#include "tools/ced-make-checkpoint/WriteModel.h"

#include <charconv>
#include <cstring>
#include <iostream>
#include <string_view>

using namespace cedilla;

static constexpr const char *kUsage =
    "usage: ced-make-checkpoint <config.json> -o <folder> [--seed N] [--shard-bytes N] [--headers-only]\n"
    "  writes config.json, the weights in the released names and formats, and "
    "engram_token_map.safetensors\n"
    "  --seed N         other numbers, other weights (default 1)\n"
    "  --shard-bytes N  largest size of one file (default 4294967296)\n"
    "  --headers-only   files of the right size without weights in them, which take no place on most disks\n";

static uint64_t parseNumber(std::string_view option, std::string_view text) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    fail(Err::Option, option, ": expected a number, got '", text, "'");
  return number;
}

static int run(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--help")) {
    std::cout << kUsage;
    return 0;
  }
  std::string config;
  synthetic::Options options;
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    if (!word.starts_with("-")) {
      if (!config.empty())
        fail(Err::Option, "expected one config.json, got '", config, "' and '", word, "'");
      config = word;
      continue;
    }
    if (word == "--headers-only") {
      options.headersOnly = true;
      continue;
    }
    if (word != "-o" && word != "--seed" && word != "--shard-bytes")
      fail(Err::Option, "unknown option '", word, "'", helpHint);
    if (i + 1 == argc)
      fail(Err::Option, word, ": expected a value");
    std::string_view value = argv[++i];
    if (word == "-o")
      options.directory = value;
    else if (word == "--seed")
      options.seed = parseNumber(word, value);
    else
      options.shardBytes = parseNumber(word, value);
  }
  if (config.empty() || options.directory.empty())
    fail(Err::Option, "expected ", config.empty() ? "a config.json" : "-o <folder>", helpHint);
  uint64_t bytes = synthetic::writeModel(readModelConfig(config), options);
  std::cout << options.directory << ": " << bytes << " bytes of weights\n";
  return 0;
}

int main(int argc, char **argv) {
  return runProgram([&] { return run(argc, argv); });
}
