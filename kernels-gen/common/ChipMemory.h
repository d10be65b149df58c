//===- ChipMemory.h - memory of the devices that have a chip -----------------------------------===//
//
// Families never ask: it decides whether a whole model fits, not how a kernel is built.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace cedilla {

/// 0: the machine's, which the chip does not say (a CPU), or an unknown chip.
uint64_t memoryBytes(llvm::StringRef target, llvm::StringRef chip);

} // namespace cedilla
