//===- ListCheckTest.cpp - every rule of an index operand, kept and broken --------------------------===//

#include "runtime/debug/ListCheck.h"
#include "test/runtime/Expect.h"

namespace cedilla::test {

using debug::ListFault;
using Numbers = std::vector<int32_t>;

/// One sequence in slot 0 from position `first` on; the last row is padding.
static StepRows rowsFrom(int32_t first, int32_t count) {
  StepRows rows;
  for (int32_t i = 0; i < count; ++i)
    rows.append(1, 0, first + i, 0, first);
  rows.append(0, 0, -1, 0, 0);
  return rows;
}

static BufferInfo bufferOf(HoldsInfo holds, int64_t width) {
  BufferInfo buffer;
  buffer.name = "list", buffer.kind = "workspace", buffer.type = "i32", buffer.shape = {-1, width};
  buffer.holds = std::move(holds);
  return buffer;
}

/// "row 1, element 2: expected …, got …", or "fine".
static std::string verdict(const HoldsInfo &holds, const Numbers &numbers, const StepRows &rows) {
  BufferInfo buffer = bufferOf(holds, numbers.size() / rows.size());
  std::optional<ListFault> fault = debug::checkLists(buffer, std::as_bytes(std::span(numbers)), rows, {});
  if (!fault)
    return "fine";
  return "row " + std::to_string(fault->row) + ", element " + std::to_string(fault->element) + ": expected " + fault->expected +
         ", got " + fault->found;
}

/// Rows at positions 4 and 5 see 2 and 3 entries of ratio 2.
static void testEntries() {
  StepRows rows = rowsFrom(4, 2);
  HoldsInfo holds{"entries", 2};
  EXPECT(verdict(holds, {0, 1, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1}, rows) == "fine");
  EXPECT(verdict(holds, {0, 2, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1}, rows) ==
         "row 0, element 1: expected one of the 2 visible entries, 0 to 1, got 2");
  EXPECT(verdict(holds, {1, 0, -1, -1, 0, 1, 2, -1, -1, -1, -1, -1}, rows) ==
         "row 0, element 1: expected ascending order, more than 1, got 0");
  EXPECT(verdict(holds, {0, 1, -1, -1, 0, 1, 1, -1, -1, -1, -1, -1}, rows) ==
         "row 1, element 2: expected ascending order, more than 1, got 1");
  EXPECT(verdict(holds, {0, 1, -1, -1, 0, 1, -1, -1, -1, -1, -1, -1}, rows) ==
         "row 1, element 2: expected one of the 3 visible entries, 0 to 2, got -1");
  EXPECT(verdict(holds, {0, 1, -1, 1, 0, 1, 2, -1, -1, -1, -1, -1}, rows) ==
         "row 0, element 3: expected -1 behind the 2 valid ones, got 1");
  EXPECT(verdict(holds, {0, 1, -1, -1, 0, 1, 2, -1, 0, -1, -1, -1}, rows) ==
         "row 2, element 0: expected -1 behind the 0 valid ones, got 0");
  // Fewer places than visible entries: all of them are valid, any of the entries.
  EXPECT(verdict(holds, {0, 1, 1, 2, -1, -1}, rows) == "fine");
  EXPECT(verdict(holds, {0, -1, 1, 2, -1, -1}, rows) == "row 0, element 1: expected one of the 2 visible entries, 0 to 1, got -1");
}

/// Positions 9 and 10 see 5 entries, three blocks of 2.
static void testBlocks() {
  StepRows rows = rowsFrom(9, 2);
  HoldsInfo holds{"blocks", 2, 2};
  EXPECT(verdict(holds, {0, 2, -1, 1, 2, -1, -1, -1, -1}, rows) == "fine");
  EXPECT(verdict(holds, {0, 3, -1, 1, 2, -1, -1, -1, -1}, rows) ==
         "row 0, element 1: expected one of the 3 blocks with visible entries, 0 to 2, got 3");
  EXPECT(verdict(holds, {0, 1, -1, 1, 2, -1, -1, -1, -1}, rows) == "row 0, element 1: expected block 2, the newest, as the last valid one, got 1");
  EXPECT(verdict(holds, {-1, -1, -1, 1, 2, -1, -1, -1, -1}, rows) == "row 0, element 0: expected block 2, the newest, as the last valid one, got -1");
  EXPECT(verdict(holds, {2, -1, 2, 1, 2, -1, -1, -1, -1}, rows) == "row 0, element 2: expected -1 behind the 1 valid ones, got 2");
}

static void testExperts() {
  StepRows rows = rowsFrom(0, 1);
  HoldsInfo holds{"experts", 0, 0, 4};
  EXPECT(verdict(holds, {3, 0, 1, 1}, rows) == "fine"); // the second row is padding
  EXPECT(verdict(holds, {3, 4, 0, 1}, rows) == "row 0, element 1: expected one of 4 experts, 0 to 3, got 4");
  EXPECT(verdict(holds, {3, 3, 0, 1}, rows) == "row 0, element 1: expected an expert that the row has not chosen yet, got 3");
  EXPECT(verdict(holds, {3, 0, 0, -1}, rows) == "row 1, element 1: expected one of 4 experts, 0 to 3, got -1");
}

/// Window 3 of a ring of 5, two rows at positions 6 and 7, entries of ratio 2.
static void testPlaces() {
  StepRows rows = rowsFrom(6, 2);
  HoldsInfo holds{"places", 2, 0, 0, 3, 5};
  Numbers right = {4, 0, 5, 2, 0, 5, 6, -1, -1, -1, -1, -1};
  EXPECT(verdict(holds, right, rows) == "fine");
  Numbers wrong = right;
  wrong[1] = 1;
  EXPECT(verdict(holds, wrong, rows) == "row 0, element 1: expected 0, where position 5 lies, got 1");
  wrong = right, wrong[7] = 4;
  EXPECT(verdict(holds, wrong, rows) == "row 1, element 3: expected -1, or one of the 4 visible entries, got 4");
}

static void testTableRows() {
  EngramFacts engram;
  engram.orders = 1, engram.heads = 2;
  engram.tables = {{"a", "b", {1, 1}, {5, 7}, {0, 5}}};
  BufferInfo buffer = bufferOf({"table_rows"}, 1);
  buffer.type = "i64", buffer.shape = {-1, 1, 2};
  StepRows rows = rowsFrom(0, 1);
  std::vector<int64_t> numbers = {4, 11, 0, 5};
  EXPECT(!debug::checkLists(buffer, std::as_bytes(std::span(numbers)), rows, engram));
  numbers[2] = 5; // of the other column
  std::optional<ListFault> fault = debug::checkLists(buffer, std::as_bytes(std::span(numbers)), rows, engram);
  EXPECT(fault && fault->row == 1 && fault->element == 0 && fault->expected == "a row of table 0, column 0, 0 to 4" && fault->found == "5");
}

static void testPages() {
  ModelFacts facts;
  facts.maxBatch = 2, facts.maxContext = 100, facts.page = 64;
  EXPECT(!debug::checkPages(Numbers{3, 2, 1, 0}, facts));
  std::optional<ListFault> fault = debug::checkPages(Numbers{0, 1, 2, 4}, facts);
  EXPECT(fault && fault->row == 1 && fault->element == 1 && fault->expected == "one of the 4 pages, 0 to 3");
  fault = debug::checkPages(Numbers{0, 1, 1, 3}, facts);
  EXPECT(fault && fault->row == 1 && fault->element == 0 && fault->expected == "a page of its own; slot 0 has this one");
}

void testListCheck() {
  testEntries();
  testBlocks();
  testExperts();
  testPlaces();
  testTableRows();
  testPages();
}

} // namespace cedilla::test
