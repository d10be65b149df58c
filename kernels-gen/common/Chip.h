//===- Chip.h - facts about a chip, one row each ------------------------------------------------===//
//
// Families and passes ask for a fact, never for a chip's name. A row is added in Chip.cpp.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace cedilla {

struct Chip {
  llvm::StringRef name;   ///< "avx2", "sm_90a"
  llvm::StringRef target; ///< "x86", "nvptx"
  int64_t warp;           ///< threads that step together; 0: no threads inside a block (CPU)
  int64_t sharedBytes;    ///< scratch a block may use: shared memory, or the part of L2 a CPU thread should stay in
  int64_t registers;      ///< 32-bit registers of a block's multiprocessor, or vector registers of a CPU core
  int64_t lanes;          ///< f32 lanes of a vector register; 1 on a GPU
  int64_t asyncCopyBytes; ///< widest asynchronous copy from global to shared memory; 0: none
  int64_t ptxVersion = 0; ///< ISA version of the PTX to emit, times 10; 0: not a chip of nvptx
  bool cvtE4m3 = false;   ///< converts pairs of E4M3 to f16 in one instruction
  bool dependentLaunch = false; ///< a kernel may begin before its predecessor ends (griddepcontrol)
};

llvm::ArrayRef<Chip> chips();
/// Null when unknown.
const Chip *findChip(llvm::StringRef target, llvm::StringRef name);

} // namespace cedilla
