//===- Phases.cpp - entry points of kernels of several phases ---------------------------------===//
//
// Blocks hand over through one counter per stage but the last, in the image's global memory. Block 0
// adds 2^31 - (blocks - 1), the others 1: when all have arrived the top bit has changed and the rest
// is what it was. So nobody resets a counter, and the grid may have another size in each launch.
// A block reads the bit it waits to change when it arrives, hence behind the wait for its
// predecessor, which may have been the same kernel.
//
// Nobody waits for a block that does not run: the runtime asks the driver how many are resident at
// once. A launch of one phase waits for nothing.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Phases.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

#include <algorithm>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

static constexpr uint32_t topBit = 1u << 31;
static constexpr StringLiteral scope = "device"; ///< who sees what is handed over

SmallVector<Type> nvptx::phaseParameters(Code &code) {
  return {code.i32(), code.i32(), code.i32(), code.pointer(1), code.i32(), code.i32()};
}

std::string nvptx::phaseFunctionName(StringRef kernel) { return (kernel + ".phase").str(); }

void nvptx::spin(Code &code, const PhaseGate &gate) {
  OpBuilder &b = code.b;
  auto loop = scf::WhileOp::create(b, code.loc, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Value now = LLVM::LoadOp::create(b, code.loc, code.i32(), gate.counter, /*alignment=*/4,
                                   /*isVolatile=*/false, /*isNonTemporal=*/false,
                                   /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                   LLVM::AtomicOrdering::acquire, scope);
  Value same = code.equal(code.andBits(code.xorBits(now, gate.sense), topBit), 0);
  scf::ConditionOp::create(b, code.loc, same, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b, code.loc);
}

//===------------------------------------------------------------------------------------------===//
// What runs at the same time
//===------------------------------------------------------------------------------------------===//

namespace {
struct Footprint {
  llvm::SmallSet<int64_t, 8> uses, writes; ///< buffers of the dispatch
};
} // namespace

static SmallVector<Value> written(Operation *op) {
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return {store.getMemory()};
  if (auto scatter = dyn_cast<tile::ScatterOp>(op))
    return {scatter.getMemory()};
  if (auto select = dyn_cast<tile::SelectTopkOp>(op))
    return {select.getOut()};
  return {};
}

static Footprint footprintOf(tile::KernelOp kernel, ArrayRef<int64_t> buffers) {
  Footprint result;
  result.uses.insert(buffers.begin(), buffers.end());
  kernel.walk([&](Operation *op) {
    for (Value memory : written(op))
      result.writes.insert(buffers[cast<BlockArgument>(memory).getArgNumber()]);
  });
  return result;
}

static bool conflict(const Footprint &a, const Footprint &b) {
  auto meets = [](const auto &writes, const auto &uses) {
    return llvm::any_of(writes, [&](int64_t buffer) { return uses.contains(buffer); });
  };
  return meets(a.writes, b.uses) || meets(b.writes, a.uses);
}

namespace {
/// Deals phases out to stages.
class Stages {
public:
  explicit Stages(SmallVector<Footprint> footprints) : footprints(std::move(footprints)) {}
  SmallVector<Stage> build();

private:
  bool meet(unsigned a, unsigned b) const { return conflict(footprints[a], footprints[b]); }
  SmallVector<unsigned> latest() const;
  bool chain(ArrayRef<Stage> before, Stage &stage) const;

  SmallVector<Footprint> footprints;
};
} // namespace

/// The last stage for each phase: one before the first that holds a later phase which has to come behind it.
SmallVector<unsigned> Stages::latest() const {
  unsigned count = footprints.size(), depth = 0;
  SmallVector<unsigned> first(count, 0);
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned j = 0; j < i; ++j)
      if (meet(j, i))
        first[i] = std::max(first[i], first[j] + 1);
    depth = std::max(depth, first[i]);
  }
  SmallVector<unsigned> last(count, depth);
  for (unsigned i = count; i-- > 0;)
    for (unsigned j = i + 1; j < count; ++j)
      if (meet(i, j))
        last[i] = std::min(last[i], last[j] - 1);
  return last;
}

