//===- Options.cpp - the command line of ced-run and ced-reference --------------------------------===//

#include "runtime/driver/Options.h"

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/driver/CheckOptions.h"
#include "runtime/driver/OptionValues.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace cedilla {

/// New tokens when nothing says how many.
static constexpr int64_t defaultMaxNew = 16;

//===------------------------------------------------------------------------------------------===//
// The table of options
//===------------------------------------------------------------------------------------------===//

namespace {
struct Option {
  std::string_view name;
  std::string_view value; ///< what follows it; empty: nothing
  std::string_view help;
  void (*set)(Options &, const std::string &value);
};
} // namespace

static constexpr int64_t large = int64_t(1) << 40;

static const Option optionTable[] = {
    {"--weights", "<model-dir|file>", "checkpoint of the package, or what --pack made of it",
     [](Options &o, const std::string &v) { o.modelDir = v; }},
    {"--synthetic-weights", "<seed>", "make weights up instead; no checkpoint is read",
     [](Options &o, const std::string &v) {
       o.syntheticSeed = parseNumber<uint64_t>("--synthetic-weights", v, 0, UINT64_MAX);
     }},
    {"--reference", "<model-dir>", "run the reference interpreter instead of a package",
     [](Options &o, const std::string &v) { o.modelDir = v, o.reference = true; }},
    {"--wo-a-activations", "bf16|fp8", "with --reference: what wo_a multiplies, as for ced-compile",
     [](Options &o, const std::string &v) { o.woAFP8 = parseWoA(v); }},
    {"--tokens", "1,2,3", "the prompt",
     [](Options &o, const std::string &v) { o.sequences.push_back(parseList("--tokens", v)); }},
    {"--tokens-file", "<file>", "one prompt a line, run as one batch",
     [](Options &o, const std::string &v) { readTokensFile(o, v); }},
    {"--kinds", "0,0,1", "kind of each prompt token: 0 text, 1 image span",
     [](Options &o, const std::string &v) { o.kinds = parseList("--kinds", v); }},
    {"--max-new", "<n>", "new tokens per sequence (default 16)",
     [](Options &o, const std::string &v) { o.maxNew = parseNumber<int64_t>("--max-new", v, 0, large); }},
    {"--continue-with", "5,6,7", "decode these tokens instead of the model's own choice",
     [](Options &o, const std::string &v) { o.continueWith = parseList("--continue-with", v); }},
    {"--device", "cpu|cpu:avx2|cuda:0|null", "where to run (default cpu; with a level: that one and no other)",
     [](Options &o, const std::string &v) { o.device = v; }},
    {"--threads", "<n>", "cpu threads (default: all)",
     [](Options &o, const std::string &v) { o.threads = parseNumber("--threads", v, 1, 4096); }},
    {"--no-graph", "", "cuda: launch every kernel, replay no recorded steps",
     [](Options &o, const std::string &) { o.graph = false; }},
    {"--no-dependent", "", "cuda: start no kernel before its predecessor has ended",
     [](Options &o, const std::string &) { o.dependent = false; }},
    {"--twin", "<file.ced>", "check every kernel against this package's on the CPU, fed with its values",
     [](Options &o, const std::string &v) { o.twin = v; }},
    {"--check", "", "run kernel by kernel and look at every list, cache and byte that a kernel must leave alone",
     [](Options &o, const std::string &) { o.check = true; }},
    {"--compare", "<model-dir>", "name the first op that differs from the interpreter, fed with what the package had",
     [](Options &o, const std::string &v) { o.compareDir = v; }},
    {"--record", "<file>", "write what --compare compares, for --follow elsewhere",
     [](Options &o, const std::string &v) { o.recordPath = v; }},
    {"--follow", "<file>", "with --reference: compare what --record wrote with the interpreter",
     [](Options &o, const std::string &v) { o.followPath = v; }},
    {"--ab", "again|alone|chunk:<n>|decode|graph|<file.ced>",
     "run the input twice, the second time like that, and name the first value whose bits differ",
     [](Options &o, const std::string &v) { parseAb(o, v); }},
    {"--engram", "auto|device|zero-copy|host-gather", "where Engram tables are (default: where they fit)",
     [](Options &o, const std::string &v) { o.engram = parseEngram(v); }},
    {"--steps-ahead", "<n>", "decode steps that are run before the host sees their tokens (default 16)",
     [](Options &o, const std::string &v) { o.stepsAhead = parseNumber<int64_t>("--steps-ahead", v, 1, large); }},
    {"--chunk", "<n>", "rows of a sequence in one prefill step",
     [](Options &o, const std::string &v) { o.chunk = parseNumber<int64_t>("--chunk", v, 1, large); }},
    {"--repeat", "<n>", "run it all n times; every run must give the same",
     [](Options &o, const std::string &v) { o.repeat = parseNumber<int64_t>("--repeat", v, 1, large); }},
    {"--temperature", "<t>", "0 (default): the best token, lowest id among equals",
     [](Options &o, const std::string &v) {
       o.sampler.temperature = parseNumber("--temperature", v, 0.0, 1e6);
     }},
    {"--top-p", "<p>", "sample among the most likely tokens that hold this share",
     [](Options &o, const std::string &v) { o.sampler.topP = parseNumber("--top-p", v, 0.0, 1.0); }},
    {"--seed", "<n>", "of the sampler (default 0)",
     [](Options &o, const std::string &v) {
       o.sampler.seed = parseNumber<uint64_t>("--seed", v, 0, UINT64_MAX);
     }},
    {"--dump", "<out.safetensors>", "write tokens and logits",
     [](Options &o, const std::string &v) { o.dumpPath = v; }},
    {"--dump-all", "", "add stream, pre, index, experts and candidates of each layer to the dump",
     [](Options &o, const std::string &) { o.dumpAll = true; }},
    {"--dump-golden", "", "write the dump as a set that --check-golden reads, with all it compares but caches",
     [](Options &o, const std::string &) { o.dumpAll = o.dumpGolden = true; }},
    {"--check-golden", "<dir>", "compare with <dir>/golden.safetensors",
     [](Options &o, const std::string &v) { o.goldenDir = v; }},
    {"--max-median", "<x>", "limit of --check-golden's mean of medians of max |dlogit|",
     [](Options &o, const std::string &v) { o.maxMedian = parseNumber("--max-median", v, 0.0, 1e9); }},
    {"--pack", "<file.safetensors>", "write the weights in one piece each, as kernels read them, for --weights; runs no tokens",
     [](Options &o, const std::string &v) { o.packPath = v; }},
    {"--count", "", "say in how many kernels each layer runs, and check the package's contract; runs no tokens",
     [](Options &o, const std::string &) { o.count = true; }},
    {"--help", "", "this text", [](Options &o, const std::string &) { o.help = true; }},
};

