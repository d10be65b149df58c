//===- FormGroups.cpp - put every ced op into a group that becomes one kernel --------------------===//
//
// Expects a function of ced ops; leaves ced.group, ced.weight, ced.mark and ced.reshape. Two tables say
// everything: which family builds an op, and which op may join the group of its operand's producer.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Group.h"
#include "compiler/fuse/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFORMGROUPS
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

//===------------------------------------------------------------------------------------------===//
// Tables
//===------------------------------------------------------------------------------------------===//

/// The kernel family that builds an op.
static StringRef familyOf(Operation *op) {
  static const llvm::StringMap<StringRef> table = {
      {"ced.linear", "linear"},           {"ced.matmul", "linear"},
      {"ced.grouped_linear", "linear"},   {"ced.hc_collapse", "norm_cast"},
      {"ced.rms_norm", "norm_cast"},      {"ced.quantize", "norm_cast"},
      {"ced.dequantize", "norm_cast"},    {"ced.scale", "norm_cast"},
      {"ced.hc_expand", "mix"},           {"ced.hc_mix", "mix"},
      {"ced.hc_post", "mix"},             {"ced.rope", "rope"},
      {"ced.compress", "compress"},       {"ced.index_scores", "index_scores"},
      {"ced.block_max", "select"},        {"ced.candidate_blocks", "select"},
      {"ced.topk", "select"},
      {"ced.attention", "attention"},     {"ced.route", "route"},
      {"ced.expert_up", "experts"},       {"ced.expert_down", "experts"},
      {"ced.swiglu", "experts"},          {"ced.combine", "experts"},
      {"ced.embed", "embed"},             {"ced.engram_rows", "engram"},
      {"ced.engram_lookup", "engram"},    {"ced.engram_inject", "engram"},
      {"ced.append_window", "cache"},     {"ced.append_paged", "cache"},
      {"ced.gather_window", "gather"},    {"ced.gather_paged", "gather"},
      {"ced.combine_lists", "gather"},    {"ced.attend", "attention"},
      {"ced.sample", "sample"},           {"ced.single_rows", "sample"},
  };
  return table.lookup(op->getName().getStringRef());
}

struct Fusion {
  StringRef producer, consumer;
};

/// The consumer may join the group that its first operand's producer is in.
static constexpr Fusion fusions[] = {
    {"ced.hc_collapse", "ced.rms_norm"},
    {"ced.rms_norm", "ced.quantize"},
};

static bool mayJoin(Operation *producer, Operation *consumer) {
  return llvm::any_of(fusions, [&](const Fusion &fusion) {
    return producer->getName().getStringRef() == fusion.producer &&
           consumer->getName().getStringRef() == fusion.consumer;
  });
}

//===------------------------------------------------------------------------------------------===//
// Groups
//===------------------------------------------------------------------------------------------===//

namespace {
using Members = SmallVector<Operation *>;
} // namespace

/// Joining moves `op` to where the group's first op stands: everything else it reads must be there.
static bool isReadyAt(Operation *op, const Members &group) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    return !def || llvm::is_contained(group, def) || def->isBeforeInBlock(group.front());
  });
}

static std::vector<Members> collectGroups(Block &block) {
  std::vector<Members> groups;
  DenseMap<Operation *, size_t> groupOf;
  for (Operation &op : block) {
    if (familyOf(&op).empty())
      continue;
    Operation *producer = op.getNumOperands() ? op.getOperand(0).getDefiningOp() : nullptr;
    auto found = producer ? groupOf.find(producer) : groupOf.end();
    if (found != groupOf.end() && mayJoin(producer, &op) && isReadyAt(&op, groups[found->second])) {
      size_t index = found->second;
      groups[index].push_back(&op);
      groupOf[&op] = index;
      continue;
    }
    groupOf[&op] = groups.size();
    groups.push_back({&op});
  }
  return groups;
}

/// How many layers had ended when the import made each op: their streams are marked.
static DenseMap<Operation *, int64_t> findLayers(Block &block) {
  DenseMap<Operation *, int64_t> layers;
  int64_t layer = 0;
  for (Operation &op : block) {
    layers[&op] = layer;
    if (auto mark = dyn_cast<ced::MarkOp>(op); mark && mark.getName() == "stream")
      layer = mark.getLayer() + 1;
  }
  return layers;
}

namespace {
struct FormGroups : cedilla::impl::CedFormGroupsBase<FormGroups> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    Block &block = getOperation().getBody().front();
    Operation *first = &block.front();
    for (auto weight : llvm::make_early_inc_range(block.getOps<ced::WeightOp>()))
      if (weight != first)
        weight->moveBefore(first);
    // What nobody reads is not computed.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
    DenseMap<Operation *, int64_t> layers = findLayers(block);
    Builder b(&getContext());
    for (const Members &members : collectGroups(block)) {
      int64_t layer = layers.lookup(members.front());
      formGroup(members, familyOf(members.front()))->setAttr(layerAttr, b.getI64IntegerAttr(layer));
    }
  }
};
} // namespace
