//===- FuseExperts.cpp - routed and shared experts up to their sum -----------------------------===//
//
// Starts at the sum and takes in every product, cast and activation that nothing outside reads. What
// several sublayers' inputs have in common, the norm in front of them, and the router stay outside.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEEXPERTS
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

static bool mayJoin(FusionGraph &graph, Node node) {
  return llvm::all_of(graph.ops(node), [](Operation *op) {
    return isa<ced::ExpertUpOp, ced::ExpertDownOp, ced::SwigluOp, ced::QuantizeOp, ced::LinearOp>(op);
  });
}

namespace {
struct FuseExperts : cedilla::impl::CedFuseExpertsBase<FuseExperts> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    std::vector<Node> nodes = graph.nodes();
    for (Node sum : nodes) {
      if (!llvm::any_of(graph.ops(sum), llvm::IsaPred<ced::CombineOp>))
        continue;
      Node kernel = sum;
      // Backwards, so that a node's consumers have been decided on before it.
      for (Node node : llvm::reverse(nodes)) {
        if (node == sum || !mayJoin(graph, node))
          continue;
        std::vector<Node> consumers = graph.consumers(node);
        if (consumers.size() == 1 && consumers[0] == kernel && graph.merge(kernel, node))
          kernel = std::min(kernel, node);
      }
    }
    graph.apply();
  }
};
} // namespace
