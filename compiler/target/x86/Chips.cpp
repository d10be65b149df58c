//===- Chips.cpp - CPU levels, one row each ---------------------------------------------------===//

#include "compiler/target/x86/Chips.h"

using namespace cedilla;

static constexpr x86::Chip table[] = {
    {"avx2", "x86-64-v3"},   // AVX2, FMA, F16C, BMI
    {"avx512", "x86-64-v4"}, // and AVX-512 F, BW, CD, DQ, VL
};

const x86::Chip *x86::findChip(llvm::StringRef name) {
  for (const Chip &chip : table)
    if (chip.name == name)
      return &chip;
  return nullptr;
}

std::vector<std::string> x86::chipNames() {
  std::vector<std::string> names;
  for (const Chip &chip : table)
    names.push_back(chip.name.str());
  return names;
}
