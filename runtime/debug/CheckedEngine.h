//===- CheckedEngine.h - a package whose every index and cache access is looked at -----------------===//
//
// Before a dispatch runs, the lists it reads are looked at; behind it, the lists it has made, every byte of scratch and
// inputs that is not its own, and the caches. A rule that is broken ends the run: one line names layer, dispatch,
// kernel, operand, row, element, what was expected and what was found. Wants an engine with poison: memory that nobody
// wrote is then seen, too.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/debug/StateCheck.h"
#include "runtime/debug/WorkspaceCheck.h"

namespace cedilla::debug {

/// How much was looked at.
struct CheckCounts {
  int64_t steps = 0, dispatches = 0, lists = 0, cacheRows = 0;
};

class CheckedEngine final : public SteppedEngine {
public:
  CheckedEngine(std::unique_ptr<PackageEngine> engine, std::shared_ptr<CheckCounts> counts);

private:
  void begin(const StepRows &rows, bool decode) override;
  void before(const Dispatch &dispatch, const StepRows &rows) override;
  void after(const Dispatch &dispatch, const StepRows &rows) override;
  void end(const StepRows &rows, bool decode) override;

  void checkInputs(const StepRows &rows);
  void checkOperand(const Dispatch &dispatch, size_t buffer, const StepRows &rows, const char *when);

  WorkspaceCheck workspace;
  StateCheck state;
  std::shared_ptr<CheckCounts> counts;
  bool decoding = false;
};

} // namespace cedilla::debug
