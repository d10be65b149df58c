//===- TraceFile.h - a step as a timeline ---------------------------------------------------------===//

#pragma once

#include "runtime/session/PackageEngine.h"

#include <string>

namespace cedilla::bench {

/// Runs the step once more and writes where each block of its kernels was when, as a JSON file that Perfetto and chrome://tracing
/// read: a process for each multiprocessor, in it a track for each block that it runs at a time. Prints a line for each launch unless
/// `quiet`. Fails where the package was made without --trace-points.
void writeTrace(PackageEngine &engine, const StepRows &rows, bool decode, const std::string &file, bool quiet);

} // namespace cedilla::bench
