//===- CheckedEngine.cpp - a package whose every index and cache access is looked at ---------------===//

#include "runtime/debug/CheckedEngine.h"

#include "runtime/base/Error.h"
#include "runtime/debug/ListCheck.h"

#include <algorithm>
#include <cstring>

namespace cedilla::debug {

CheckedEngine::CheckedEngine(std::unique_ptr<PackageEngine> engine, std::shared_ptr<CheckCounts> counts)
    : SteppedEngine(std::move(engine)), workspace(*package), state(*package), counts(std::move(counts)) {}

//===------------------------------------------------------------------------------------------===//
// The step's inputs
//===------------------------------------------------------------------------------------------===//

static std::vector<int32_t> integersOf(std::span<const std::byte> bytes) {
  std::vector<int32_t> numbers(bytes.size() / sizeof(int32_t));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(int32_t));
  return numbers;
}

/// Whether the rows are legal was checked on the host; here it is whether they lie on the device like that.
static void checkColumn(const std::string &name, std::span<const int32_t> found, const std::vector<int32_t> &wanted) {
  for (size_t row = 0; row < wanted.size(); ++row)
    if (row >= found.size() || found[row] != wanted[row])
      failInternal(Err::Check, "check: input '", name, "': row ", row, ": expected ", wanted[row], ", got ",
                   row < found.size() ? std::to_string(found[row]) : "nothing");
}

void CheckedEngine::checkInputs(const StepRows &rows) {
  struct Column {
    std::string_view name;
    const std::vector<int32_t> &values;
  };
  const Column columns[] = {{"tokens", rows.tokens}, {"kinds", rows.kinds}, {"positions", rows.positions},
                            {"slots", rows.slots}, {"starts", rows.starts}};
  const std::vector<BufferInfo> &buffers = manifest().buffers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].kind != "input")
      continue;
    std::vector<int32_t> found = integersOf(package->read(i, rows.size()));
    for (const Column &column : columns)
      if (column.name == buffers[i].name)
        checkColumn(buffers[i].name, found, column.values);
    if (buffers[i].name != "pages")
      continue;
    if (std::optional<ListFault> fault = checkPages(found, facts()))
      failInternal(Err::Check, "check: input 'pages': slot ", fault->row, ", element ", fault->element, ": expected ", fault->expected,
                   ", got ", fault->found);
  }
}

//===------------------------------------------------------------------------------------------===//
// Dispatches
//===------------------------------------------------------------------------------------------===//

void CheckedEngine::checkOperand(const Dispatch &dispatch, size_t index, const StepRows &rows, const char *when) {
  const BufferInfo &buffer = manifest().buffers[index];
  if (buffer.holds.what.empty())
    return;
  ++counts->lists;
  std::optional<ListFault> fault = checkLists(buffer, package->read(index, rows.size()), rows, manifest().engram);
  if (!fault)
    return;
  const std::vector<int64_t> &operands = dispatch.info->buffers;
  size_t operand = std::find(operands.begin(), operands.end(), int64_t(index)) - operands.begin();
  failInternal(Err::Check, "check: ", describe(dispatch, manifest()), ": ", when, " operand ", operand, " '", buffer.name, "' (",
               buffer.holds.what, buffer.value.empty() ? "" : " of " + buffer.value, "): row ", fault->row, " (slot ",
               rows.slots[fault->row], ", position ", rows.positions[fault->row], "), element ", fault->element,
               ": expected ", fault->expected, ", got ", fault->found);
}

void CheckedEngine::begin(const StepRows &rows, bool decode) {
  decoding = decode;
  checkInputs(rows);
  workspace.begin();
  state.begin(rows);
}

/// Since it was made, something may have written over it.
void CheckedEngine::before(const Dispatch &dispatch, const StepRows &rows) {
  for (size_t buffer : dispatch.reads)
    checkOperand(dispatch, buffer, rows, "reads");
}

void CheckedEngine::after(const Dispatch &dispatch, const StepRows &rows) {
  ++counts->dispatches;
  for (size_t buffer : dispatch.makes)
    checkOperand(dispatch, buffer, rows, "makes");
  if (std::string found = workspace.changedBy(dispatch, rows.size(), dispatches(decoding)); !found.empty())
    failInternal(Err::Check, "check: ", describe(dispatch, manifest()), ": writes outside its results: expected ", found,
                 " to stay as it was");
  if (std::string found = state.changedIn(dispatch.states); !found.empty())
    failInternal(Err::Check, "check: ", describe(dispatch, manifest()), ": writes where no row of the step lies: expected ", found,
                 " to stay as it was");
}

void CheckedEngine::end(const StepRows &, bool decode) {
  if (std::string found = state.atEnd(); !found.empty())
    failInternal(Err::Check, "check: ", decode ? "decode" : "prefill", " step ", counts->steps, ": ", found);
  ++counts->steps;
  counts->cacheRows = state.rowsWritten();
}

} // namespace cedilla::debug
