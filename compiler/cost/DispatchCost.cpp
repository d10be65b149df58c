//===- DispatchCost.cpp - what each dispatch of a program costs -----------------------------------------===//

#include "compiler/cost/DispatchCost.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace cedilla {

namespace {
/// A phase with the names of the buffers it is called with.
struct Part {
  sched::KernelOp kernel;
  SmallVector<StringRef> buffers;
};
} // namespace

static SmallVector<StringRef> namesOf(ArrayAttr buffers) {
  return llvm::map_to_vector(buffers.getAsRange<FlatSymbolRefAttr>(), [](FlatSymbolRefAttr name) { return name.getValue(); });
}

/// The kernels a dispatch runs, in order. One that is no sched.kernel (built already) is left out.
static SmallVector<Part> partsOf(sched::DispatchOp dispatch, SymbolTable &symbols) {
  SmallVector<StringRef> all = namesOf(dispatch.getBuffers());
  Operation *op = symbols.lookup(dispatch.getKernel());
  if (auto kernel = dyn_cast_or_null<sched::KernelOp>(op))
    return {{kernel, all}};
  SmallVector<Part> parts;
  auto phases = dyn_cast_or_null<sched::PhasesOp>(op);
  if (!phases)
    return parts;
  for (auto [name, numbers] : llvm::zip_equal(phases.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                              phases.getArguments().getAsRange<DenseI64ArrayAttr>())) {
    auto kernel = symbols.lookup<sched::KernelOp>(name.getValue());
    if (!kernel)
      continue;
    Part part{kernel, {}};
    for (int64_t number : numbers.asArrayRef())
      part.buffers.push_back(all[number]);
    parts.push_back(part);
  }
  return parts;
}

/// The phase on its own.
static PhaseCost describe(Part &part, const KernelWork &work) {
  PhaseCost phase;
  phase.kernel = part.kernel.getSymName().str();
  phase.family = part.kernel.getFamily().str();
  for (Operation &op : part.kernel.getBody().front().without_terminator())
    phase.ops.push_back(op.getName().stripDialect().str());
  for (auto [name, access] : llvm::zip_equal(part.buffers, work.accesses)) {
    phase.cost.read.add(access.read), phase.cost.written.add(access.written);
    if (!access.read.isZero())
      phase.reads.push_back(name.str());
    if (!access.written.isZero())
      phase.writes.push_back(name.str());
  }
  phase.cost.flops = work.flops;
  phase.cost.pieces = work.pieces;
  return phase;
}

ProgramCosts::ProgramCosts(ModuleOp module, const Limits &limits) : symbols(module), limits(limits) {}

const KernelWork &ProgramCosts::workOf(sched::KernelOp kernel, ArrayRef<StringRef> buffers) {
  auto [entry, isNew] = works.try_emplace(kernel);
  if (isNew) {
    SmallVector<MemRefType> scratch;
    for (StringRef name : buffers.drop_front(std::min(buffers.size(), getMemoryArguments(kernel, limits).size())))
      scratch.push_back(cast<MemRefType>(symbols.lookup<sched::BufferOp>(name).getType()));
    entry->second = cedilla::workOf(kernel, scratch, limits);
  }
  return entry->second;
}

/// Phases on the longest path of phases that touch what an earlier one wrote, or write what it touched.
static int64_t chainOf(ArrayRef<Part> parts, ArrayRef<const KernelWork *> works) {
  SmallVector<int64_t> depth(parts.size(), 1);
  for (size_t later = 0; later < parts.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier)
      for (auto [name, access] : llvm::zip_equal(parts[later].buffers, works[later]->accesses))
        for (auto [other, before] : llvm::zip_equal(parts[earlier].buffers, works[earlier]->accesses))
          if (name == other && (!before.written.isZero() || !access.written.isZero()))
            depth[later] = std::max(depth[later], depth[earlier] + 1);
  return parts.empty() ? 1 : *llvm::max_element(depth);
}

bool ProgramCosts::isOnlyOf(StringRef buffer) const {
  auto op = symbols.lookup<sched::BufferOp>(buffer);
  return op.getKind() == sched::BufferKind::Workspace && dispatchesThatUse.lookup(buffer) == 1;
}

DispatchCost ProgramCosts::costOf(sched::DispatchOp dispatch) {
  DispatchCost result{dispatch, {}, {}};
  Cost &cost = result.cost;
  SmallVector<Part> parts = partsOf(dispatch, symbols);
  SmallVector<const KernelWork *> works;
  for (const Part &part : parts)
    workOf(part.kernel, part.buffers); // first all of them: making room moves them
  llvm::MapVector<StringRef, Access> touched;
  DenseSet<StringRef> readAny;
  for (Part &part : parts) {
    const KernelWork &work = workOf(part.kernel, part.buffers);
    works.push_back(&work);
    for (auto [name, access] : llvm::zip_equal(part.buffers, work.accesses)) {
      Access &sum = touched[name];
      if (!access.read.isZero())
        readAny.insert(name);
      // What an earlier phase has written comes out of the cache.
      if (!sum.written.isZero() && sum.read.isZero())
        cost.inside.add(access.read);
      else
        sum.read.unite(access.read);
      sum.written.unite(access.written);
    }
    for (const auto &[format, amount] : work.flops)
      cost.flops[format].add(amount);
    cost.pieces = cost.pieces == 0 ? work.pieces : std::min(cost.pieces, work.pieces);
    result.phases.push_back(describe(part, work));
  }
  for (auto &[name, access] : touched) {
    // What nobody reads is written all the same.
    bool only = isOnlyOf(name) && readAny.contains(name);
    (only ? cost.inside : cost.read).add(access.read);
    (only ? cost.inside : cost.written).add(access.written);
  }
  cost.chain = chainOf(parts, works);
  return result;
}

std::vector<DispatchCost> ProgramCosts::of(sched::ProgramOp program) {
  dispatchesThatUse.clear();
  for (auto dispatch : program.getBody().front().getOps<sched::DispatchOp>())
    for (StringRef name : llvm::SetVector<StringRef>(llvm::from_range, namesOf(dispatch.getBuffers())))
      ++dispatchesThatUse[name];
  ++dispatchesThatUse[program.getLogits()]; // whoever runs the program reads them
  std::vector<DispatchCost> costs;
  for (auto dispatch : program.getBody().front().getOps<sched::DispatchOp>())
    costs.push_back(costOf(dispatch));
  return costs;
}

Cost readCost(sched::DispatchOp dispatch) {
  Cost cost;
  auto dict = dispatch->getAttrOfType<DictionaryAttr>(costAttr);
  if (!dict)
    return cost;
  auto amount = [](DictionaryAttr dict, StringRef name) {
    auto text = dict.getAs<StringAttr>(name);
    return text ? parseAmount(text.getValue().str()) : Amount();
  };
  auto number = [&](StringRef name, int64_t otherwise) {
    auto value = dict.getAs<IntegerAttr>(name);
    return value ? value.getInt() : otherwise;
  };
  cost.read = amount(dict, "read"), cost.written = amount(dict, "written"), cost.inside = amount(dict, "inside");
  cost.chain = number("chain", 1), cost.pieces = number("pieces", 0);
  if (auto flops = dict.getAs<DictionaryAttr>("flops"))
    for (NamedAttribute each : flops)
      cost.flops[each.getName().str()] = amount(flops, each.getName());
  return cost;
}

} // namespace cedilla