/// Whether the stages `before`, which run without a hand-over between them, and `stage` meet in one phase of each at most; puts that
/// one first.
bool Stages::chain(ArrayRef<Stage> before, Stage &stage) const {
  llvm::SmallSetVector<unsigned, 4> later;
  for (const Stage &other : before)
    for (unsigned a : other.phases)
      for (unsigned b : stage.phases)
        if (meet(a, b)) {
          later.insert(b);
          if (a != other.phases.front())
            return false;
        }
  if (later.size() != 1)
    return false;
  auto *place = llvm::find(stage.phases, later.front());
  std::rotate(stage.phases.begin(), place, place + 1);
  return true;
}

SmallVector<Stage> Stages::build() {
  SmallVector<Stage> stages;
  for (auto [phase, stage] : llvm::enumerate(latest())) {
    stages.resize(std::max<size_t>(stages.size(), stage + 1));
    stages[stage].phases.push_back(phase);
  }
  size_t run = 0;
  for (size_t s = 1; s < stages.size(); ++s) {
    // The first stage of a run may still choose which of its phases comes first.
    Stage &opens = stages[run];
    if (s == run + 1)
      for (unsigned phase : opens.phases)
        if (llvm::any_of(stages[s].phases, [&](unsigned later) { return meet(phase, later); })) {
          std::rotate(opens.phases.begin(), llvm::find(opens.phases, phase), llvm::find(opens.phases, phase) + 1);
          break;
        }
    stages[s].chained = chain(ArrayRef(stages).slice(run, s - run), stages[s]);
    run = stages[s].chained ? run : s;
  }
  return stages;
}

SmallVector<Stage> nvptx::stagesOf(sched::PhasesOp phases) {
  SmallVector<Footprint> footprints;
  for (auto [name, buffers] : llvm::zip(phases.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                        phases.getArguments().getAsRange<DenseI64ArrayAttr>()))
    footprints.push_back(footprintOf(SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(phases, name), buffers));
  return Stages(std::move(footprints)).build();
}

//===------------------------------------------------------------------------------------------===//
// The entry
//===------------------------------------------------------------------------------------------===//

namespace {
/// A phase as its entry knows it.
struct Phase {
  LLVM::LLVMFuncOp function;
  SmallVector<Value> buffers;
  int64_t threads;
  Value blocks[3], count; ///< i32; `count` is 0 where the launch leaves the phase out
  Value runs;             ///< i1: the launch does not leave it out
};

class Entry {
public:
  Entry(sched::PhasesOp phases, const Chip &chip, gpu::GPUModuleOp module)
      : phases(phases), chip(chip), module(module), b(phases.getContext()), code(b, phases.getLoc()) {
    b.setInsertionPointToEnd(module.getBody());
  }
  void build(ArrayRef<Stage> stages);

private:
  LLVM::LLVMFuncOp create(size_t stages);
  void findPhases(LLVM::LLVMFuncOp function);
  Value runStage(ArrayRef<unsigned> stage, PhaseGate gate);
  Value isCrossed(ArrayRef<Stage> stages, size_t boundary);
  Value isChain(ArrayRef<Stage> stages, size_t boundary);
  void runBlock(Phase &phase, Value block, PhaseGate gate);
  Value here(Value value);
  Value arrive(Value counter);
  void wait() {
    if (!chip.dependentLaunch)
      return;
    NVVM::GriddepcontrolOp::create(b, code.loc, NVVM::GridDepActionKind::wait);
    // As in a kernel of one phase (Dependent.cpp); once more does nothing.
    NVVM::GriddepcontrolOp::create(b, code.loc, NVVM::GridDepActionKind::launch_dependents);
  }
  Value null() { return LLVM::ZeroOp::create(b, code.loc, code.pointer(1)); }
  Value before(Value x, int64_t y) { return code.less(x, code.constant(y)); }

