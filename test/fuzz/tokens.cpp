//===- tokens.cpp - prompts of the command line, and what is made of them -------------------------===//
//
// The first line of an input holds arguments with blanks between them, what follows is a file of tokens. Accepted
// prompts are generated from, by an engine that computes nothing and checks every step.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/driver/Generate.h"
#include "runtime/driver/Options.h"
#include "runtime/engine/StepCheck.h"
#include "test/fuzz/Fuzz.h"

#include <algorithm>
#include <sstream>

using namespace cedilla;
using namespace cedilla::fuzz;

namespace {
ModelFacts smallFacts() {
  ModelFacts facts;
  facts.vocab = 64, facts.slack = 3, facts.page = 8, facts.eos = {63};
  facts.maxRows = 8, facts.maxContext = 48, facts.maxBatch = 3;
  return facts;
}

class CheckingEngine : public Engine {
public:
  const ModelFacts &facts() const override { return limits; }
  void resetSlot(int64_t slot) override { check.checkSlot(slot), check.reset(slot); }
  void step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &) override {
    mustHold([&] { check.check(rows, decode), checkLogitsSize(limits, rows.size(), logits.size()); });
    for (size_t i = 0; i < logits.size(); ++i)
      logits[i] = float(i * 37 % 101) / 8;
    check.advance(rows);
  }
  int64_t stepsAhead() const override { return 4; }
  void decodeAhead(const StepRows &rows, std::span<const RowSampling>, int64_t steps, std::span<int32_t> chosen) override {
    mustHold([&] { check.checkAhead(rows, steps); });
    for (size_t i = 0; i < chosen.size(); ++i)
      chosen[i] = int32_t(i % 64);
    StepRows last = rows;
    for (int32_t &position : last.positions)
      position += int32_t(steps) - 1;
    check.advance(last);
  }
  int64_t pageOf(int64_t slot, int64_t n) const override { return slot * limits.pagesPerSlot() + n; }
  std::vector<StateView> states() override { return {}; }

private:
  /// Kinds are the user's and are found here first; whatever else is wrong with a step was made by the driver.
  template <typename Body>
  void mustHold(Body body) {
    try {
      body();
    } catch (const Error &error) {
      if (std::string_view(error.what()).find(": kind: ") != std::string_view::npos)
        throw;
      std::fprintf(stderr, "expected a legal step, got '%s'\n", error.what());
      std::abort();
    }
  }
  ModelFacts limits = smallFacts();
  StepCheck check{limits};
};
} // namespace

static std::vector<std::string> argumentsOf(std::string_view line) {
  std::vector<std::string> arguments = {"ced-run"};
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;)
    arguments.push_back(word.substr(0, word.find('\0')));
  return arguments;
}

static void generateFrom(const Options &options) {
  std::vector<Sequence> sequences;
  for (const std::vector<int32_t> &prompt : options.sequences)
    sequences.push_back({prompt, options.kinds, options.continueWith});
  CheckingEngine engine;
  generate(engine, sequences, {options.maxNew, options.chunk, options.dumpAll, options.stepsAhead, options.sampler});
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Scratch scratch;
  std::string_view text = textOf(data, size);
  size_t line = std::min(text.find('\n'), text.size());
  std::vector<std::string> arguments = argumentsOf(text.substr(0, line));
  if (line < text.size()) {
    scratch.write("tokens", text.substr(line + 1));
    arguments.insert(arguments.end(), {"--tokens-file", scratch.path("tokens")});
  }
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  asksForReference(int(pointers.size()), pointers.data());
  isAccepted([&] {
    Options options = parseOptions(int(pointers.size()), pointers.data());
    if (!options.help && !options.count && options.goldenDir.empty())
      generateFrom(options);
  });
  return 0;
}
