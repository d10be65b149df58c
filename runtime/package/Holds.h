//===- Holds.h - does what a buffer is said to hold fit its shape? ---------------------------------===//

#pragma once

#include "runtime/package/Manifest.h"

#include <string>

namespace cedilla {

/// Empty when the facts of `buffer.holds` fit the buffer; else what was expected and found.
std::string holdsMismatch(const BufferInfo &buffer);

} // namespace cedilla
