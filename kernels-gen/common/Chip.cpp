//===- Chip.cpp - the table of chips ----------------------------------------------------------------===//

#include "kernels-gen/common/Chip.h"

#include "kernels-gen/common/ChipMemory.h"

using namespace cedilla;

// A hand-over between phases has not been measured: it is taken to cost what a dependent launch does.
static constexpr Rates h200 = {.bytes = 4.3e12, .f32 = 67e12, .bf16 = 788e12,
                               // Matrix instructions on FP8 do twice the work of those on bf16; FP4 is decoded to it.
                               .fp8 = 2 * 788e12, .fp4 = 2 * 788e12,
                               .launch = 0.77e-6, .dependentLaunch = 0.63e-6, .handOver = 0.63e-6,
                               // The experts of a layer took 200 us as kernels, 476 us as phases of one (kernels-gen/README.md).
                               .phased = 0.42, .units = 132,
                               .source = "H200: copy rate, bf16 product and launches measured, f32 from the data sheet"};

static constexpr Rates a100 = {.bytes = 1.8e12, .f32 = 19.5e12, .bf16 = 250e12, .fp8 = 250e12, .fp4 = 250e12,
                               .launch = 1e-6, .handOver = 1e-6, .units = 108,
                               .source = "A100 80 GB: about nine tenths of the data sheet, not measured"};

static constexpr Rates desktop = {.bytes = 40e9, .f32 = 500e9, .bf16 = 400e9, .fp8 = 400e9, .fp4 = 400e9,
                                  .launch = 5e-6, .handOver = 5e-6, .units = 8,
                                  .source = "a CPU of 8 cores with two memory channels, not measured"};

static constexpr Chip table[] = {
    // name     target   warp  shared   registers lanes async ptx cvtE4m3 dependent rates
    {"avx2", "x86", 0, 512 * 1024, 16, 8, 0, 0, false, false, desktop},
    {"avx512", "x86", 0, 512 * 1024, 16, 8, 0, 0, false, false, desktop}, // the same code, with twice the registers
    {"none", "null", 0, 512 * 1024, 16, 8, 0}, // nothing runs it: as the CPU
    {"sm_80", "nvptx", 32, 163 * 1024, 65536, 1, 16, 70, false, false, a100},
    {"sm_90a", "nvptx", 32, 227 * 1024, 65536, 1, 16, 84, true, true, h200},
};

llvm::ArrayRef<Chip> cedilla::chips() { return table; }

const Chip *cedilla::findChip(llvm::StringRef target, llvm::StringRef name) {
  for (const Chip &chip : table)
    if (chip.target == target && chip.name == name)
      return &chip;
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

namespace {
struct Memory {
  llvm::StringRef target, chip;
  uint64_t bytes;
};
} // namespace

// What the data sheets of the cards in `rates` promise; a driver shows a little more and keeps some for itself.
static constexpr Memory memories[] = {{"nvptx", "sm_80", 80'000'000'000}, {"nvptx", "sm_90a", 141'000'000'000}};

uint64_t cedilla::memoryBytes(llvm::StringRef target, llvm::StringRef chip) {
  for (const Memory &memory : memories)
    if (memory.target == target && memory.chip == chip)
      return memory.bytes;
  return 0;
}
