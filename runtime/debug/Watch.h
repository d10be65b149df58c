//===- Watch.h - what --check and --record make of a package ---------------------------------------===//

#pragma once

#include "runtime/debug/CheckedEngine.h"
#include "runtime/debug/Record.h"

namespace cedilla::debug {

/// Stands between a program and the engine it has made, and has the last word when the run has ended.
class Watch {
public:
  /// The engine itself where nobody asks for anything.
  std::unique_ptr<Engine> around(std::unique_ptr<PackageEngine> engine, bool check, const std::string &record);
  /// To be called with the exit code of the run: writes the recording, says what was checked. Gives the exit code.
  int finish(int status);

private:
  std::shared_ptr<CheckCounts> counts;
  std::shared_ptr<SafetensorsWriter> writer;
};

} // namespace cedilla::debug
