//===- Emulator.h - kernels of target nvptx on the CPU ----------------------------------------===//
//
// A target whose image is the LLVM IR that the real back end would turn into PTX, and a device that
// runs such images. Both are used like any other target and device. What is emulated, and what is
// not, is in README.md.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/Target.h"
#include "runtime/device/Device.h"

namespace cedilla::emulator {

/// Named "nvptx" as the real one, so that families choose the same configs.
const Target &emulatedNvptx();

extern const DeviceTable emulatorDevice;

/// Of all emulator devices of the process.
struct Options {
  bool racecheck = false;  ///< report accesses of two threads with no barrier in between
  uint64_t guardBytes = 0; ///< at both ends of every allocation: no thread may touch them
  bool printCode = false;  ///< print the LLVM IR that is run; the numbers in messages are in it
};
Options &options();

} // namespace cedilla::emulator
