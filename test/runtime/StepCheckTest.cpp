//===- StepCheckTest.cpp - rows that an engine must refuse ---------------------------------------------===//

#include "runtime/engine/StepCheck.h"
#include "test/runtime/Expect.h"

namespace cedilla::test {

static ModelFacts smallFacts() {
  ModelFacts facts;
  facts.vocab = 16, facts.slack = 1, facts.page = 8;
  facts.maxRows = 4, facts.maxContext = 6, facts.maxBatch = 2;
  return facts;
}

static StepRows sequence(int32_t slot, int32_t first, int count, int32_t token = 3) {
  StepRows rows;
  for (int i = 0; i < count; ++i)
    rows.append(token, 0, first + i, slot, first);
  return rows;
}

static StepRows changed(StepRows rows, void (*change)(StepRows &)) {
  change(rows);
  return rows;
}

void testStepCheck() {
  ModelFacts facts = smallFacts();
  StepCheck check(facts);
  check.check(sequence(0, 0, 4), false);
  check.check(sequence(1, 0, 2), true);

  auto refuses = [&](const char *message, const StepRows &rows, bool decode = false) {
    expectFails(message, [&] { check.check(rows, decode); });
  };
  refuses("expected 1 to 4 rows, got 0", {});
  refuses("expected 1 to 4 rows, got 5", sequence(0, 0, 5));
  refuses("in every column, got 1", changed(sequence(0, 0, 2), [](StepRows &r) { r.kinds.pop_back(); }));
  refuses("position 0: token id: expected 0 to 15, got -1", sequence(0, 0, 1, -1));
  refuses("position 0: token id: expected 0 to 15, got 16", sequence(0, 0, 1, 16));
  refuses("got 2147483647", sequence(0, 0, 1, 2147483647));
  refuses("slot: expected 0 to 1, got 2", sequence(2, 0, 1));
  refuses("kind: expected 0", changed(sequence(0, 0, 1), [](StepRows &r) { r.kinds[0] = 2; }));
  refuses("position: expected -1 to 5, got 6", sequence(0, 6, 1));
  refuses("position: expected -1 to 5, got -2", sequence(0, -2, 1));
  refuses("expected position 1, got 3",
          changed(sequence(0, 0, 2), [](StepRows &r) { r.positions[1] = 3; }));
  refuses("start: expected 0, got 1", changed(sequence(0, 0, 2), [](StepRows &r) { r.starts[1] = 1; }));
  refuses("at most 2 rows of a sequence", sequence(0, 0, 3), true);
  refuses("holds 0 tokens: expected position 0, got 2", sequence(0, 2, 1));
  refuses("must lie together", changed(sequence(0, 0, 3), [](StepRows &r) {
            r.slots[1] = 1, r.positions[1] = 0, r.positions[2] = 1;
          }));

  // A slot goes on where it ended, or begins anew.
  check.advance(sequence(0, 0, 4));
  check.check(sequence(0, 4, 1), true);
  check.check(sequence(0, 0, 1), false);
  refuses("holds 4 tokens: expected position 4, got 3", sequence(0, 3, 1));
  check.reset(0);
  refuses("holds 0 tokens", sequence(0, 4, 1));

  // Steps that follow each other: one text row of each sequence, all inside the context.
  check.advance(sequence(0, 0, 3));
  check.checkAhead(sequence(0, 3, 1), 3);
  auto refusesAhead = [&](const char *message, const StepRows &rows, int64_t steps) {
    expectFails(message, [&] { check.checkAhead(rows, steps); });
  };
  refusesAhead("4 steps from position 3 on are more than the 6 tokens of context", sequence(0, 3, 1), 4);
  refusesAhead("expected the one text row of its sequence, got kind 1",
               changed(sequence(0, 3, 1), [](StepRows &r) { r.kinds[0] = 1; }), 1);
  refusesAhead("row 1: expected the one text row of its sequence", sequence(0, 3, 2), 1);
  refusesAhead("row 1: expected the one text row of its sequence, got kind 9, position -1",
               changed(sequence(0, 3, 1), [](StepRows &r) { r.append(-7, 9, -1, 99, 0); }), 1);
  check.reset(0);

  // Padding rows may carry anything and do not separate what they stand between.
  check.check(changed(sequence(0, 0, 2), [](StepRows &r) { r.append(-7, 9, -1, 99, 0); }), false);
}

} // namespace cedilla::test
