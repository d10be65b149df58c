//===- FuseEnds.cpp - small kernels behind the kernel whose result they take ------------------------===//
//
// Behind ced-fuse-glue: a cast that is the only reader of a product's result, and a router that reads what glue makes, become the
// last phase of that kernel. Fewer kernels; whether it is faster depends on what a launch costs beside a hand-over between phases.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEENDS
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

static bool isCastOf(FusionGraph &graph, Node node, Node producer) {
  return llvm::all_of(graph.ops(node), llvm::IsaPred<ced::QuantizeOp>) &&
         llvm::all_of(graph.ops(producer), llvm::IsaPred<ced::LinearOp, ced::MatmulOp, ced::GroupedLinearOp>) &&
         graph.consumers(producer).size() == 1;
}

static bool isRouterBehindGlue(FusionGraph &graph, Node node, Node producer) {
  return llvm::any_of(graph.ops(node), llvm::IsaPred<ced::RouteOp>) && llvm::all_of(graph.ops(producer), isGlue);
}

namespace {
struct FuseEnds : cedilla::impl::CedFuseEndsBase<FuseEnds> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    for (Node node : graph.nodes()) {
      Node producer = graph.producer(graph.groups(node)[0].getInputs()[0]);
      if (producer != FusionGraph::none && (isCastOf(graph, node, producer) || isRouterBehindGlue(graph, node, producer)))
        graph.merge(producer, node);
    }
    graph.apply();
  }
};
} // namespace
