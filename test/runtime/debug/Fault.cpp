//===- Fault.cpp - a device on which one kernel leaves something wrong ------------------------------===//
//
// A device is a table of functions: this one's launch runs the kernel and then writes a number into host memory.
//
//===------------------------------------------------------------------------------------------===//

#include "test/runtime/debug/Fault.h"

#include <cstring>

namespace cedilla::test {

static Fault planned;
static int64_t seen;
static bool planted;

/// Of a kernel of phases, which is launched phase by phase where somebody looks, behind the first one.
static void launchFaulty(void *self, const Launch &launch) {
  cpuDevice.launch(self, launch);
  if (launch.name != planned.name || launch.phase != 0 || seen++ != planned.launch)
    return;
  auto *begin = reinterpret_cast<std::byte *>(launch.buffers[planned.operand]);
  std::memcpy(begin + planned.index * int64_t(sizeof planned.value), &planned.value, sizeof planned.value);
  planted = true;
}

Device openFaulty(const Fault &fault) {
  static DeviceTable table;
  table = cpuDevice;
  table.launch = launchFaulty;
  planned = fault, seen = 0, planted = false;
  DeviceOptions options;
  options.poison = true;
  return Device(table, options);
}

bool wasPlanted() { return planted; }

} // namespace cedilla::test
