//===- Fault.h - a device on which one kernel leaves something wrong --------------------------------===//

#pragma once

#include "runtime/device/Device.h"

#include <string>

namespace cedilla::test {

/// What is written, and behind which launch.
struct Fault {
  std::string name;    ///< of the dispatch
  int64_t launch = 0;  ///< how many launches of that name go before
  size_t operand = 0;
  int64_t index = 0;   ///< i32 numbers behind the operand's begin; negative: before it
  int32_t value = 0;
};

/// The cpu device, but for the fault. One at a time.
Device openFaulty(const Fault &fault);

/// Whether the fault was planted since.
bool wasPlanted();

} // namespace cedilla::test
