//===- MmaPlan.cpp - how the warps of a block share a matrix product --------------------------===//
//
// Config keys: `warps`; optional `warps_n` (along the accumulator's columns), `warps_k` and
// `instruction` ("bf16" or "f16") fix what is chosen here otherwise.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/MmaPlan.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;

// Accumulators beyond this leave too few registers for fragments and addresses.
static constexpr int64_t maxAccumulators = 128;

LayoutAttr MmaPlan::acc(MLIRContext *context) const {
  LayoutKind kind = kWarps > 1 ? LayoutKind::MmaPart : LayoutKind::MmaAcc;
  return LayoutAttr::get(context, kind, {rowWarps, colWarps, kWarps}, 2);
}
LayoutAttr MmaPlan::sum(MLIRContext *context) const {
  return LayoutAttr::get(context, LayoutKind::MmaAcc, {rowWarps, colWarps, kWarps}, 2);
}
LayoutAttr MmaPlan::a(MLIRContext *context) const {
  return LayoutAttr::get(context, LayoutKind::MmaA, {rowWarps, colWarps, kWarps}, vec);
}
LayoutAttr MmaPlan::b(MLIRContext *context) const {
  return LayoutAttr::get(context, LayoutKind::MmaB, {rowWarps, colWarps, kWarps}, vec);
}

//===------------------------------------------------------------------------------------------===//
// Instruction
//===------------------------------------------------------------------------------------------===//

static bool isFP4(tile::DecodeOp decode) { return isa<Float4E2M1FNType>(decode.getElement()); }

/// Codes can go into the product as they are when one scale covers 32 k: then the scales are
/// applied to the sum over these 32. E2M1 codes are exact as E4M3.
static bool hasScaledSums(Value operand) {
  auto decode = operand.getDefiningOp<tile::DecodeOp>();
  return decode && decode.getBlockCols() % 32 == 0 && isa<Float8E8M0FNUType>(decode.getScale()) &&
         operand.hasOneUse();
}

static StringRef chooseInstruction(tile::MmaOp mma, tile::KernelOp kernel, const Chip &chip) {
  if (auto wanted = kernel.getConfig().getAs<StringAttr>("instruction"))
    return wanted.getValue();
  bool codes = chip.cvtE4m3 && hasScaledSums(mma.getA()) && hasScaledSums(mma.getB()) &&
               mma.getA().getType().getCols() % 32 == 0;
  return codes ? "f16" : "bf16";
}

static LogicalResult checkInstruction(tile::MmaOp mma, StringRef instruction, const Chip &chip) {
  if (instruction == "bf16") {
    if (!mma.getA().getType().getElement().isBF16())
      return mma.emitOpError("expected operands of bf16 for this target, got ")
             << mma.getA().getType().getElement();
    return success();
  }
  if (instruction != "f16")
    return mma.emitOpError("expected instruction \"bf16\" or \"f16\", got \"")
           << instruction << "\"";
  if (!chip.cvtE4m3)
    return mma.emitOpError("instruction \"f16\": ") << chip.name << " does not have it";
  if (!hasScaledSums(mma.getA()) || !hasScaledSums(mma.getB()))
    return mma.emitOpError(
        "instruction \"f16\": expected decoded operands with f8E8M0FNU scales of 32 "
        "columns and no other use");
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Warps
//===------------------------------------------------------------------------------------------===//

/// Bytes in memory of one element of an operand, times 2.
static int64_t halfBytes(Value operand) {
  if (auto decode = operand.getDefiningOp<tile::DecodeOp>())
    return isFP4(decode) ? 1 : 2;
  return cast<tile::TileType>(operand.getType()).getElement().getIntOrFloatBitWidth() / 4;
}

/// Widest run of k of one lane: at most 16 bytes of either operand, and 4 lanes of it must divide
/// `k`.
static int64_t chooseVec(tile::MmaOp mma, StringRef instruction, int64_t k) {
  if (instruction == "f16")
    return k % 32 == 0 ? 8 : 0; // 4 lanes x 8 are the 32 k of one scale
  int64_t least = halfBytes(mma.getA()) == 1 || halfBytes(mma.getB()) == 1 ? 8 : 4;
  int64_t vec = std::min(32 / halfBytes(mma.getA()), 32 / halfBytes(mma.getB()));
  while (vec >= least && k % (4 * vec) != 0)
    vec /= 2;
  return vec >= least ? vec : 0;
}

/// Operand elements a warp fetches and decodes for one pass over k; the smaller, the better.
static int64_t fetched(int64_t m, int64_t n, int64_t k, const MmaPlan &plan) {
  return k / plan.kWarps * (m / plan.rowWarps + n / plan.colWarps);
}

FailureOr<MmaPlan> nvptx::planMma(tile::MmaOp mma, tile::KernelOp kernel, const Chip &chip) {
  if (mma.getKn())
    return mma.emitOpError("'kn' is not carried by this target yet");
  StringRef instruction = chooseInstruction(mma, kernel, chip);
  if (failed(checkInstruction(mma, instruction, chip)))
    return failure();

  int64_t m = mma.getAcc().getType().getRows(), n = mma.getAcc().getType().getCols();
  int64_t k = mma.getA().getType().getCols(), warps = getConfig(kernel, "warps", 0);
  int64_t wantedCols = getConfig(kernel, "warps_n", 0), wantedK = getConfig(kernel, "warps_k", 0);
  std::optional<MmaPlan> best;
  for (int64_t kWarps = 1; kWarps <= warps; ++kWarps)
    for (int64_t colWarps = 1; colWarps * kWarps <= warps; ++colWarps) {
      MmaPlan plan{warps / (kWarps * colWarps), colWarps, kWarps, 0, instruction};
      bool divides = plan.rowWarps * colWarps * kWarps == warps && m % (16 * plan.rowWarps) == 0 &&
                     n % (8 * colWarps) == 0 && k % kWarps == 0;
      bool wanted = (!wantedCols || colWarps == wantedCols) && (!wantedK || kWarps == wantedK);
      if (!divides || !wanted)
        continue;
      plan.vec = chooseVec(mma, instruction, k / kWarps);
      int64_t accumulators = m / plan.rowWarps * (n / colWarps) / chip.warp;
      if (!plan.vec || accumulators > maxAccumulators)
        continue;
      if (!best || fetched(m, n, k, plan) < fetched(m, n, k, *best))
        best = plan;
    }
  if (best)
    return *best;
  return mma.emitOpError("expected a product that ")
         << warps << " warps can share in pieces of 16x8 with a multiple of "
         << (instruction == "f16" ? 32 : 16) << " of k each and at most " << maxAccumulators
         << " accumulators per thread, got " << m << "x" << n << "x" << k;
}
