//===- Generate.cpp - prompts in, tokens out, on any engine ---------------------------------------===//

#include "runtime/driver/Generate.h"

#include "runtime/base/Error.h"
#include "runtime/base/Progress.h"

#include <algorithm>
#include <chrono>

namespace cedilla {

namespace {
/// A sequence and how far it is. `tokens` grows at the end, `done` of them have been run.
struct Work {
  const Sequence *input;
  SequenceResult *result;
  size_t index;
  int64_t maxNew = 0;
  int64_t slot = -1; ///< -1: not begun, or finished
  int64_t done = 0;
  bool chosenAll = false; ///< no further token will be appended

  int64_t promptSize() const { return result->promptSize; }
  int64_t newTokens() const { return int64_t(result->tokens.size()) - promptSize(); }
  bool inPrompt() const { return done < promptSize(); }
};

class Generator {
public:
  Generator(Engine &engine, const GenerateSettings &settings, const RowObserver &observer)
      : engine(engine), facts(engine.facts()), settings(settings), observer(observer) {}
  GenerateResult run(const std::vector<Sequence> &sequences);

private:
  void begin(const std::vector<Sequence> &sequences);
  void admit();
  void addRows(Work &work, int64_t limit);
  bool buildPrefill();
  bool buildDecode();
  void runStep(bool decode);
  int64_t stepsAhead() const;
  void runAhead(int64_t steps);
  void addTime(bool decode, std::chrono::steady_clock::time_point start, int64_t tokens);
  void takeLogits(Work &work, int64_t row);
  void choose(Work &work, std::span<const float> logits);
  void append(Work &work, int32_t token, bool forced);
  void release(Work &work);
  void report();

  Engine &engine;
  const ModelFacts &facts;
  const GenerateSettings &settings;
  const RowObserver &observer;
  GenerateResult result;
  std::vector<Work> work;
  size_t nextWaiting = 0;
  std::vector<int64_t> freeSlots;
  StepRows rows;
  std::vector<size_t> sequenceOfRow;
  std::vector<float> logits;
  Progress progress;
};
} // namespace

static void checkSequence(const ModelFacts &facts, const Sequence &sequence, size_t index,
                          int64_t maxNew) {
  int64_t size = sequence.prompt.size();
  if (size == 0)
    fail(Err::Sequence, "sequence ", index, ": expected at least one token");
  if (size + maxNew > facts.maxContext)
    fail(Err::Sequence, "sequence ", index, ": ", size, " tokens and ", maxNew, " new ones are more than the ",
         facts.maxContext, " tokens of context this model was built for");
  for (const std::vector<int32_t> *list : {&sequence.prompt, &sequence.forced})
    for (size_t i = 0; i < list->size(); ++i)
      if ((*list)[i] < 0 || (*list)[i] >= facts.vocab)
        fail(Err::Sequence, "sequence ", index, ": position ", (list == &sequence.prompt ? 0 : size) + i,
             ": token id: expected 0 to ", facts.vocab - 1, ", got ", (*list)[i]);
}

static int64_t newTokensOf(const Sequence &sequence, const GenerateSettings &settings) {
  return sequence.maxNew < 0 ? settings.maxNew : sequence.maxNew;
}

void Generator::begin(const std::vector<Sequence> &sequences) {
  result.sequences.resize(sequences.size());
  for (size_t i = 0; i < sequences.size(); ++i) {
    checkSequence(facts, sequences[i], i, newTokensOf(sequences[i], settings));
    result.sequences[i].tokens = sequences[i].prompt;
    result.sequences[i].promptSize = sequences[i].prompt.size();
    work.push_back({&sequences[i], &result.sequences[i], i, newTokensOf(sequences[i], settings)});
    work.back().chosenAll = work.back().maxNew == 0;
  }
  for (int64_t slot = facts.maxBatch - 1; slot >= 0; --slot)
    freeSlots.push_back(slot);
}

void Generator::admit() {
  for (; nextWaiting < work.size() && !freeSlots.empty(); ++nextWaiting) {
    work[nextWaiting].slot = freeSlots.back();
    freeSlots.pop_back();
    engine.resetSlot(work[nextWaiting].slot);
  }
}

/// Appends the sequence's next rows, as many as the step and the limit leave room for.
void Generator::addRows(Work &w, int64_t limit) {
  int64_t count = std::min({int64_t(w.result->tokens.size()) - w.done, limit,
                            facts.maxRows - rows.size()});
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = w.done + i;
    bool hasKind = position < int64_t(w.input->kinds.size());
    rows.append(w.result->tokens[position], hasKind ? w.input->kinds[position] : 0, position,
                w.slot, w.done);
    sequenceOfRow.push_back(w.index);
  }
}

bool Generator::buildPrefill() {
  int64_t limit = settings.chunk ? settings.chunk : facts.maxRows;
  for (Work &w : work)
    if (w.slot >= 0 && w.inPrompt())
      addRows(w, limit);
  return rows.size() > 0;
}

