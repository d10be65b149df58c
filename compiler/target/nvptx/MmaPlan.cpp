//===- MmaPlan.cpp - how the warps of a block share a matrix product --------------------------===//
//
// Config keys: `warps`; optional `warps_n` (along the accumulator's columns), `warps_k` and
// `instruction` ("bf16", "f16" or "fma") fix what is chosen here otherwise. Products of one kernel
// with equal rows are dealt out alike where that is possible, so that what is reduced of one meets
// the rows of the other in the same threads.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/MmaPlan.h"

#include "compiler/target/nvptx/Geometry.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;

// Accumulators beyond this leave too few registers for fragments and addresses.
static constexpr int64_t maxAccumulators = 128;
// Where sums of 32 k and products of scales need registers, too; a config may ask for more.
static constexpr int64_t maxScaledAccumulators = 64;
// Words of an operand that a thread may hold at once; more are read from shared memory.
static constexpr int64_t maxOperandWords = 48;

LayoutAttr MmaPlan::acc(MLIRContext *context) const {
  if (flat)
    return flat;
  LayoutKind kind = kWarps > 1 ? LayoutKind::MmaPart : LayoutKind::MmaAcc;
  return LayoutAttr::get(context, kind, {rowWarps, colWarps, kWarps}, 2);
}
LayoutAttr MmaPlan::sum(MLIRContext *context) const {
  if (flat)
    return flat;
  return LayoutAttr::get(context, LayoutKind::MmaAcc, {rowWarps, colWarps, kWarps}, 2);
}
LayoutAttr MmaPlan::a(MLIRContext *context) const {
  return LayoutAttr::get(context, LayoutKind::MmaA, {rowWarps, colWarps, kWarps}, vec);
}
LayoutAttr MmaPlan::b(MLIRContext *context) const {
  return LayoutAttr::get(context, LayoutKind::MmaB, {rowWarps, colWarps, kWarps}, vec);
}

//===------------------------------------------------------------------------------------------===//
// Operands
//===------------------------------------------------------------------------------------------===//

static bool isFP4(tile::DecodeOp decode) { return isa<Float4E2M1FNType>(decode.getElement()); }

/// Whether the lanes can make an operand in the product's layout: it comes from memory, perhaps by
/// way of a decode or maps, and not from other threads' registers.
static bool comesFromMemory(Value operand, tile::MmaOp mma) {
  Operation *op = operand.getDefiningOp();
  if (isa_and_nonnull<tile::LoadOp, tile::GatherOp, tile::SplatOp, tile::ConstantOp>(op))
    return true;
  if (auto decode = dyn_cast_or_null<tile::DecodeOp>(op)) { // a recipe: evaluated for each reader
    bool products = llvm::all_of(op->getUsers(), [](Operation *user) {
      auto product = dyn_cast<tile::MmaOp>(user);
      return product && !product.getKn();
    });
    return products && op->getBlock() == mma->getBlock() &&
           isa_and_nonnull<tile::LoadOp, tile::GatherOp>(decode.getCodes().getDefiningOp());
  }
  auto map = dyn_cast_or_null<tile::MapOp>(op);
  return map && llvm::all_of(map.getInputs(), [&](Value v) { return comesFromMemory(v, mma); });
}

/// Words of the operand that a warp's lanes must hold at once. Loads in the product's own loop are
/// fetched piece by piece.
static int64_t wordsHeld(Value operand, tile::MmaOp mma, int64_t warps) {
  auto type = cast<tile::TileType>(operand.getType());
  Operation *op = operand.getDefiningOp();
  if (auto decode = dyn_cast<tile::DecodeOp>(op))
    return wordsHeld(decode.getCodes(), mma, warps);
  bool inLoop = op->getBlock() == mma->getBlock() && isa<scf::ForOp>(mma->getParentOp());
  if (isa<tile::LoadOp>(op) && inLoop && op->hasOneUse())
    return 0;
  return type.getNumElements() * type.getElement().getIntOrFloatBitWidth() /
         (32 * warpSize * warps);
}

//===------------------------------------------------------------------------------------------===//
// Instruction
//===------------------------------------------------------------------------------------------===//

/// Codes can go into the product as they are when one scale covers 32 k: then the scales are
/// applied to the sum over these 32. E2M1 codes are exact as E4M3.
static bool hasScaledSums(Value operand, tile::MmaOp mma) {
  auto decode = operand.getDefiningOp<tile::DecodeOp>();
  return decode && decode.getBlockCols() % 32 == 0 && isa<Float8E8M0FNUType>(decode.getScale()) &&
         comesFromMemory(operand, mma);
}

static bool takesCodes(tile::MmaOp mma, const Chip &chip) {
  return chip.cvtE4m3 && !mma.getKn() && hasScaledSums(mma.getA(), mma) &&
         hasScaledSums(mma.getB(), mma) && mma.getA().getType().getCols() % 32 == 0;
}

