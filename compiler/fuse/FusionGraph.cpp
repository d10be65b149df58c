//===- FusionGraph.cpp - which groups become one kernel of phases ---------------------------------===//

#include "compiler/fuse/FusionGraph.h"

#include "compiler/fuse/Group.h"
#include "kernels-gen/common/Signature.h"

#include <queue>
#include <utility>

using namespace mlir;
using namespace cedilla;
using Node = FusionGraph::Node;

static bool passesOn(Operation *op) { return isa<ced::MarkOp, ced::ReshapeOp>(op); }

/// Whether the op writes the cache in place; a group does where an op in it does.
static bool writes(OpOperand &use) {
  if (!isCache(use.get().getType()))
    return false;
  if (auto group = dyn_cast<ced::GroupOp>(use.getOwner()))
    return llvm::any_of(group.getBody().getArgument(use.getOperandNumber()).getUses(), writes);
  return llvm::is_contained(use.getOwner()->getResultTypes(), use.get().getType());
}

//===------------------------------------------------------------------------------------------===//
// Building
//===------------------------------------------------------------------------------------------===//

FusionGraph::FusionGraph(func::FuncOp function) : block(function.getBody().front()) {
  for (Operation &op : block.without_terminator()) {
    if (isa<ced::WeightOp>(op))
      continue;
    Node place = members.size();
    numbers[&op] = place;
    members.push_back(&op);
    parent.push_back(place);
    inside.push_back({place});
    successors.emplace_back();
  }
  for (Operation *op : members)
    connect(op);
  // What passes a value on stays with who made it.
  for (Operation *op : members) {
    if (!passesOn(op))
      continue;
    Operation *producer = op->getOperand(0).getDefiningOp();
    if (!producer || !numbers.contains(producer))
      continue;
    // Nothing else leads to it, so nothing can stand between: looking for it would take most of a fusion's time.
    if (op->getNumOperands() == 1 && !isCache(op->getOperand(0).getType()))
      unite(nodeOf(producer), nodeOf(op));
    else
      merge(nodeOf(producer), nodeOf(op));
  }
}

/// Edges from what the op reads; where it writes a cache in place, from all that read the old value, too.
void FusionGraph::connect(Operation *op) {
  Node place = numbers.lookup(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (producer && numbers.contains(producer))
      successors[numbers.lookup(producer)].insert(place);
    if (!writes(operand))
      continue;
    for (Operation *reader : operand.get().getUsers())
      if (reader != op && numbers.contains(reader) && reader->isBeforeInBlock(op))
        successors[numbers.lookup(reader)].insert(place);
  }
}

//===------------------------------------------------------------------------------------------===//
// Looking
//===------------------------------------------------------------------------------------------===//

Node FusionGraph::find(Node node) const {
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

Node FusionGraph::nodeOf(Operation *op) const { return find(numbers.lookup(op)); }

Node FusionGraph::producer(Value value) const {
  // A phase reads what the kernel around it reads.
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto group = dyn_cast<ced::GroupOp>(argument.getOwner()->getParentOp()))
      return producer(group.getInputs()[argument.getArgNumber()]);
  Operation *op = value.getDefiningOp();
  return op && numbers.contains(op) ? nodeOf(op) : none;
}

std::vector<Node> FusionGraph::consumers(Node node) const {
  llvm::SetVector<Node> result;
  for (Node place : inside[node])
    for (Operation *user : members[place]->getUsers())
      if (numbers.contains(user) && nodeOf(user) != node)
        result.insert(nodeOf(user));
  return {result.begin(), result.end()};
}

std::vector<Node> FusionGraph::successorsOf(Node node) const {
  llvm::SetVector<Node> result;
  for (Node place : inside[node])
    for (Node end : successors[place])
      if (find(end) != node)
        result.insert(find(end));
  return {result.begin(), result.end()};
}

SmallVector<ced::GroupOp> FusionGraph::groups(Node node) const {
  SmallVector<ced::GroupOp> result;
  for (Node place : inside[node]) {
    auto group = dyn_cast<ced::GroupOp>(members[place]);
    if (!group)
      continue;
    if (group.getKernel() == "phases")
      llvm::append_range(result, group.getBody().front().getOps<ced::GroupOp>());
    else
      result.push_back(group);
  }
  return result;
}

SmallVector<Operation *> FusionGraph::ops(Node node) const {
  SmallVector<Operation *> result;
  for (ced::GroupOp group : groups(node))
    for (Operation &op : group.getBody().front().without_terminator())
      result.push_back(&op);
  return result;
}

