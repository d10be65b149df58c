//===- FuseRouter.cpp - scores of the experts and the choice among them ------------------------===//
//
// The router's product has few columns and nobody but the choice reads it.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEROUTER
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

namespace {
struct FuseRouter : cedilla::impl::CedFuseRouterBase<FuseRouter> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    for (Node node : graph.nodes()) {
      if (!graph.isOnly(node, llvm::IsaPred<ced::RouteOp>))
        continue;
      Node product = graph.producer(graph.groups(node)[0].getInputs()[0]);
      if (product != FusionGraph::none && graph.consumers(product).size() == 1)
        graph.merge(product, node);
    }
    graph.apply();
  }
};
} // namespace
