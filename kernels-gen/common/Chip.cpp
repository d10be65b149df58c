//===- Chip.cpp - the table of chips ----------------------------------------------------------------===//

#include "kernels-gen/common/Chip.h"

using namespace cedilla;

static constexpr Chip table[] = {
    // name     target   warp  shared   registers lanes async ptx cvtE4m3 dependent
    {"avx2", "x86", 0, 512 * 1024, 16, 8, 0},
    {"none", "null", 0, 512 * 1024, 16, 8, 0}, // nothing runs it: as the CPU
    {"sm_80", "nvptx", 32, 163 * 1024, 65536, 1, 16, 70, false, false},
    {"sm_90a", "nvptx", 32, 227 * 1024, 65536, 1, 16, 84, true, true},
};

llvm::ArrayRef<Chip> cedilla::chips() { return table; }

const Chip *cedilla::findChip(llvm::StringRef target, llvm::StringRef name) {
  for (const Chip &chip : table)
    if (chip.target == target && chip.name == name)
      return &chip;
  return nullptr;
}
