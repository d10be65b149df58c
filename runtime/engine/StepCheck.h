//===- StepCheck.h - may this step be run? -----------------------------------------------------------===//
//
// What every engine must refuse before it indexes anything with a number that came from outside. Keeps
// how far each slot is, because a gap or a rewrite would read caches that nobody wrote.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Engine.h"

namespace cedilla {

class StepCheck {
public:
  explicit StepCheck(const ModelFacts &facts) : facts(facts), lengths(facts.maxBatch, 0) {}

  /// Fails, naming the row, when the step breaks a rule of StepRows or of the engine's limits.
  void check(const StepRows &rows, bool decode) const;
  /// The same for `steps` decode steps of which each goes on where the one before ended.
  void checkAhead(const StepRows &rows, int64_t steps) const;
  /// To be called when the step has been run.
  void advance(const StepRows &rows);
  void checkSlot(int64_t slot) const;
  void reset(int64_t slot) { lengths[slot] = 0; }
  /// Goes on as if the slot held `length` tokens; for measuring long contexts without running them.
  void pretend(int64_t slot, int64_t length) {
    checkSlot(slot);
    lengths[slot] = length;
  }
  /// Tokens that the slot holds.
  int64_t length(int64_t slot) const { return lengths[slot]; }

private:
  void checkShape(const StepRows &rows) const;
  void checkRow(const StepRows &rows, int64_t row) const;
  void checkSequences(const StepRows &rows, bool decode) const;

  const ModelFacts &facts;
  std::vector<int64_t> lengths;
};

/// The widths an output needs: f32 [rows, vocab].
void checkLogitsSize(const ModelFacts &facts, int64_t rows, size_t floats);

} // namespace cedilla
