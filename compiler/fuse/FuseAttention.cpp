//===- FuseAttention.cpp - attention with the rotations around it ------------------------------===//
//
// A rotation that only the attention reads, and what rotates and casts the attention's result and nothing else, are phases
// of the same kernel.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEATTENTION
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

namespace {
struct FuseAttention : cedilla::impl::CedFuseAttentionBase<FuseAttention> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    for (Node node : graph.nodes()) {
      if (!graph.isOnly(node, llvm::IsaPred<ced::AttentionOp, ced::AttendOp>))
        continue;
      Node query = graph.producer(graph.groups(node)[0].getInputs()[0]);
      Node kernel = node;
      if (query != FusionGraph::none && graph.isOnly(query, llvm::IsaPred<ced::RopeOp>) &&
          graph.consumers(query).size() == 1 && graph.merge(query, node))
        kernel = std::min(query, node);
      while (true) {
        std::vector<Node> readers = graph.consumers(kernel);
        if (readers.size() != 1 || !graph.isOnly(readers[0], llvm::IsaPred<ced::RopeOp, ced::QuantizeOp, ced::DequantizeOp>) ||
            !graph.merge(kernel, readers[0]))
          break;
        kernel = std::min(kernel, readers[0]);
      }
    }
    graph.apply();
  }
};
} // namespace
