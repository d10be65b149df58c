//===- FuseGlue.cpp - what stands between products ---------------------------------------------===//
//
// Norms, casts, rotations, mixing and cache writes read little and write little. All of them that can run
// between the same products become one kernel: a node's level is the number of products that have to
// run before it, and glue of one level is merged, across layers only where the later one takes what the earlier one gives.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/Branches.h"
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

/// Whether no glue feeds a glue node and none reads it.
static bool standsAlone(FusionGraph &graph, Node node, ArrayRef<Node> readers) {
  auto isGlueValue = [&](Value value) {
    Node producer = graph.producer(value);
    return producer != FusionGraph::none && isGlueNode(graph, producer);
  };
  return isGlueNode(graph, node) && !readers.empty() && llvm::none_of(readers, [&](Node next) { return isGlueNode(graph, next); }) &&
         llvm::none_of(graph.groups(node)[0].getInputs(), isGlueValue);
}

/// Per node the number of products before it, on the longest path; glue between products only waits for what its readers wait for.
static llvm::DenseMap<Node, int64_t> computeLevels(FusionGraph &graph, ArrayRef<Node> nodes) {
  llvm::DenseMap<Node, int64_t> levels;
  for (Node node : nodes) {
    int64_t behind = levels[node] + !isGlueNode(graph, node);
    for (Node next : graph.successorsOf(node))
      levels[next] = std::max(levels[next], behind);
  }
  for (Node node : nodes) {
    std::vector<Node> readers = graph.successorsOf(node);
    if (standsAlone(graph, node, readers))
      levels[node] = levels[*llvm::min_element(readers, [&](Node a, Node b) { return levels[a] < levels[b]; })];
  }
  return levels;
}

static Node producerOf(FusionGraph &graph, Node node) { return graph.producer(graph.groups(node)[0].getInputs()[0]); }

/// Nodes that rotate, write a cache, or cast what another such node of their level has made.
static llvm::DenseSet<Node> findRotations(FusionGraph &graph, ArrayRef<Node> nodes, llvm::DenseMap<Node, int64_t> &levels) {
  llvm::DenseSet<Node> result;
  for (Node node : nodes) {
    if (!isGlueNode(graph, node))
      continue;
    auto ops = graph.ops(node);
    bool casts = llvm::all_of(ops, llvm::IsaPred<ced::QuantizeOp>);
    Node producer = casts ? producerOf(graph, node) : FusionGraph::none;
    if (llvm::any_of(ops, llvm::IsaPred<ced::RopeOp, ced::AppendWindowOp, ced::AppendPagedOp>) ||
        (producer != FusionGraph::none && result.contains(producer) && levels[producer] == levels[node]))
      result.insert(node);
  }
  return result;
}

namespace {
/// The kernels that glue becomes.
class Kernels {
public:
  Kernels(FusionGraph &graph, bool branchesApart)
      : graph(graph), nodes(graph.nodes()), levels(computeLevels(graph, nodes)), branches(graph), branchesApart(branchesApart) {}
  void form(bool manyRows);

private:
  void place(Node node, bool apart);
  bool readTheSame(Node a, Node b);
  int64_t readersBeside(Node rotation);

  FusionGraph &graph;
  std::vector<Node> nodes;
  llvm::DenseMap<Node, int64_t> levels;
  Branches branches;
  bool branchesApart;
  std::map<std::pair<int64_t, bool>, std::vector<Node>> kernels; ///< by level, and whether they are rotations apart
};
} // namespace

/// Whether a kernel makes something that both read.
bool Kernels::readTheSame(Node a, Node b) {
  auto producers = [&](Node node) {
    llvm::SmallSetVector<Node, 8> result;
    for (ced::GroupOp group : graph.groups(node))
      for (Value input : group.getInputs())
        if (Node producer = graph.producer(input); producer != FusionGraph::none && !isGlueNode(graph, producer))
          result.insert(producer);
    return result;
  };
  auto first = producers(a), second = producers(b);
  return llvm::any_of(first, [&](Node producer) { return second.contains(producer); });
}

/// Puts the node into a kernel of its level, or begins one.
void Kernels::place(Node node, bool apart) {
  std::vector<Node> &known = kernels[{levels[node], apart}];
  for (Node &kernel : llvm::reverse(known)) {
    // Of another layer only what this one hands its results to.
    bool reads = llvm::is_contained(graph.successorsOf(kernel), node), near = reads || graph.layer(kernel) == graph.layer(node);
    bool belongs = !branchesApart || reads || branches.meet(kernel, node) || readTheSame(kernel, node);
    if (near && belongs && graph.merge(kernel, node)) {
      Node merged = std::min(kernel, node);
      branches.join(merged, kernel), branches.join(merged, node);
      kernel = merged;
      return;
    }
    if (!branchesApart)
      break;
  }
  known.push_back(node);
}

/// How many kernels read what the glue makes that a rotation reads; 0 where it reads no glue.
int64_t Kernels::readersBeside(Node rotation) {
  Node from = producerOf(graph, rotation);
  return from == FusionGraph::none || !isGlueNode(graph, from) ? 0 : graph.consumers(from).size();
}

void Kernels::form(bool manyRows) {
  llvm::DenseSet<Node> rotations, apart;
  if (branchesApart)
    rotations = findRotations(graph, nodes, levels);
  auto rotates = [&](Node node) { return llvm::any_of(graph.ops(node), llvm::IsaPred<ced::RopeOp>); };
  auto followsApart = [&](Node node) {
    return llvm::any_of(graph.groups(node)[0].getInputs(), [&](Value input) {
      Node producer = graph.producer(input);
      return producer != FusionGraph::none && apart.contains(producer);
    });
  };
  // A rotation that would hold up others: with few rows those that read its operand, with many all that read the same kernel.
  auto part = [&] {
    for (Node node : nodes)
      if (rotations.contains(node) && (rotates(node) ? readersBeside(node) > 1 : followsApart(node)))
        apart.insert(node);
  };
  part();
  for (Node node : nodes)
    if (isGlueNode(graph, node) && !rotations.contains(node))
      place(node, /*apart=*/false);
  if (manyRows)
    part();
  for (Node node : nodes)
    if (rotations.contains(node))
      place(node, apart.contains(node));
}

namespace {
struct FuseGlue : cedilla::impl::CedFuseGlueBase<FuseGlue> {
  using CedFuseGlueBase::CedFuseGlueBase;
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    Kernels(graph, branchesApart).form(!getOperation()->hasAttr(kRowsAttr));
    graph.apply();
  }
};
} // namespace
