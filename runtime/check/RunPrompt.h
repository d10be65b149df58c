//===- RunPrompt.h - one captured prompt through an engine ----------------------------------------===//

#pragma once

#include "runtime/check/GoldenSet.h"
#include "runtime/engine/Engine.h"

namespace cedilla::check {

/// Sees a mark and the position of the step's first row; the rows behind it follow one by one.
using PositionObserver = std::function<void(const MarkView &mark, int64_t first)>;

/// Runs the prompt from position 0 in steps of at most maxRows. Returns f32 [tokens, vocab].
std::vector<float> runPrefill(Engine &engine, const GoldenPrompt &prompt, int64_t slot,
                              const PositionObserver &observer);

/// Runs the given decode tokens behind it, one a step. Returns f32 [decode tokens, vocab].
std::vector<float> runDecode(Engine &engine, const GoldenPrompt &prompt, int64_t slot,
                             const PositionObserver &observer);

} // namespace cedilla::check
