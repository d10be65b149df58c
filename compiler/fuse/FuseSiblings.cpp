//===- FuseSiblings.cpp - products of one input ------------------------------------------------===//
//
// Two products that read the same rows run side by side in one kernel: the rows are read once, and one
// launch has the blocks of both.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSESIBLINGS
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

static ced::LinearOp onlyLinear(FusionGraph &graph, Node node) {
  auto ops = graph.ops(node);
  return ops.size() == 1 ? dyn_cast<ced::LinearOp>(ops[0]) : ced::LinearOp();
}

namespace {
struct FuseSiblings : cedilla::impl::CedFuseSiblingsBase<FuseSiblings> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    llvm::DenseMap<Value, Node> first;
    for (Node node : graph.nodes()) {
      if (!onlyLinear(graph, node))
        continue;
      // What the rows are called outside: the group's first input.
      Value rows = graph.groups(node)[0].getInputs()[0];
      auto [known, isNew] = first.try_emplace(rows, node);
      if (!isNew)
        graph.merge(known->second, node);
    }
    graph.apply();
  }
};
} // namespace
