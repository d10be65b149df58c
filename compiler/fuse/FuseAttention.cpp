//===- FuseAttention.cpp - attention with the rotations around it ------------------------------===//
//
// A rotation that only the attention reads, and one that alone reads its result, become one body with it; what casts that result
// and nothing else is a phase of the same kernel.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Group.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEATTENTION
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

/// Whether the group holds one op, of these kinds.
template <typename... Ops> static bool holdsOnly(ced::GroupOp group) {
  return group && isa<Ops...>(group.getBody().front().front()) && llvm::hasSingleElement(group.getBody().front().without_terminator());
}

/// The columns in front of those that turn come in pairs, too: the family turns whole tiles.
static bool turnsPairs(ced::GroupOp group) {
  auto rope = cast<ced::RopeOp>(group.getBody().front().front());
  return (cast<RankedTensorType>(rope.getX().getType()).getShape().back() - rope.getRope().getDim()) % 2 == 0;
}

/// One body of the attention and the rotations that belong to nobody else.
static void joinRotations(ced::GroupOp attention) {
  SmallVector<ced::GroupOp> parts{attention};
  auto query = attention.getInputs()[0].getDefiningOp<ced::GroupOp>();
  if (holdsOnly<ced::RopeOp>(query) && query->hasOneUse() && turnsPairs(query)) {
    query->moveBefore(attention);
    parts.insert(parts.begin(), query);
  }
  Value result = attention.getOutputs()[0];
  auto reader = result.hasOneUse() ? dyn_cast<ced::GroupOp>(*result.user_begin()) : ced::GroupOp();
  bool ready = holdsOnly<ced::RopeOp>(reader) && turnsPairs(reader) && llvm::all_of(reader.getInputs(), [&](Value input) {
    Operation *op = input.getDefiningOp();
    return !op || op == attention || op->isBeforeInBlock(attention);
  });
  if (ready) {
    reader->moveAfter(attention);
    parts.push_back(reader);
  }
  if (parts.size() == 1)
    return;
  Attribute layer = attention->getAttr(layerAttr);
  SmallVector<Operation *> ops;
  for (ced::GroupOp part : parts)
    llvm::append_range(ops, dissolve(part));
  ced::GroupOp joined = formGroup(ops, "attention");
  if (layer)
    joined->setAttr(layerAttr, layer);
}

namespace {
struct FuseAttention : cedilla::impl::CedFuseAttentionBase<FuseAttention> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    auto attentions = llvm::make_filter_range(getOperation().getOps<ced::GroupOp>(), holdsOnly<ced::AttentionOp, ced::AttendOp>);
    for (ced::GroupOp group : llvm::to_vector(attentions))
      joinRotations(group);
    FusionGraph graph(getOperation());
    for (Node node : graph.nodes()) {
      if (!llvm::any_of(graph.ops(node), llvm::IsaPred<ced::AttentionOp, ced::AttendOp>))
        continue;
      Node kernel = node;
      while (true) {
        std::vector<Node> readers = graph.consumers(kernel);
        if (readers.size() != 1 || !graph.isOnly(readers[0], llvm::IsaPred<ced::QuantizeOp, ced::DequantizeOp>) ||
            !graph.merge(kernel, readers[0]))
          break;
        kernel = std::min(kernel, readers[0]);
      }
    }
    graph.apply();
  }
};
} // namespace
