//===- FuseSiblings.cpp - products of one input ------------------------------------------------===//
//
// Two products that read the same rows and write the same type run side by side in one kernel, as one product of both weights: the
// rows are read once, and one launch has the blocks of both.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/Branches.h"
#include "compiler/fuse/Passes.h"

#include <optional>

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSESIBLINGS
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

/// Of a product: what its rows are called outside, the group's first input, and what one product of several weights has once.
static std::optional<std::tuple<Value, OperationName, Type>> sharedBy(FusionGraph &graph, Node node) {
  auto ops = graph.ops(node);
  if (ops.size() != 1 || !isa<ced::LinearOp, ced::MatmulOp>(ops[0]))
    return std::nullopt;
  return std::tuple(graph.groups(node)[0].getInputs()[0], ops[0]->getName(), getElementTypeOrSelf(ops[0]->getResult(0)));
}

namespace {
struct FuseSiblings : cedilla::impl::CedFuseSiblingsBase<FuseSiblings> {
  using CedFuseSiblingsBase::CedFuseSiblingsBase;
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    Branches branches(graph);
    llvm::DenseMap<std::tuple<Value, OperationName, Type>, SmallVector<Node>> products;
    for (Node node : graph.nodes()) {
      auto shared = sharedBy(graph, node);
      if (!shared)
        continue;
      SmallVector<Node> &known = products[*shared];
      auto sibling = llvm::find_if(known, [&](Node other) { return (!branchesApart || branches.meet(other, node)) && graph.merge(other, node); });
      if (sibling == known.end())
        known.push_back(node);
      else
        branches.join(*sibling, node);
    }
    graph.apply();
  }
};
} // namespace
