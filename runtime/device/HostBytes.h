//===- HostBytes.h - how much memory this machine has left -----------------------------------------===//

#pragma once

#include <cstdint>

namespace cedilla {

/// MemAvailable, or what a control group leaves where that is less. Cached files count as available.
uint64_t availableHostBytes();

} // namespace cedilla
