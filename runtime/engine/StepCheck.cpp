//===- StepCheck.cpp - may this step be run? ---------------------------------------------------------===//

#include "runtime/engine/StepCheck.h"

#include "runtime/base/Error.h"

namespace cedilla {

void StepCheck::checkShape(const StepRows &rows) const {
  size_t count = rows.tokens.size();
  for (const std::vector<int32_t> *column : {&rows.kinds, &rows.positions, &rows.slots, &rows.starts})
    if (column->size() != count)
      fail(Err::StepRows, "step: expected ", count, " rows in every column, got ", column->size());
  if (count == 0 || int64_t(count) > facts.maxRows)
    fail(Err::StepRows, "step: expected 1 to ", facts.maxRows, " rows, got ", count);
}

void StepCheck::checkSlot(int64_t slot) const {
  if (slot < 0 || slot >= facts.maxBatch)
    fail(Err::StepRows, "slot: expected 0 to ", facts.maxBatch - 1, ", got ", slot);
}

/// Padding rows (position -1) may hold anything: no kernel indexes with what they carry unchecked.
void StepCheck::checkRow(const StepRows &rows, int64_t row) const {
  int64_t position = rows.positions[row];
  if (position < -1 || position >= facts.maxContext)
    fail(Err::StepRows, "row ", row, ": position: expected -1 to ", facts.maxContext - 1, ", got ", position);
  if (position == -1)
    return;
  if (rows.slots[row] < 0 || rows.slots[row] >= facts.maxBatch)
    fail(Err::StepRows, "row ", row, ": slot: expected 0 to ", facts.maxBatch - 1, ", got ", rows.slots[row]);
  if (rows.tokens[row] < 0 || rows.tokens[row] >= facts.vocab)
    fail(Err::StepRows, "position ", position, ": token id: expected 0 to ", facts.vocab - 1, ", got ",
         rows.tokens[row]);
  if (rows.kinds[row] != 0 && rows.kinds[row] != 1)
    fail(Err::StepRows, "position ", position, ": kind: expected 0 (text) or 1 (image span), got ",
         rows.kinds[row]);
}

void StepCheck::checkSequences(const StepRows &rows, bool decode) const {
  std::vector<bool> seen(facts.maxBatch, false);
  for (int64_t row = 0, first = 0; row < rows.size(); ++row) {
    if (rows.positions[row] == -1) {
      first = row + 1;
      continue;
    }
    int64_t slot = rows.slots[row];
    bool begins = row == first || rows.slots[row - 1] != slot;
    if (begins) {
      first = row;
      if (seen[slot])
        fail(Err::StepRows, "row ", row, ": slot ", slot, ": the rows of one sequence must lie together");
      seen[slot] = true;
      // Position 0 begins the slot's next sequence.
      if (rows.positions[row] != 0 && rows.positions[row] != lengths[slot])
        fail(Err::StepRows, "row ", row, ": slot ", slot, " holds ", lengths[slot],
             " tokens: expected position ", lengths[slot], ", got ", rows.positions[row]);
    } else if (rows.positions[row] != rows.positions[row - 1] + 1) {
      fail(Err::StepRows, "row ", row, ": expected position ", rows.positions[row - 1] + 1, ", got ",
           rows.positions[row]);
    }
    if (rows.starts[row] != rows.positions[first])
      fail(Err::StepRows, "row ", row, ": start: expected ", rows.positions[first], ", got ", rows.starts[row]);
    if (decode && row - first > facts.slack)
      fail(Err::StepRows, "slot ", slot, ": a decode step takes at most ", facts.slack + 1,
           " rows of a sequence (slack ", facts.slack, " + 1)");
  }
}

void StepCheck::check(const StepRows &rows, bool decode) const {
  checkShape(rows);
  for (int64_t row = 0; row < rows.size(); ++row)
    checkRow(rows, row);
  checkSequences(rows, decode);
}

void StepCheck::checkAhead(const StepRows &rows, int64_t steps) const {
  check(rows, /*decode=*/true);
  std::vector<bool> seen(facts.maxBatch);
  for (int64_t row = 0; row < rows.size(); ++row) {
    if (rows.kinds[row] != 0 || rows.positions[row] < 0 || seen[rows.slots[row]])
      fail(Err::StepRows, "row ", row, ": expected the one text row of its sequence, got kind ", rows.kinds[row], ", position ",
           rows.positions[row], ", slot ", rows.slots[row]);
    seen[rows.slots[row]] = true;
    if (rows.positions[row] + steps > facts.maxContext)
      fail(Err::StepRows, "row ", row, ": ", steps, " steps from position ", rows.positions[row], " on are more than the ",
           facts.maxContext, " tokens of context this model was built for");
  }
}

void StepCheck::advance(const StepRows &rows) {
  for (int64_t row = 0; row < rows.size(); ++row)
    if (rows.positions[row] != -1)
      lengths[rows.slots[row]] = rows.positions[row] + 1;
}

void checkLogitsSize(const ModelFacts &facts, int64_t rows, size_t floats) {
  if (floats != static_cast<size_t>(rows) * facts.vocab)
    fail(Err::StepRows, "logits: expected ", rows, " x ", facts.vocab, " floats, got ", floats);
}

} // namespace cedilla