std::vector<Node> FusionGraph::nodes() const {
  std::vector<Node> result;
  for (Node node : order())
    if (!groups(node).empty())
      result.push_back(node);
  return result;
}

/// A legal order of all nodes, as near to the function's order as there is.
std::vector<Node> FusionGraph::order() const {
  std::vector<llvm::SetVector<Node>> next(members.size());
  std::vector<size_t> waiting(members.size(), 0);
  for (Node place = 0; place < members.size(); ++place)
    for (Node end : successors[place])
      if (find(place) != find(end) && next[find(place)].insert(find(end)))
        ++waiting[find(end)];
  std::priority_queue<Node, std::vector<Node>, std::greater<>> ready;
  for (Node place = 0; place < members.size(); ++place)
    if (find(place) == place && waiting[place] == 0)
      ready.push(place);
  std::vector<Node> result;
  while (!ready.empty()) {
    Node node = ready.top();
    ready.pop();
    result.push_back(node);
    for (Node end : next[node])
      if (--waiting[end] == 0)
        ready.push(end);
  }
  return result;
}

int64_t FusionGraph::layer(Node node) const {
  int64_t last = 0;
  for (ced::GroupOp group : groups(node))
    if (auto layer = group->getAttrOfType<IntegerAttr>(layerAttr))
      last = std::max(last, layer.getInt());
  return last;
}

//===------------------------------------------------------------------------------------------===//
// Merging
//===------------------------------------------------------------------------------------------===//

/// A path of nodes from `from` to `to` that has at least one node between them.
bool FusionGraph::reaches(Node from, Node to) const {
  std::vector<Node> open;
  std::vector<char> seen(members.size(), false);
  auto expand = [&](Node node, bool first) {
    for (Node place : inside[node])
      for (Node end : successors[place]) {
        Node next = find(end);
        if (next == node || (first && next == to))
          continue;
        if (!std::exchange(seen[next], true))
          open.push_back(next);
      }
  };
  expand(from, true);
  while (!open.empty()) {
    Node node = open.back();
    open.pop_back();
    if (node == to)
      return true;
    expand(node, false);
  }
  return false;
}

Node FusionGraph::between(Node a, Node b) const {
  a = find(a), b = find(b);
  if (!reaches(a, b))
    return none;
  for (Node next : successorsOf(a))
    if (next != b && (llvm::is_contained(successorsOf(next), b) || reaches(next, b)))
      return next;
  return none;
}

bool FusionGraph::merge(Node a, Node b, std::string &reason) {
  a = find(a), b = find(b);
  if (a == b)
    return true;
  if (reaches(a, b) || reaches(b, a)) {
    reason = "another kernel has to run between the two";
    return false;
  }
  unite(a, b);
  return true;
}

void FusionGraph::unite(Node a, Node b) {
  Node first = std::min(a, b), second = std::max(a, b);
  parent[second] = first;
  inside[first].insert(inside[first].end(), inside[second].begin(), inside[second].end());
  llvm::sort(inside[first]);
  inside[second].clear();
}

//===------------------------------------------------------------------------------------------===//
// Rewriting
//===------------------------------------------------------------------------------------------===//

/// Phases of phases are phases.
static SmallVector<Operation *> flatten(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> flat;
  for (Operation *op : ops) {
    auto group = dyn_cast<ced::GroupOp>(op);
    if (group && group.getKernel() == "phases")
      flat.append(dissolve(group));
    else
      flat.push_back(op);
  }
  return flat;
}

void FusionGraph::apply() {
  std::vector<std::vector<Operation *>> kernels;
  for (Node node : order()) {
    kernels.emplace_back();
    for (Node place : inside[node])
      kernels.back().push_back(members[place]);
  }
  // First the order, then the groups: an op may move only when all it reads stands before it.
  for (const std::vector<Operation *> &kernel : kernels)
    for (Operation *op : kernel)
      op->moveBefore(block.getTerminator());
  for (const std::vector<Operation *> &kernel : kernels)
    if (llvm::count_if(kernel, [](Operation *op) { return isa<ced::GroupOp>(op); }) > 1)
      formGroup(flatten(kernel), "phases");
}

bool cedilla::isGlue(Operation *op) {
  return isa<ced::QuantizeOp, ced::DequantizeOp, ced::RmsNormOp, ced::ScaleOp, ced::HcCollapseOp, ced::HcExpandOp,
             ced::HcMixOp, ced::HcPostOp, ced::RopeOp, ced::AppendWindowOp, ced::AppendPagedOp, ced::CompressOp,
             ced::CombineOp>(op);
}
