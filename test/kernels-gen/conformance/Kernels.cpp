//===- Kernels.cpp - compile the groups of a function, run them in order -----------------------------------===//

#include "test/kernels-gen/conformance/Kernels.h"

#include "compiler/fuse/Passes.h"
#include "compiler/schedule/Passes.h"
#include "compiler/tile/Passes.h"
#include "runtime/base/Error.h"
#include "test/kernels-gen/conformance/Memory.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace cedilla::reference;

namespace cedilla::conformance {

struct Kernels::Kernel {
  ced::GroupOp group;
  std::string name;
  SmallVector<SmallVector<tile::GridAttr>> grids; ///< by phase
  void *function = nullptr; ///< of the device
};

//===------------------------------------------------------------------------------------------===//
// Compiling
//===------------------------------------------------------------------------------------------===//

static void runPasses(ModuleOp module, function_ref<void(PassManager &)> add) {
  PassManager passes(module.getContext());
  add(passes);
  if (failed(passes.run(module)))
    fail(Err::Unnumbered, "the case cannot be compiled");
}

/// A sched.kernel with the group's body, as ced-to-sched makes it.
static void makeKernel(OpBuilder &b, ced::GroupOp group, StringRef name, DictionaryAttr config) {
  auto kernel = sched::KernelOp::create(b, group.getLoc(), name, group.getKernel(), config);
  IRMapping map;
  group.getBody().cloneInto(&kernel.getBody(), map);
  Operation *yield = kernel.getBody().front().getTerminator();
  OpBuilder atYield(yield);
  sched::ResultOp::create(atYield, yield->getLoc(), yield->getOperands());
  yield->erase();
}

Kernels::Kernels(func::FuncOp function, const Target &target, StringRef chip, const Limits &limits, bool printTile)
    : limits(limits), module(ModuleOp::create(function.getLoc())) {
  setLimits(*module, limits);
  OpBuilder::atBlockEnd(module->getBody()).clone(*function);
  runPasses(*module, [](PassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createCedFormGroups());
    passes.addPass(createSchedPlanLimits());
  });
  compile(target, chip, printTile);
}

Kernels::~Kernels() {
  if (loaded)
    device->unloadModule(loaded);
}

void Kernels::compile(const Target &target, StringRef chip, bool printTile) {
  OwningOpRef<ModuleOp> program(ModuleOp::create(module->getLoc()));
  setLimits(*program, limits);
  OpBuilder b = OpBuilder::atBlockEnd(program->getBody());
  auto function = *module->getOps<func::FuncOp>().begin();
  auto config = function->getAttrOfType<DictionaryAttr>("check.config");
  if (!config)
    config = b.getDictionaryAttr({}); // the family chooses
  for (auto group : function.getOps<ced::GroupOp>()) {
    std::string name = (group.getKernel() + "_" + Twine(kernels.size())).str();
    makeKernel(b, group, name, config);
    kernels.push_back({group, name, {}, nullptr});
  }
  SchedSelectConfigsOptions configs{target.name().str(), chip.str()};
  runPasses(*program, [&](PassManager &passes) {
    passes.addPass(createSchedSelectConfigs(configs));
    passes.addPass(createTileBuildKernels());
  });
  if (printTile)
    program->print(llvm::outs());
  for (Kernel &kernel : kernels) {
    SmallVector<StringRef> phases{kernel.name};
    if (auto several = program->lookupSymbol<sched::PhasesOp>(kernel.name))
      phases = llvm::to_vector(llvm::map_range(several.getKernels().getAsRange<FlatSymbolRefAttr>(),
                                               [](FlatSymbolRefAttr name) { return name.getValue(); }));
    for (StringRef phase : phases)
      kernel.grids.push_back(llvm::to_vector(program->lookupSymbol<tile::KernelOp>(phase).getGrid().getAsRange<tile::GridAttr>()));
  }
  FailureOr<CompiledImage> emitted = target.emit(*program, chip);
  if (failed(emitted))
    fail(Err::Unnumbered, "the case cannot be compiled");
  image = std::move(*emitted);
}

