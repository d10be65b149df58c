//===- NullTarget.h - the back end that only lists kernels ------------------------------------===//

#pragma once

#include "compiler/target/Target.h"

namespace cedilla {
const Target &nullTarget();
} // namespace cedilla
