//===- FuseGlue.cpp - what stands between products ---------------------------------------------===//
//
// Norms, casts, rotations, mixing and cache writes read little and write little. All of them that can run
// between the same products become one kernel: a node's level is the number of products that have to
// run before it, and glue of one level is merged, across layers only where the later one takes what the earlier one gives.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"
#include "compiler/import/BuildGraph.h"

#include <map>

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

/// Nodes that rotate, write a cache, or cast what another such node of their level has made.
static llvm::DenseSet<Node> findRotations(FusionGraph &graph, ArrayRef<Node> nodes, llvm::DenseMap<Node, int64_t> &levels) {
  llvm::DenseSet<Node> result;
  for (Node node : nodes) {
    auto ops = graph.ops(node);
    bool casts = llvm::all_of(ops, llvm::IsaPred<ced::QuantizeOp>);
    Node producer = casts ? graph.producer(graph.groups(node)[0].getInputs()[0]) : FusionGraph::none;
    if (llvm::any_of(ops, llvm::IsaPred<ced::RopeOp, ced::AppendWindowOp, ced::AppendPagedOp>) ||
        (producer != FusionGraph::none && result.contains(producer) && levels[producer] == levels[node]))
      result.insert(node);
  }
  return result;
}

namespace {
struct FuseGlue : cedilla::impl::CedFuseGlueBase<FuseGlue> {
  using CedFuseGlueBase::CedFuseGlueBase;
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    std::vector<Node> nodes = graph.nodes();
    llvm::DenseMap<Node, int64_t> levels = computeLevels(graph, nodes);
    llvm::DenseSet<Node> apart;
    if (rotationsApart && !getOperation()->hasAttr(kRowsAttr))
      apart = findRotations(graph, nodes, levels);
    std::map<std::pair<int64_t, bool>, Node> kernelOf; // by level
    for (Node node : nodes) {
      if (!isGlueNode(graph, node))
        continue;
      auto [kernel, isNew] = kernelOf.try_emplace({levels[node], apart.contains(node)}, node);
      // Of another layer only what this one hands its results to.
      bool near = isNew || graph.layer(kernel->second) == graph.layer(node) ||
                  llvm::is_contained(graph.successorsOf(kernel->second), node);
      if (!isNew && (!near || !graph.merge(kernel->second, node)))
        kernel->second = node;
    }
    graph.apply();
  }
};
} // namespace