  sched::PhasesOp phases;
  const Chip &chip;
  gpu::GPUModuleOp module;
  OpBuilder b;
  Code code;
  SmallVector<Phase> parts;
  LLVM::GlobalOp counters;
  Value thread, own, size;      ///< thread, own block, blocks of the grid; i32
  Value rows, first, end; ///< parameters
};
} // namespace

LLVM::LLVMFuncOp Entry::create(size_t stages) {
  int64_t threads = 0, shared = 0;
  for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>()) {
    Phase part;
    part.function = module.lookupSymbol<LLVM::LLVMFuncOp>(phaseFunctionName(name.getValue()));
    part.threads = part.function->getAttrOfType<IntegerAttr>(threadsAttr).getInt();
    threads = std::max(threads, part.threads);
    if (auto bytes = part.function->getAttrOfType<IntegerAttr>(sharedBytesAttr))
      shared = std::max(shared, bytes.getInt());
    parts.push_back(part);
  }
  SmallVector<Type> types(phases.getNumBuffers(), code.pointer(1));
  types.push_back(code.i64());
  types.append(2 + 3 * parts.size(), code.i32());
  std::string name = phases.getSymName().str();
  if (stages > 1) {
    auto array = LLVM::LLVMArrayType::get(code.i32(), stages - 1);
    counters = LLVM::GlobalOp::create(b, code.loc, array, /*isConstant=*/false,
                                      LLVM::Linkage::Internal, name + ".arrived",
                                      b.getZeroAttr(RankedTensorType::get(int64_t(stages - 1), code.i32())),
                                      /*alignment=*/4, /*addrSpace=*/1);
  }
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), types);
  auto function = LLVM::LLVMFuncOp::create(b, code.loc, name, type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    b.getDenseI32ArrayAttr({static_cast<int32_t>(threads)}));
  function->setAttr(sharedBytesAttr, b.getI64IntegerAttr(shared));
  return function;
}

/// Gives the parameters their names.
void Entry::findPhases(LLVM::LLVMFuncOp function) {
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  thread = NVVM::ThreadIdXOp::create(b, code.loc, code.i32());
  own = NVVM::BlockIdXOp::create(b, code.loc, code.i32());
  size = NVVM::GridDimXOp::create(b, code.loc, code.i32());
  ArrayRef<BlockArgument> parameters = entry->getArguments();
  auto rest = parameters.drop_front(phases.getNumBuffers());
  rows = rest[0], first = rest[1], end = rest[2];
  rest = rest.drop_front(3);
  for (auto [i, list] : llvm::enumerate(phases.getArguments().getAsRange<DenseI64ArrayAttr>())) {
    Phase &part = parts[i];
    for (int64_t buffer : list.asArrayRef())
      part.buffers.push_back(parameters[buffer]);
    for (int dim = 0; dim < 3; ++dim)
      part.blocks[dim] = rest[3 * i + dim];
    Value all = code.mul(code.mul(part.blocks[0], part.blocks[1]), part.blocks[2]);
    part.runs = code.both(before(first, i + 1), code.less(code.constant(i), end));
    part.count = code.select(part.runs, all, code.constant(0));
  }
}

void Entry::runBlock(Phase &part, Value block, PhaseGate gate) {
  auto [x, y, z] = part.blocks;
  SmallVector<Value> arguments(part.buffers);
  Value line = arith::DivUIOp::create(b, code.loc, block, x);
  arguments.push_back(rows);
  arguments.push_back(arith::RemUIOp::create(b, code.loc, block, x));
  arguments.push_back(arith::RemUIOp::create(b, code.loc, line, y));
  arguments.push_back(arith::DivUIOp::create(b, code.loc, line, y));
  arguments.append({gate.counter, gate.sense, here(thread)});
  code.when(before(thread, part.threads),
            [&] { LLVM::CallOp::create(b, code.loc, part.function, arguments); });
}

