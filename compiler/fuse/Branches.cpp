//===- Branches.cpp - what a kernel computes for -------------------------------------------------===//

#include "compiler/fuse/Branches.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

static bool isEnd(const FusionGraph &graph, Node node) {
  return llvm::any_of(graph.ops(node), llvm::IsaPred<ced::AttentionOp, ced::AttendOp, ced::IndexScoresOp, ced::AppendPagedOp>);
}

static std::vector<Node> unite(const std::vector<Node> &a, const std::vector<Node> &b) {
  std::vector<Node> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

Branches::Branches(const FusionGraph &graph) {
  std::vector<Node> nodes = graph.nodes();
  for (Node node : llvm::reverse(nodes)) {
    Ends reached;
    if (isEnd(graph, node))
      reached = {node};
    else
      for (Node reader : graph.consumers(node))
        reached = unite(reached, ends.lookup(reader));
    ends[node] = std::move(reached);
  }
}

bool Branches::meet(const Ends &a, const Ends &b) {
  if (a.empty() || b.empty())
    return a.empty() && b.empty();
  return llvm::any_of(a, [&](Node end) { return llvm::is_contained(b, end); });
}

void Branches::join(Node a, Node b) { ends[a] = unite(ends.lookup(a), ends.lookup(b)); }
