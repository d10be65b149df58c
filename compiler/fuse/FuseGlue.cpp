//===- FuseGlue.cpp - what stands between products ---------------------------------------------===//
//
// Norms, casts, rotations, mixing and cache writes read little and write little. All of them that can run
// between the same products become one kernel: a node's level is the number of products that have to
// run before it, and glue of one level is merged.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDFUSEGLUE
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

static bool isGlueNode(FusionGraph &graph, Node node) { return llvm::all_of(graph.ops(node), isGlue); }

/// Per node the number of products before it, on the longest path.
static llvm::DenseMap<Node, int64_t> computeLevels(FusionGraph &graph, ArrayRef<Node> nodes) {
  llvm::DenseMap<Node, int64_t> levels;
  for (Node node : nodes) {
    int64_t behind = levels[node] + !isGlueNode(graph, node);
    for (Node next : graph.successorsOf(node))
      levels[next] = std::max(levels[next], behind);
  }
  return levels;
}

namespace {
struct FuseGlue : cedilla::impl::CedFuseGlueBase<FuseGlue> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    std::vector<Node> nodes = graph.nodes();
    llvm::DenseMap<Node, int64_t> levels = computeLevels(graph, nodes);
    llvm::DenseMap<int64_t, Node> kernelOf; // by level
    for (Node node : nodes) {
      if (!isGlueNode(graph, node))
        continue;
      auto [kernel, isNew] = kernelOf.try_emplace(levels[node], node);
      if (!isNew && !graph.merge(kernel->second, node))
        kernel->second = node;
    }
    graph.apply();
  }
};
} // namespace
