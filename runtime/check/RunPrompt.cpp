//===- RunPrompt.cpp - one captured prompt through an engine ----------------------------------------===//

#include "runtime/check/RunPrompt.h"

#include <algorithm>

namespace cedilla::check {

static Observer bind(const PositionObserver &observer, int64_t first) {
  if (!observer)
    return {};
  return [&observer, first](const MarkView &mark) { observer(mark, first); };
}

std::vector<float> runPrefill(Engine &engine, const GoldenPrompt &prompt, int64_t slot,
                              const PositionObserver &observer) {
  const ModelFacts &facts = engine.facts();
  std::vector<float> logits(prompt.size() * facts.vocab);
  engine.resetSlot(slot);
  for (int64_t first = 0; first < prompt.size(); first += facts.maxRows) {
    int64_t end = std::min(first + facts.maxRows, prompt.size());
    StepRows rows;
    for (int64_t i = first; i < end; ++i)
      rows.append(prompt.tokens[i], prompt.kinds[i], i, slot, first);
    engine.step(rows, /*decode=*/false,
                std::span(logits).subspan(first * facts.vocab, rows.size() * facts.vocab),
                bind(observer, first));
  }
  return logits;
}

std::vector<float> runDecode(Engine &engine, const GoldenPrompt &prompt, int64_t slot,
                             const PositionObserver &observer) {
  const int64_t vocab = engine.facts().vocab;
  std::vector<float> logits(prompt.decodeTokens.size() * vocab);
  for (size_t s = 0; s < prompt.decodeTokens.size(); ++s) {
    int64_t position = prompt.size() + s;
    StepRows rows;
    rows.append(prompt.decodeTokens[s], 0, position, slot, position);
    engine.step(rows, /*decode=*/true, std::span(logits).subspan(s * vocab, vocab),
                bind(observer, position));
  }
  return logits;
}

} // namespace cedilla::check
