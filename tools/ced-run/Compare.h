//===- Compare.h - what ced-run needs the interpreter for ------------------------------------------===//

#pragma once

#include "runtime/driver/Main.h"
#include "runtime/session/PackageEngine.h"

#include <functional>

namespace cedilla {

/// Becomes ced-reference with the same arguments. Returns only when there is no such program.
int becomeReference(char **argv);

/// `--compare`: runs the package, records what its kernels leave, and starts ced-reference to follow. Gives its exit code.
int runCompare(int argc, char **argv, const std::function<std::unique_ptr<PackageEngine>(const EngineRequest &)> &open);

} // namespace cedilla
