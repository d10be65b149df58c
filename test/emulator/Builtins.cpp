//===- Builtins.cpp - the table; special registers, numbers, barriers of the block ------------===//

#include "test/emulator/Builtins.h"

#include "test/emulator/Numbers.h"

#include <bit>

namespace cedilla::emulator {

static void doNothing(Thread &, const Call &) {}

//===------------------------------------------------------------------------------------------===//
// Special registers
//===------------------------------------------------------------------------------------------===//

template <uint32_t value>
static void constant(Thread &, const Call &call) {
  call.out[0] = value;
}

template <int dim>
static void blockId(Thread &thread, const Call &call) {
  call.out[0] = thread.block->index[dim];
}

template <int dim>
static void gridSize(Thread &thread, const Call &call) {
  call.out[0] = thread.block->grid.blocks[dim];
}

static void move(Thread &, const Call &call) { call.out[0] = call.in[0]; }
static void threadId(Thread &thread, const Call &call) { call.out[0] = thread.id; }
static void blockSize(Thread &thread, const Call &call) {
  call.out[0] = thread.block->grid.threads;
}
static void laneId(Thread &thread, const Call &call) { call.out[0] = thread.lane(); }
static void warpId(Thread &thread, const Call &call) { call.out[0] = thread.warp(); }
static void lanesBelow(Thread &thread, const Call &call) { call.out[0] = (1u << thread.lane()) - 1; }

static void addRegisters(Table &table) {
  const std::string prefix = "llvm.nvvm.read.ptx.sreg.";
  table[prefix + "tid.x"].alone = threadId;
  table["mov.u32 $0, $1;"].alone = move;
  table[prefix + "ntid.x"].alone = blockSize;
  for (const char *dim : {"tid.y", "tid.z"}) // blocks are lines of threads
    table[prefix + dim].alone = constant<0>;
  for (const char *dim : {"ntid.y", "ntid.z"})
    table[prefix + dim].alone = constant<1>;
  table[prefix + "ctaid.x"].alone = blockId<0>;
  table[prefix + "ctaid.y"].alone = blockId<1>;
  table[prefix + "ctaid.z"].alone = blockId<2>;
  table[prefix + "nctaid.x"].alone = gridSize<0>;
  table[prefix + "nctaid.y"].alone = gridSize<1>;
  table[prefix + "nctaid.z"].alone = gridSize<2>;
  table[prefix + "laneid"].alone = laneId;
  table[prefix + "warpid"].alone = warpId;
  table[prefix + "warpsize"].alone = constant<warpSize>;
  table[prefix + "lanemask.lt"].alone = lanesBelow;
}

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

/// Bytes of the eight of y:x by four selectors; a selector's fourth bit repeats the byte's sign.
static void permute(Thread &, const Call &call) {
  uint64_t bytes = call.in[0] | call.in[1] << 32;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t selector = call.in[2] >> (4 * i) & 15, byte = bytes >> (8 * (selector & 7)) & 0xFF;
    if (selector & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  call.out[0] = result;
}

/// Two codes of 8 bits to two of 16.
static void e4m3ToF16(Thread &, const Call &call) {
  uint32_t low = encode(decode(call.in[0] & 0xFF, e4m3), f16);
  uint32_t high = encode(decode(call.in[0] >> 8 & 0xFF, e4m3), f16);
  call.out[0] = low | high << 16;
}

/// The first argument becomes the high half.
template <const Format &format, int bits, bool saturate>
static void pairFromF32(Thread &, const Call &call) {
  uint32_t high = encode(toFloat(call.in[0]), format, saturate);
  uint32_t low = encode(toFloat(call.in[1]), format, saturate);
  call.out[0] = low | high << bits;
}

/// The halves of a word of two, or the one of 16 bits.
template <const Format &format, int count>
static void fusedMultiplyAdd(Thread &, const Call &call) {
  uint32_t result = 0;
  for (int i = 0; i < count; ++i) {
    auto half = [&](int argument) {
      return decode(call.in[argument] >> (16 * i) & 0xFFFF, format);
    };
    result |= encode(fusedToOdd(half(0), half(1), half(2)), format) << (16 * i);
  }
  call.out[0] = result;
}

/// Rounded correctly, where the GPU promises a few ulps.
template <double (*function)(double)>
static void approximate(Thread &, const Call &call) {
  call.out[0] = bitsOf(static_cast<float>(function(toFloat(call.in[0]))));
}

static double exp2Of(double x) { return std::exp2(x); }
static double log2Of(double x) { return std::log2(x); }
static double reciprocal(double x) { return 1 / x; }
static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }

void addNumbers(Table &table) {
  table["llvm.nvvm.prmt"].alone = permute;
  table["llvm.nvvm.e4m3x2.to.f16x2.rn"].alone = e4m3ToF16;
  table["llvm.nvvm.ff.to.e4m3x2.rn"].alone = pairFromF32<e4m3, 8, true>;
  table["llvm.nvvm.ff2bf16x2.rn"].alone = pairFromF32<bf16, 16, false>;
  table["llvm.nvvm.ff2f16x2.rn"].alone = pairFromF32<f16, 16, false>;
  for (const char *name : {"llvm.nvvm.fma.rn.bf16x2", "llvm.fma.v2bf16"})
    table[name].alone = fusedMultiplyAdd<bf16, 2>;
  for (const char *name : {"llvm.nvvm.fma.rn.f16x2", "llvm.fma.v2f16"})
    table[name].alone = fusedMultiplyAdd<f16, 2>;
  table["llvm.fma.bf16"].alone = fusedMultiplyAdd<bf16, 1>;
  table["llvm.fma.f16"].alone = fusedMultiplyAdd<f16, 1>;
  for (const char *name : {"llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.ftz.f32"})
    table[name].alone = approximate<exp2Of>;
  table["llvm.nvvm.lg2.approx.f"].alone = approximate<log2Of>;
  for (const char *name : {"llvm.nvvm.rcp.approx.ftz.f", "llvm.nvvm.rcp.rn.f"})
    table[name].alone = approximate<reciprocal>;
  table["llvm.nvvm.rsqrt.approx.f"].alone = approximate<reciprocalRoot>;
}

//===------------------------------------------------------------------------------------------===//
// Barriers, fences, and the table
//===------------------------------------------------------------------------------------------===//

static void addBarriers(Table &table) {
  for (const char *name : {"llvm.nvvm.barrier.cta.sync.all", "llvm.nvvm.barrier.cta.sync.aligned.all"})
    table[name] = {};
  for (const char *name :
       {"llvm.nvvm.barrier.cta.sync.count", "llvm.nvvm.barrier.cta.sync.aligned.count"})
    table[name] = {.who = 1};
  // One thread runs at a time, and what it wrote is seen by the next.
  for (const char *name :
       {"llvm.nvvm.membar.cta", "llvm.nvvm.membar.gl", "llvm.nvvm.membar.sys", "llvm.nvvm.nanosleep",
        "llvm.nvvm.griddepcontrol.wait", "llvm.nvvm.griddepcontrol.launch.dependents"})
    table[name].alone = doNothing;
}

const Table &builtins() {
  static const Table table = [] {
    Table all;
    addRegisters(all);
    addNumbers(all);
    addBarriers(all);
    addCopies(all);
    addWarp(all);
    addMatrix(all);
    return all;
  }();
  return table;
}

const std::string &nameOf(const Builtin &builtin) {
  for (const auto &[name, each] : builtins())
    if (&each == &builtin)
      return name;
  static const std::string unknown = "?";
  return unknown;
}

} // namespace cedilla::emulator