/// Those that are furthest behind go first when not all fit into one step.
bool Generator::buildDecode() {
  std::vector<Work *> active;
  for (Work &w : work)
    if (w.slot >= 0 && !w.inPrompt())
      active.push_back(&w);
  std::sort(active.begin(), active.end(), [](const Work *a, const Work *b) {
    return std::pair(a->done - a->promptSize(), a->index) <
           std::pair(b->done - b->promptSize(), b->index);
  });
  for (Work *w : active)
    addRows(*w, 1);
  return rows.size() > 0;
}

void Generator::choose(Work &w, std::span<const float> row) {
  size_t index = w.newTokens();
  bool forced = index < w.input->forced.size();
  append(w, forced ? w.input->forced[index] : sample(row, settings.sampler, w.index, w.result->tokens.size()), forced);
}

void Generator::append(Work &w, int32_t token, bool forced) {
  w.result->tokens.push_back(token);
  bool ended = !forced && std::find(facts.eos.begin(), facts.eos.end(), token) != facts.eos.end();
  w.chosenAll = ended || w.newTokens() == w.maxNew;
}

void Generator::release(Work &w) {
  freeSlots.push_back(w.slot);
  w.slot = -1;
}

/// One row of a sequence has been run.
void Generator::takeLogits(Work &w, int64_t row) {
  std::span<const float> values(logits.data() + row * facts.vocab, facts.vocab);
  if (settings.keepLogits)
    w.result->logits.insert(w.result->logits.end(), values.begin(), values.end());
  ++w.done;
  bool newest = w.done == int64_t(w.result->tokens.size());
  if (newest && !w.chosenAll)
    choose(w, values);
  bool finished = w.chosenAll && (w.done == int64_t(w.result->tokens.size()) ||
                                  (!settings.keepLogits && !w.inPrompt()));
  if (finished)
    release(w);
}

void Generator::runStep(bool decode) {
  logits.resize(rows.size() * facts.vocab);
  Observer marks;
  if (observer)
    marks = [&](const MarkView &mark) { observer(mark, rows, sequenceOfRow); };
  auto start = std::chrono::steady_clock::now();
  engine.step(rows, decode, logits, marks);
  addTime(decode, start, rows.size());
  for (int64_t row = 0; row < rows.size(); ++row)
    takeLogits(work[sequenceOfRow[row]], row);
}

void Generator::addTime(bool decode, std::chrono::steady_clock::time_point start, int64_t tokens) {
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Timing &timing = result.timing;
  (decode ? timing.decodeSeconds : timing.prefillSeconds) += seconds.count();
  (decode ? timing.decodeTokens : timing.prefillTokens) += tokens;
}

//===------------------------------------------------------------------------------------------===//
// Steps ahead
//===------------------------------------------------------------------------------------------===//

/// How many steps the engine may run with the rows at hand before anybody has to look; fewer than 2: none. Until
/// the first of them is at its end, that is: so nothing runs behind the context.
int64_t Generator::stepsAhead() const {
  if (settings.keepLogits || observer || !isOnePass(settings.sampler))
    return 0;
  int64_t steps = std::min(settings.stepsAhead, engine.stepsAhead());
  for (size_t index : sequenceOfRow) {
    const Work &w = work[index];
    if (w.newTokens() < int64_t(w.input->forced.size()))
      return 0;
    steps = std::min(steps, w.maxNew - w.newTokens());
  }
  return steps;
}

/// What a sequence chooses behind its stop token is thrown away.
void Generator::runAhead(int64_t steps) {
  std::vector<RowSampling> sampling;
  for (size_t index : sequenceOfRow)
    sampling.push_back({static_cast<float>(settings.sampler.temperature), keyOf(settings.sampler, index)});
  std::vector<int32_t> chosen(rows.size() * steps);
  auto start = std::chrono::steady_clock::now();
  engine.decodeAhead(rows, sampling, steps, chosen);
  int64_t kept = 0;
  for (int64_t row = 0; row < rows.size(); ++row) {
    Work &w = work[sequenceOfRow[row]];
    for (int64_t i = 0; i < steps && !w.chosenAll; ++i, ++w.done, ++kept) {
      int32_t token = chosen[row * steps + i];
      if (token < 0)
        failInternal(Err::NotANumber, "sequence ", w.index, ": logits of position ", w.done, ": a token is NaN");
      append(w, token, /*forced=*/false);
    }
    if (w.chosenAll)
      release(w);
  }
  addTime(/*decode=*/true, start, kept);
}

void Generator::report() {
  progress.show([&] {
    return "prefill " + std::to_string(result.timing.prefillTokens) + " tokens, decode " +
           std::to_string(result.timing.decodeTokens) + " tokens";
  });
}

GenerateResult Generator::run(const std::vector<Sequence> &sequences) {
  begin(sequences);
  for (;;) {
    admit();
    rows = {}, sequenceOfRow.clear();
    // Waiting prompts first: the more sequences a decode step holds, the cheaper each is.
    bool prefill = buildPrefill();
    if (!prefill && !buildDecode())
      return std::move(result);
    int64_t ahead = prefill ? 0 : stepsAhead();
    if (ahead > 1)
      runAhead(ahead);
    else
      runStep(!prefill);
    report();
  }
}

GenerateResult generate(Engine &engine, const std::vector<Sequence> &sequences,
                        const GenerateSettings &settings, const RowObserver &observer) {
  return Generator(engine, settings, observer).run(sequences);
}

} // namespace cedilla
