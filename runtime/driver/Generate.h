//===- Generate.h - prompts in, tokens out, on any engine -----------------------------------------===//
//
// Sequences of any lengths share the engine: each waits for a free slot, its prompt is run in chunks
// beside those of the others, then all are decoded together, and a finished one makes room for the next.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/driver/Sampler.h"
#include "runtime/engine/Engine.h"

namespace cedilla {

struct Sequence {
  std::vector<int32_t> prompt;
  std::vector<int32_t> kinds;  ///< of the prompt; empty: all text
  std::vector<int32_t> forced; ///< the first new tokens, instead of the model's choice
  int64_t maxNew = -1;         ///< of this one; -1: as the settings say
};

/// Few, because what is run behind a stop token is thrown away; enough, because what is saved is microseconds.
inline constexpr int64_t defaultStepsAhead = 16;

struct GenerateSettings {
  int64_t maxNew = 0;
  int64_t chunk = 0; ///< rows of one sequence in a prefill step; 0: no limit of its own
  /// Keep logits of every token. The last new token is then run too, so that tokens and rows agree.
  bool keepLogits = false;
  /// Decode steps that may be run before somebody looks at their tokens, where the engine can, nobody observes
  /// and no logits are kept. The tokens are the same.
  int64_t stepsAhead = defaultStepsAhead;
  SamplerSettings sampler;
};

struct SequenceResult {
  std::vector<int32_t> tokens; ///< prompt and new ones
  int64_t promptSize = 0;
  std::vector<float> logits; ///< [tokens, vocab] with keepLogits

  std::span<const int32_t> generated() const { return std::span(tokens).subspan(promptSize); }
};

struct Timing {
  int64_t prefillTokens = 0, decodeTokens = 0;
  double prefillSeconds = 0, decodeSeconds = 0;
};

struct GenerateResult {
  std::vector<SequenceResult> sequences;
  Timing timing;
};

/// Sees a mark with the step's rows and, for each row, the index of its sequence.
using RowObserver = std::function<void(const MarkView &mark, const StepRows &rows,
                                       std::span<const size_t> sequenceOfRow)>;

/// Fails before anything runs when a sequence does not fit the engine's limits.
GenerateResult generate(Engine &engine, const std::vector<Sequence> &sequences,
                        const GenerateSettings &settings, const RowObserver &observer = {});

} // namespace cedilla
