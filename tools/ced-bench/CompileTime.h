//===- CompileTime.h - how long the compiler takes ----------------------------------------------===//

#pragma once

namespace cedilla::bench {

extern const char *const compileUsage;

/// `ced-bench compile` with the arguments behind that word.
int compileMain(int argc, char **argv);

} // namespace cedilla::bench
