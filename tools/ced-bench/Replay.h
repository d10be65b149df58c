//===- Replay.h - cases with right results, run on a device -----------------------------------===//

#pragma once

#include "runtime/package/Package.h"

#include <string>

namespace cedilla::bench {

/// Runs every case of the package that is for the device and whose name contains `filter`, twice:
/// results must be within their tolerances and have the same bits both times, nothing else may change.
/// A line per case. Cases run in a process of their own that is begun anew after a fault or when a
/// case takes longer than a minute, for such a device is of no more use. Whether all are good.
bool replay(const Package &package, const std::string &device, const std::string &filter);

} // namespace cedilla::bench
