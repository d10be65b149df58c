//===- X86Target.h - the back end for x86-64 CPUs ---------------------------------------------===//

#pragma once

#include "compiler/target/Target.h"

namespace cedilla {
const Target &x86Target();
void registerX86Passes();
} // namespace cedilla
