//===- FuseGather.cpp - the window's sources in one kernel ---------------------------------------===//
//
// The ring and the step's rows are decoded side by side; the rows then take the place of the oldest ones in the ring, which
// nobody else reads any more.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEGATHER
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

/// Nodes that decode what the readers of `node` read beside it.
static std::vector<Node> decodersBeside(FusionGraph &graph, Node node) {
  std::vector<Node> result;
  for (Node reader : graph.consumers(node))
    for (ced::GroupOp group : graph.groups(reader))
      for (Value input : group.getInputs()) {
        Node producer = graph.producer(input);
        if (producer != FusionGraph::none && graph.isOnly(producer, llvm::IsaPred<ced::DequantizeOp>) &&
            graph.consumers(producer).size() == 1)
          result.push_back(producer);
      }
  return result;
}

namespace {
struct FuseGather : cedilla::impl::CedFuseGatherBase<FuseGather> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    for (Node node : graph.nodes()) {
      if (!graph.isOnly(node, llvm::IsaPred<ced::GatherWindowOp>))
        continue;
      std::vector<Node> parts = decodersBeside(graph, node);
      for (Node next : graph.successorsOf(node))
        if (graph.isOnly(next, llvm::IsaPred<ced::AppendWindowOp>))
          parts.push_back(next);
      Node kernel = node;
      for (Node part : parts)
        if (graph.merge(kernel, part))
          kernel = std::min(kernel, part);
    }
    graph.apply();
  }
};
} // namespace