void Kernels::load(Device &onto) {
  if (loaded)
    return;
  device = &onto;
  std::string where = "the case's image";
  loaded = device->loadModule(std::as_bytes(std::span(image.bytes)), {}, where);
  for (Kernel &kernel : kernels)
    for (const CompiledKernel &found : image.kernels)
      if (found.name == kernel.name) {
        KernelInfo info;
        info.name = found.name;
        info.symbol = found.symbol;
        info.arenaBytes = found.arenaBytes;
        info.threads = found.threads;
        info.sharedBytes = found.sharedBytes;
        info.phases = kernel.grids.size() > 1 ? kernel.grids.size() : 0;
        kernel.function = device->getKernel(loaded, info, where);
      }
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

/// Of each phase.
static std::vector<std::array<int64_t, 3>> gridsOf(ArrayRef<SmallVector<tile::GridAttr>> phases, int64_t rows) {
  std::vector<std::array<int64_t, 3>> grids;
  for (const SmallVector<tile::GridAttr> &dims : phases) {
    std::array<int64_t, 3> &grid = grids.emplace_back(std::array<int64_t, 3>{1, 1, 1});
    for (auto [i, dim] : llvm::enumerate(dims))
      grid[i] = dim.getRowsPer() ? (rows + dim.getRowsPer() - 1) / dim.getRowsPer() : dim.getValue();
  }
  return grids;
}

void Kernels::forEachDispatch(Memories &memories, const std::vector<HostValue> &arguments,
                              function_ref<void(const Kernel &, const std::vector<size_t> &)> dispatch) const {
  auto function = *module->getOps<func::FuncOp>().begin();
  for (auto [argument, value] : llvm::zip_equal(function.getArguments(), arguments))
    memories.set(argument, value);
  size_t next = 0;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (auto group = dyn_cast<ced::GroupOp>(op))
      dispatch(kernels[next++], memories.bind(group));
    else // marks and reshapes pass on what they get
      memories.alias(op.getResult(0), op.getOperand(0));
  }
}

std::vector<HostValue> Kernels::run(Device &onto, const std::vector<HostValue> &arguments,
                                    const std::vector<HostValue> &like, int64_t rows, bool descending) {
  load(onto);
  Memories memories(onto, limits, rows);
  forEachDispatch(memories, arguments, [&](const Kernel &kernel, const std::vector<size_t> &parts) {
    std::vector<DeviceAddress> buffers = memories.addressesOf(parts);
    Launch launch;
    launch.kernel = kernel.function;
    launch.buffers = buffers;
    launch.rows = rows;
    std::vector<std::array<int64_t, 3>> grids = gridsOf(kernel.grids, rows);
    launch.grid = grids.front();
    launch.laterGrids.assign(grids.begin() + 1, grids.end());
    launch.name = kernel.name;
    launch.descending = descending;
    onto.launch(launch);
    onto.synchronize();
    memories.check(kernel.name);
  });
  return memories.getResults(*module->getOps<func::FuncOp>().begin(), like);
}

Kernels::Recording Kernels::record(const std::vector<HostValue> &arguments, const std::vector<HostValue> &like,
                                   int64_t rows) const {
  Device host = openDevice("cpu");
  Memories memories(host, limits, rows);
  Recording recording;
  forEachDispatch(memories, arguments, [&](const Kernel &kernel, const std::vector<size_t> &parts) {
    auto compiled = llvm::find_if(
        image.kernels, [&](const CompiledKernel &each) { return each.name == kernel.name; });
    recording.dispatches.push_back({&*compiled, parts, gridsOf(kernel.grids, rows)});
  });
  auto function = *module->getOps<func::FuncOp>().begin();
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    recording.results.push_back(memories.partsOf(result));
  recording.kinds = memories.getResults(function, like);
  recording.parts = memories.allParts();
  return recording;
}

} // namespace cedilla::conformance
