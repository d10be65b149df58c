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

/// How fast it is; all zero: not known, and nothing is predicted.
struct Rates {
  double bytes = 0; ///< per second, read and written by kernels that do little else
  double f32 = 0, bf16 = 0, fp8 = 0, fp4 = 0; ///< products: multiplications and additions per second, by format
  double launch = 0;          ///< seconds that a kernel of an otherwise empty list takes
  double dependentLaunch = 0; ///< the same where it may begin before its predecessor ends; 0: it cannot
  double handOver = 0;        ///< seconds between two phases of one kernel
  double phased = 1;          ///< share of `bytes` that a kernel reaches whose phases wait for each other
  int64_t units = 1;          ///< multiprocessors, or cores
  const char *source = "";    ///< where the numbers come from

  double flops(llvm::StringRef format) const {
    return format == "f32" ? f32 : format == "bf16" ? bf16 : format == "fp8" ? fp8 : format == "fp4" ? fp4 : 0;
  }
};

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
  Rates rates = {};
};

llvm::ArrayRef<Chip> chips();
/// Null when unknown.
const Chip *findChip(llvm::StringRef target, llvm::StringRef name);

} // namespace cedilla
