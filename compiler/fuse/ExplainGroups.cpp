//===- ExplainGroups.cpp - why neighbours are not one kernel -----------------------------------------===//
//
// Expects a function whose groups no pass will change any more. Compares every group with the one before
// it: either something has to run between the two, or no fusion pass joins kernels of these kinds.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/FusionGraph.h"
#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDEXPLAINGROUPS
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

/// What fusion passes ask of a kernel; a kernel of several groups is of the first kind that fits.
enum class Kind { Experts, Attention, Gather, Choice, Scores, Product, Table, Glue };

static constexpr StringLiteral kindNames[] = {"the experts", "attention", "a gather",      "a choice", "index scores",
                                              "a product",   "a table look-up", "glue"};

static Kind kindOf(ArrayRef<Operation *> ops) {
  auto any = [&](auto isKind) { return llvm::any_of(ops, isKind); };
  if (any(llvm::IsaPred<ced::ExpertUpOp, ced::ExpertDownOp, ced::CombineOp>))
    return Kind::Experts;
  if (any(llvm::IsaPred<ced::AttentionOp, ced::AttendOp>))
    return Kind::Attention;
  if (any(llvm::IsaPred<ced::GatherWindowOp, ced::GatherPagedOp, ced::CombineListsOp>))
    return Kind::Gather;
  if (any(llvm::IsaPred<ced::RouteOp, ced::TopkOp, ced::BlockMaxOp, ced::CandidateBlocksOp>))
    return Kind::Choice;
  if (any(llvm::IsaPred<ced::IndexScoresOp>))
    return Kind::Scores;
  if (any(llvm::IsaPred<ced::LinearOp, ced::MatmulOp, ced::GroupedLinearOp>))
    return Kind::Product;
  return llvm::all_of(ops, isGlue) ? Kind::Glue : Kind::Table;
}

/// "rms_norm, quantize", shortened where there are many.
static std::string nameOf(FusionGraph &graph, Node node) {
  SmallVector<Operation *> ops = graph.ops(node);
  std::string text;
  for (size_t i = 0; i < ops.size() && i < 3; ++i)
    text += (text.empty() ? "" : ", ") + ops[i]->getName().stripDialect().str();
  return "'" + text + (ops.size() > 3 ? ", .." : "") + "'";
}

/// The pass that would have had to join the two, and what stopped it.
static std::string missingRule(Kind first, Kind second, bool reads) {
  auto both = [&](Kind kind) { return first == kind && second == kind; };
  if (both(Kind::Glue))
    return "ced-fuse-glue joins glue that the same number of products stands before, here it differs";
  if (first == Kind::Glue || second == Kind::Glue) {
    Kind other = first == Kind::Glue ? second : first;
    std::string text = "ced-fuse-glue joins glue with glue only, the " + std::string(first == Kind::Glue ? "second" : "first") +
                       " is " + kindNames[size_t(other)].str();
    if (other == Kind::Attention)
      text += ", which ced-fuse-attention joins with a rotation that nothing else reads, not with this";
    return text;
  }
  if (!reads)
    return "neither reads the other, and no pass joins " + kindNames[size_t(first)].str() + " with " +
           kindNames[size_t(second)].str() + " side by side";
  if (both(Kind::Product))
    return "the second product reads whole rows of the first, which all its blocks make; ced-fuse-siblings joins products "
           "of the same rows only";
  return "no pass joins " + kindNames[size_t(first)].str() + " with " + kindNames[size_t(second)].str() + " behind it";
}

static std::string explain(FusionGraph &graph, Node first, Node second, bool expertsApart) {
  Node between = graph.between(first, second);
  if (between != FusionGraph::none && !graph.ops(between).empty())
    return nameOf(graph, between) + " has to run between " + nameOf(graph, first) + " and " + nameOf(graph, second);
  bool reads = llvm::is_contained(graph.consumers(first), second);
  Kind kinds[] = {kindOf(graph.ops(first)), kindOf(graph.ops(second))};
  if (expertsApart && llvm::is_contained(kinds, Kind::Experts))
    return "the experts are left apart on this chip: ced-fuse-experts ('--schedule fused') would join what is around them";
  return missingRule(kinds[0], kinds[1], reads);
}

/// The group in the function's own block that the node has become.
static Operation *topGroup(FusionGraph &graph, Node node) {
  Operation *group = graph.groups(node).front();
  auto outer = dyn_cast<ced::GroupOp>(group->getParentOp());
  return outer ? outer.getOperation() : group;
}

namespace {
struct ExplainGroups : cedilla::impl::CedExplainGroupsBase<ExplainGroups> {
  using CedExplainGroupsBase::CedExplainGroupsBase;
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FusionGraph graph(getOperation());
    // Order of the text, which is that of the dispatches.
    std::vector<Node> nodes = graph.nodes();
    llvm::sort(nodes, [&](Node a, Node b) { return topGroup(graph, a)->isBeforeInBlock(topGroup(graph, b)); });
    for (size_t i = 1; i < nodes.size(); ++i) {
      std::string reason = split ? "the schedule is split: every group is a kernel" : explain(graph, nodes[i - 1], nodes[i], expertsApart);
      topGroup(graph, nodes[i])->setAttr("ced.not_fused", StringAttr::get(&getContext(), reason));
    }
  }
};
} // namespace
