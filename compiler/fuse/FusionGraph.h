//===- FusionGraph.h - which groups become one kernel of phases ---------------------------------===//
//
// The groups of a function as a graph that fusion passes contract. A node is what will be one kernel: one
// group, or several that become its phases. Marks and reshapes stay with what produces their value.
//
// A pass builds the graph, merges nodes, and applies it:
//
//   FusionGraph graph(function);
//   for (FusionGraph::Node node : graph.nodes()) ... graph.merge(a, b);
//   graph.apply();
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <string>
#include <vector>

namespace cedilla {

class FusionGraph {
public:
  using Node = size_t;

  explicit FusionGraph(mlir::func::FuncOp function);

  /// Nodes that hold a group, in a legal order; a merged node stands where its first op stood.
  std::vector<Node> nodes() const;
  /// The node of the group that computes `value`, through marks and reshapes; `none` for weights and arguments.
  Node producer(mlir::Value value) const;
  /// Nodes that read what the node computes, without the node itself.
  std::vector<Node> consumers(Node node) const;
  /// The same, and nodes that must run behind it because they write over what it reads.
  std::vector<Node> successorsOf(Node node) const;
  /// The computing ops of the node's groups, in order.
  llvm::SmallVector<mlir::Operation *> ops(Node node) const;
  llvm::SmallVector<ced::GroupOp> groups(Node node) const;
  /// Whether the node computes one op, of that kind.
  bool isOnly(Node node, llvm::function_ref<bool(mlir::Operation *)> isKind) const {
    auto all = ops(node);
    return all.size() == 1 && isKind(all[0]);
  }
  /// Layer of the model that the node's last group belongs to (`layerAttr`).
  int64_t layer(Node node) const;

  /// Makes b's groups phases behind or between those of a. Fails, with the reason, when something else
  /// would have to run between the two.
  bool merge(Node a, Node b, std::string &reason);
  bool merge(Node a, Node b) {
    std::string reason;
    return merge(a, b, reason);
  }

  /// A node that has to run behind a and in front of b, other than the two; `none` where there is none.
  Node between(Node a, Node b) const;

  /// Rewrites the function: nodes of several groups become groups of kernel "phases".
  void apply();

  static constexpr Node none = ~Node(0);

private:
  Node find(Node node) const;
  Node nodeOf(mlir::Operation *op) const;
  void connect(mlir::Operation *op);
  void unite(Node a, Node b); ///< two that may be one
  bool reaches(Node from, Node to) const;
  std::vector<Node> order() const;

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, Node> numbers;     ///< of every op: its place in the function
  std::vector<mlir::Operation *> members;              ///< by place
  mutable std::vector<Node> parent;                    ///< union-find; a node's name is its first member's place
  std::vector<llvm::SetVector<Node>> successors;       ///< by place; ends are places, to be looked up with find
  std::vector<std::vector<Node>> inside;               ///< by node: its places, sorted
};

/// Of a group, i64: how many layers the import had ended when it made the group's first op.
inline constexpr const char *layerAttr = "ced.layer";

/// Ops that read little and write little, one row at a time: what stands between products.
bool isGlue(mlir::Operation *op);

} // namespace cedilla
