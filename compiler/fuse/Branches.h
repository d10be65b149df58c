//===- Branches.h - what a kernel computes for ---------------------------------------------------===//
//
// The published schedule keeps apart what serves attention, the choice of entries, and each cache. Here that is read off the graph:
// a node belongs to the ends that its results reach first, where an end is attention, index scores, or the write of a paged cache.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/fuse/FusionGraph.h"

namespace cedilla {

class Branches {
public:
  using Node = FusionGraph::Node;
  /// As the graph is now; ask for nodes of now.
  explicit Branches(const FusionGraph &graph);

  /// Whether the two compute for an end in common, or both for none.
  bool meet(Node a, Node b) const { return meet(ends.lookup(a), ends.lookup(b)); }
  /// From now on a stands for itself and b.
  void join(Node a, Node b);

private:
  using Ends = std::vector<Node>; ///< ascending
  static bool meet(const Ends &a, const Ends &b);
  llvm::DenseMap<Node, Ends> ends;
};

} // namespace cedilla
