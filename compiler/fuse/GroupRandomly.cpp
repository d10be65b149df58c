//===- GroupRandomly.cpp - legal groupings drawn by chance ---------------------------------------===//
//
// For tests: every grouping that the graph allows must compute the same bits.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

#include <random>

namespace cedilla {
#define GEN_PASS_DEF_CEDGROUPRANDOMLY
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

/// How far apart in the text two kernels are that one try merges.
static constexpr size_t reach = 8;

namespace {
struct GroupRandomly : cedilla::impl::CedGroupRandomlyBase<GroupRandomly> {
  using CedGroupRandomlyBase::CedGroupRandomlyBase;
  void runOnOperation() override {
    bool attends = false;
    getOperation().walk([&](Operation *op) { attends |= isa<ced::AttentionOp, ced::AttendOp>(op); });
    if (!attends)
      return;
    std::mt19937_64 random(seed);
    FusionGraph graph(getOperation());
    for (size_t tries = graph.nodes().size(); tries > 0; --tries) {
      std::vector<Node> nodes = graph.nodes();
      if (nodes.size() < 2)
        break;
      size_t first = random() % (nodes.size() - 1);
      size_t second = std::min(first + 1 + random() % reach, nodes.size() - 1);
      graph.merge(nodes[first], nodes[second]);
    }
    graph.apply();
  }
};
} // namespace