static StringRef wantedInstruction(tile::KernelOp kernel) {
  auto wanted = kernel.getConfig().getAs<StringAttr>("instruction");
  return wanted ? wanted.getValue() : StringRef();
}

static LogicalResult checkInstruction(tile::MmaOp mma, StringRef instruction, const Chip &chip) {
  Type element = mma.getA().getType().getElement();
  if (instruction == "bf16" && !element.isBF16())
    return mma.emitOpError("instruction \"bf16\": expected operands of bf16, got ") << element;
  if (instruction != "bf16" && instruction != "f16" && instruction != "fma")
    return mma.emitOpError("expected instruction \"bf16\", \"f16\" or \"fma\", got \"")
           << instruction << "\"";
  if (instruction == "f16" && !chip.cvtE4m3)
    return mma.emitOpError("instruction \"f16\": ") << chip.name << " does not have it";
  if (instruction == "f16" && !takesCodes(mma, chip))
    return mma.emitOpError(
        "instruction \"f16\": expected decoded operands with f8E8M0FNU scales of 32 "
        "columns and no other use");
  return success();
}

/// Instructions to try, the best first.
static SmallVector<StringRef> instructionsFor(tile::MmaOp mma, const Chip &chip) {
  SmallVector<StringRef> names;
  if (takesCodes(mma, chip))
    names.push_back("f16");
  if (mma.getA().getType().getElement().isBF16())
    names.push_back("bf16");
  names.push_back("fma");
  return names;
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
/// `k`; 0 where there is none.
static int64_t chooseVec(tile::MmaOp mma, const MmaPlan &plan, int64_t k) {
  if (plan.fromMemory) // what ldmatrix gives
    return k % 16 == 0 ? 2 : 0;
  if (plan.instruction == "f16")
    return k % 32 == 0 ? 8 : 0; // 4 lanes x 8 are the 32 k of one scale
  int64_t least = halfBytes(mma.getA()) == 1 || halfBytes(mma.getB()) == 1 ? 8 : 4;
  int64_t vec = std::min(32 / halfBytes(mma.getA()), 32 / halfBytes(mma.getB()));
  while (vec >= least && k % (4 * vec) != 0)
    vec /= 2;
  return vec >= least ? vec : 0;
}

/// A product whose sum nobody but products and loops of them sees: parts of it may stay apart.
static bool isChain(tile::MmaOp mma) {
  bool seen = llvm::any_of(mma.getResult().getUsers(), [&](Operation *user) {
    auto next = dyn_cast<tile::MmaOp>(user);
    bool adds = next && next.getAcc() == mma.getResult();
    return !adds && !(isa<scf::YieldOp>(user) && isa<scf::ForOp>(user->getParentOp()));
  });
  auto argument = dyn_cast<BlockArgument>(mma.getAcc());
  if (!argument)
    return !seen && mma.getAcc().getDefiningOp<tile::MmaOp>();
  return !seen && llvm::all_of(argument.getUses(), [&](OpOperand &use) {
    auto next = dyn_cast<tile::MmaOp>(use.getOwner());
    return next && next.getAcc() == argument;
  });
}

static int64_t rowsOf(tile::MmaOp mma) { return mma.getAcc().getType().getRows(); }

/// Operand elements a warp fetches and decodes for one pass over k; the smaller, the better.
static int64_t fetched(tile::MmaOp mma, const MmaPlan &plan) {
  int64_t m = rowsOf(mma), n = mma.getAcc().getType().getCols(), k = mma.getA().getType().getCols();
  return k / plan.kWarps * (m / plan.rowWarps + n / plan.colWarps);
}

/// All ways to deal a product out with one instruction, with operands from memory or not.
static SmallVector<MmaPlan> enumerate(tile::MmaOp mma, tile::KernelOp kernel, StringRef instruction,
                                      bool fromMemory) {
  SmallVector<MmaPlan> plans;
  bool own = !mma.getKn() && comesFromMemory(mma.getA(), mma) && comesFromMemory(mma.getB(), mma);
  if (!fromMemory && !own)
    return plans;
  int64_t m = rowsOf(mma), n = mma.getAcc().getType().getCols();
  int64_t k = mma.getA().getType().getCols(), warps = getConfig(kernel, "warps", 0);
  int64_t wantedCols = getConfig(kernel, "warps_n", 0), wantedK = getConfig(kernel, "warps_k", 0);
  for (int64_t kWarps = 1; kWarps <= warps; ++kWarps)
    for (int64_t colWarps = 1; colWarps * kWarps <= warps; ++colWarps) {
      MmaPlan plan{warps / (kWarps * colWarps), colWarps, kWarps, 0, instruction, fromMemory, {}};
      bool divides = plan.rowWarps * colWarps * kWarps == warps && m % (16 * plan.rowWarps) == 0 &&
                     n % (8 * colWarps) == 0 && k % kWarps == 0;
      bool wanted = (!wantedCols || colWarps == wantedCols) && (!wantedK || kWarps == wantedK);
      if (!divides || !wanted)
        continue;
      plan.vec = chooseVec(mma, plan, k / kWarps);
      bool scaled = instruction == "f16" && !wantedCols && !wantedK;
      bool tooMuch = m / plan.rowWarps * (n / colWarps) / warpSize >
                     (scaled ? maxScaledAccumulators : maxAccumulators);
      if (!fromMemory)
        tooMuch |= wordsHeld(mma.getA(), mma, plan.rowWarps * kWarps) > maxOperandWords ||
                   wordsHeld(mma.getB(), mma, colWarps * kWarps) > maxOperandWords;
      if (plan.vec && !tooMuch)
        plans.push_back(plan);
    }
  // Parts of a sum cost an exchange; only a chain of products adds them once for many.
  if (!isChain(mma) && !wantedK) {
    auto whole = llvm::make_filter_range(plans, [](const MmaPlan &p) { return p.kWarps == 1; });
    if (!whole.empty())
      return llvm::to_vector(whole);
  }
  return plans;
}

//===------------------------------------------------------------------------------------------===//
// A kernel
//===------------------------------------------------------------------------------------------===//

/// The plans of a product with the best instruction that can deal it out; none for "fma".
static FailureOr<SmallVector<MmaPlan>> plansOf(tile::MmaOp mma, tile::KernelOp kernel,
                                               const Chip &chip) {
  StringRef wanted = wantedInstruction(kernel);
  if (!wanted.empty() && failed(checkInstruction(mma, wanted, chip)))
    return failure();
  for (StringRef name :
       wanted.empty() ? instructionsFor(mma, chip) : SmallVector<StringRef>{wanted})
    for (bool fromMemory : {false, true}) {
      if (name == "fma" || (name == "f16" && fromMemory))
        continue;
      SmallVector<MmaPlan> plans = enumerate(mma, kernel, name, fromMemory);
      if (!plans.empty())
        return plans;
    }
  if (wanted.empty() || wanted == "fma")
    return SmallVector<MmaPlan>{};
  tile::TileType acc = mma.getAcc().getType();
  return mma.emitOpError("expected a product that ")
         << getConfig(kernel, "warps", 0)
         << " warps can share in pieces of 16x8 with a multiple of " << (wanted == "f16" ? 32 : 16)
         << " of k each and at most " << maxAccumulators << " accumulators per thread, got "
         << acc.getRows() << "x" << acc.getCols() << "x" << mma.getA().getType().getCols();
}

static const MmaPlan *findAlike(ArrayRef<MmaPlan> plans, const MmaPlan &like) {
  const auto *found = llvm::find_if(plans, [&](const MmaPlan &plan) {
    return plan.rowWarps == like.rowWarps && plan.colWarps == like.colWarps &&
           plan.kWarps == like.kWarps;
  });
  return found == plans.end() ? nullptr : found;
}

namespace {
struct Options {
  tile::MmaOp mma;
  SmallVector<MmaPlan> plans;
};
} // namespace

/// The way that costs all products of a group least together; null where they have none in common.
static const MmaPlan *chooseTogether(ArrayRef<const Options *> group) {
  const MmaPlan *best = nullptr;
  int64_t least = 0;
  for (const MmaPlan &plan : group.front()->plans) {
    int64_t cost = 0;
    bool common = llvm::all_of(group, [&](const Options *each) {
      const MmaPlan *alike = findAlike(each->plans, plan);
      cost += alike ? fetched(each->mma, *alike) : 0;
      return alike != nullptr;
    });
    if (common && (!best || cost < least)) {
      best = &plan;
      least = cost;
    }
  }
  return best;
}

LogicalResult nvptx::planProducts(tile::KernelOp kernel, const Chip &chip,
                                  function_ref<LayoutAttr(tile::TileType)> flat, MmaPlans &plans) {
  SmallVector<Options> all;
  WalkResult walked = kernel.walk([&](tile::MmaOp mma) {
    FailureOr<SmallVector<MmaPlan>> options = plansOf(mma, kernel, chip);
    if (failed(options))
      return WalkResult::interrupt();
    if (options->empty())
      plans[mma] = {1, 1, 1, 1, "fma", true, flat(mma.getAcc().getType())};
    else
      all.push_back({mma, std::move(*options)});
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  for (const Options &options : all) {
    SmallVector<const Options *> group;
    for (const Options &other : all)
      if (rowsOf(other.mma) == rowsOf(options.mma))
        group.push_back(&other);
    const MmaPlan *together = chooseTogether(group);
    const MmaPlan *alone = chooseTogether(&options);
    plans[options.mma] = together ? *findAlike(options.plans, *together) : *alone;
  }
  return success();
}