static const Option *findOption(std::string_view name) {
  for (const Option &option : optionTable)
    if (option.name == name)
      return &option;
  return nullptr;
}

std::string usage(std::string_view program) {
  bool runsPackages = program != "ced-reference";
  std::string text;
  if (runsPackages)
    text = "ced-run <file.ced> --weights <model-dir> (--tokens 1,2,3 | --tokens-file F | --check-golden <dir>) [options]\n";
  text += std::string(program) + " --reference <model-dir> … [options]\n";
  text += runsPackages ? "\n" : "  The interpreter of ced-run --reference: the same options, but those of packages and devices are refused.\n\n";
  for (const Option &option : optionTable) {
    std::string head = "  " + std::string(option.name) + " " + std::string(option.value);
    head.resize(std::max<size_t>(head.size() + 1, 34), ' ');
    text += head + std::string(option.help) + "\n";
  }
  return text;
}

//===------------------------------------------------------------------------------------------===//
// The command line
//===------------------------------------------------------------------------------------------===//

/// An empty path would be the same as none.
static void set(Options &options, const Option &option, const std::string &value) {
  if (value.empty())
    fail(Err::Option, option.name, ": expected ", option.value, " behind it, got nothing");
  option.set(options, value);
}

Options parseOptions(int argc, const char *const *argv) {
  Options options;
  std::vector<std::string_view> given;
  auto has = [&](std::string_view name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (!argument.starts_with("--")) {
      if (!options.package.empty())
        fail(Err::Option, "expected one package, got '", options.package, "' and '", argument, "'");
      options.package = argument;
      continue;
    }
    size_t equals = argument.find('=');
    const Option *option = findOption(argument.substr(0, equals));
    if (!option)
      fail(Err::Option, "unknown option '", argument, "'", helpHint);
    if (has(option->name))
      fail(Err::Option, option->name, ": given twice");
    given.push_back(option->name);
    if (option->value.empty() && equals != std::string::npos)
      fail(Err::Option, option->name, ": takes no value");
    if (!option->value.empty() && equals == std::string::npos && i + 1 == argc)
      fail(Err::Option, option->name, ": expected ", option->value, " behind it");
    if (option->value.empty())
      option->set(options, "");
    else
      set(options, *option, equals == std::string::npos ? argv[++i] : argument.substr(equals + 1));
  }
  if (options.help)
    return options;
  if (has("--tokens") && has("--tokens-file"))
    fail(Err::Option, "expected one of --tokens and --tokens-file");
  if (!options.compareDir.empty() && options.modelDir.empty() && !options.syntheticSeed)
    options.modelDir = options.compareDir; // the weights of the model that it is compared with
  if (options.reference && has("--weights"))
    fail(Err::Option, "--weights: not with --reference, which names the model directory itself");
  checkModel(options, has("--device"));
  if (has("--pack"))
    for (std::string_view name : given)
      if (name != "--pack" && name != "--weights")
        fail(Err::Option, name, ": not with --pack, which takes --weights alone");
  checkWork(options);
  checkOutputs(options);
  int64_t forced = options.continueWith.size();
  if (!has("--max-new"))
    options.maxNew = forced ? forced : defaultMaxNew;
  if (options.maxNew < forced)
    fail(Err::Option, "--max-new: expected at least the ", forced, " tokens of --continue-with, got ",
         options.maxNew);
  return options;
}

bool asksFor(std::string_view option, int argc, const char *const *argv) {
  bool found = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--help")
      return false;
    found |= argument.substr(0, argument.find('=')) == option;
  }
  return found;
}

} // namespace cedilla
