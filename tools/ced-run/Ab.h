//===- Ab.h - one input, two ways, the first bit that differs --------------------------------------===//

#pragma once

#include "runtime/driver/Main.h"
#include "runtime/driver/Options.h"
#include "runtime/session/PackageEngine.h"

#include <functional>

namespace cedilla {

using OpenPackage = std::function<std::unique_ptr<PackageEngine>(const EngineRequest &)>;

/// Runs what `--ab` says and prints what was compared and the first value that differs. 0: all bits are equal.
int runAb(const Options &options, const OpenPackage &open);

} // namespace cedilla