/// The value as if it were made here. What phases compute from their thread would otherwise be computed
/// ahead of all of them, and no registers would be left.
Value Entry::here(Value value) {
  return LLVM::InlineAsmOp::create(b, code.loc, code.i32(), ValueRange{value}, "mov.u32 $0, $1;", "=r,r",
                                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

/// Only the first block of the stage that this one runs has to wait at the gate. Returned: the counter, null if that has been done.
Value Entry::runStage(ArrayRef<unsigned> stage, PhaseGate gate) {
  Value total = parts[stage.front()].count;
  for (unsigned i : stage.drop_front())
    total = code.add(total, parts[i].count);
  auto loop = scf::ForOp::create(b, code.loc, own, total, size, ValueRange{gate.counter});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  gate.counter = loop.getRegionIterArg(0);
  Value block = loop.getInductionVar();
  for (unsigned i : stage) {
    Phase &part = parts[i];
    Value inside = code.compare(arith::CmpIPredicate::ult, block, part.count);
    code.when(inside, [&] { runBlock(part, block, gate); });
    block = code.sub(block, part.count); // of an earlier phase: no number of a block any more
  }
  code.barrier(); // the next one uses the same shared memory
  scf::YieldOp::create(b, code.loc, null());
  return loop.getResult(0);
}

/// Whether phases on both sides of the boundary in front of stage `boundary` run in this launch.
Value Entry::isCrossed(ArrayRef<Stage> stages, size_t boundary) {
  auto any = [&](ArrayRef<Stage> side) {
    Value runs;
    for (const Stage &stage : side)
      for (unsigned i : stage.phases)
        runs = runs ? code.orBits(runs, parts[i].runs) : parts[i].runs;
    return runs;
  };
  return code.both(any(stages.take_front(boundary)), any(stages.drop_front(boundary)));
}

/// Whether block 0 does both sides of it, one after the other. Null: never.
Value Entry::isChain(ArrayRef<Stage> stages, size_t boundary) {
  if (!stages[boundary].chained)
    return {};
  auto single = [&](const Stage &stage) { return code.equal(parts[stage.phases.front()].count, 1); };
  return code.both(single(stages[boundary - 1]), single(stages[boundary]));
}

/// The top bit before all have arrived, in the thread that will look at it.
Value Entry::arrive(Value counter) {
  wait();
  code.barrier();
  auto yes = [&]() -> SmallVector<Value> {
    Value others = code.sub(code.constant(topBit + 1), size);
    Value step = code.select(code.equal(own, 0), others, code.constant(1));
    Value old = LLVM::AtomicRMWOp::create(b, code.loc, LLVM::AtomicBinOp::add, counter, step,
                                          LLVM::AtomicOrdering::acq_rel, scope);
    return {code.andBits(old, topBit)};
  };
  auto no = [&]() -> SmallVector<Value> { return {code.constant(0)}; };
  return code.choose(code.equal(thread, 0), yes, no).front();
}

void Entry::build(ArrayRef<Stage> stages) {
  LLVM::LLVMFuncOp function = create(stages.size());
  findPhases(function);
  PhaseGate gate{null(), code.constant(0)};
  for (size_t s = 0; s < stages.size(); ++s) {
    Value left = runStage(stages[s].phases, gate);
    if (s + 1 == stages.size())
      break;
    Value address = code.at(LLVM::AddressOfOp::create(b, code.loc, counters), 4 * int64_t(s));
    auto arrives = [&]() -> SmallVector<Value> { return {address, arrive(address)}; };
    auto passes = [&]() -> SmallVector<Value> { return {left, gate.sense}; };
    Value chain = isChain(stages, s + 1);
    Value hands = code.both(isCrossed(stages, s + 1), chain ? code.equal(chain, 0) : Value());
    SmallVector<Value> found = code.choose(hands, arrives, passes);
    gate = {found[0], found[1]};
  }
  wait();
  LLVM::ReturnOp::create(b, code.loc, ValueRange());
}

void nvptx::buildPhases(sched::PhasesOp phases, ArrayRef<Stage> stages,
                        const Chip &chip, gpu::GPUModuleOp module) {
  Entry(phases, chip, module).build(stages);
}
