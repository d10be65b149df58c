//===- BuildPackage.cpp - the package phase ---------------------------------------------------------===//
//
// Reads each module top to bottom: buffers, kernels, objects, programs become the lists of the manifest,
// symbols become indices. Modules of several chips come from one graph: they share everything but code,
// programs and scratch.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/package/BuildPackage.h"

#include "compiler/cost/DispatchCost.h"
#include "compiler/cost/Predict.h"
#include "compiler/import/BuildGraph.h"
#include "compiler/import/Origin.h"
#include "compiler/schedule/DescribeBuffer.h"
#include "compiler/schedule/Passes.h"
#include "dialects/sched/Sched.h"
#include "dialects/tile/Tile.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/package/Package.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cedilla {

namespace {
class PackageBuilder {
public:
  /// `several`: more than one module will be added.
  PackageBuilder(bool several, const BenchInfo &bench) : several(several) { manifest.bench = bench; }

  LogicalResult add(ModuleOp module);
  void write(const std::string &path) { writePackage(path, manifest, std::as_bytes(std::span(objects)), {}); }

private:
  LogicalResult addBuffer(sched::BufferOp buffer);
  void addObject(sched::ObjectOp object);
  LogicalResult addKernel(Operation *kernel, StringRef reproducibility, Attribute config);
  LogicalResult addKernels();
  void addProgram(sched::ProgramOp program);
  StepInfo dispatchStep(sched::DispatchOp dispatch);
  std::vector<double> predictedSteps(sched::ProgramOp program);

  bool several;
  Manifest manifest;
  std::vector<char> objects;
  llvm::StringMap<int64_t> shared; ///< buffers of all modules but scratch

  // Of the module being added.
  ModuleOp module;
  Limits limits;
  int64_t firstObject = 0;
  llvm::StringMap<int64_t> bufferIndex, kernelIndex;
  llvm::StringMap<SmallVector<tile::KernelOp>> phasesOf; ///< by kernel: itself, or its phases
};
} // namespace

static std::string typeName(Type type) {
  if (type.isF32()) return "f32";
  if (type.isBF16()) return "bf16";
  if (type.isInteger(64)) return "i64";
  return type.isInteger(32) ? "i32" : "i8";
}

static std::vector<int64_t> shapeOf(Type type) {
  std::vector<int64_t> shape;
  for (int64_t dim : cast<MemRefType>(type).getShape())
    shape.push_back(ShapedType::isDynamic(dim) ? -1 : dim);
  return shape;
}

/// A name that the manifest does not know is left out; `what` alone says that numbers are there.
static HoldsInfo holdsOf(DictionaryAttr facts) {
  HoldsInfo info;
  if (auto what = facts.getAs<StringAttr>("what"))
    info.what = what.str();
  struct Field {
    StringRef name;
    int64_t &value;
  };
  for (const Field &field : {Field{"ratio", info.ratio}, {"block", info.block}, {"count", info.count},
                             {"window", info.window}, {"ring", info.ring}})
    if (auto number = facts.getAs<IntegerAttr>(field.name))
      field.value = number.getInt();
  return info;
}

LogicalResult PackageBuilder::addBuffer(sched::BufferOp buffer) {
  BufferInfo info;
  auto type = cast<MemRefType>(buffer.getType());
  info.name = buffer.getSymName().str();
  info.kind = sched::stringifyBufferKind(buffer.getKind()).str();
  info.type = typeName(type.getElementType());
  info.shape = shapeOf(type);
  info.bytes = sched::getBufferBytes(type, limits.maxRows);
  info.paged = buffer.getPaged();
  info.offset = buffer.getOffset().value_or(0);
  if (auto tensors = buffer.getTensors())
    for (StringRef name : tensors->getAsValueRange<StringAttr>())
      info.tensors.push_back(name.str());
  info.dtype = buffer.getTensorDtype().value_or("").str();
  if (auto shape = buffer.getTensorShape())
    info.tensorShape.assign(shape->begin(), shape->end());
  info.byRow = buffer->hasAttr("sched.by_row");
  if (auto value = buffer->getAttrOfType<StringAttr>(valueAttr))
    info.value = value.str();
  if (auto holds = buffer->getAttrOfType<DictionaryAttr>(holdsAttr))
    info.holds = holdsOf(holds);
  bool scratch = buffer.getKind() == sched::BufferKind::Workspace;
  auto [entry, isNew] = shared.try_emplace(info.name, manifest.buffers.size());
  if (scratch || isNew) {
    bufferIndex[info.name] = manifest.buffers.size();
    manifest.buffers.push_back(info);
    return success();
  }
  const BufferInfo &first = manifest.buffers[entry->second];
  if (nlohmann::json(first) != nlohmann::json(info))
    return buffer.emitOpError("expected the buffer that the package's first target has, ")
           << nlohmann::json(first).dump() << ", got " << nlohmann::json(info).dump();
  bufferIndex[info.name] = entry->second;
  return success();
}

void PackageBuilder::addObject(sched::ObjectOp object) {
  // Images start at a multiple of 64 bytes.
  objects.resize((objects.size() + 63) / 64 * 64);
  ObjectInfo info;
  info.target = object.getTarget().str();
  info.chip = object.getChip().str();
  info.offset = objects.size();
  info.bytes = object.getData().size();
  if (auto toolkit = object->getAttrOfType<IntegerAttr>("sched.toolkit"))
    info.toolkit = toolkit.getInt();
  objects.insert(objects.end(), object.getData().begin(), object.getData().end());
  manifest.objects.push_back(info);
}

static std::vector<GridDim> gridOf(tile::KernelOp kernel) {
  std::vector<GridDim> grid;
  for (auto dim : kernel.getGrid().getAsRange<tile::GridAttr>())
    grid.push_back({dim.getValue(), dim.getRowsPer()});
  return grid;
}

LogicalResult PackageBuilder::addKernel(Operation *kernel, StringRef reproducibility, Attribute config) {
  StringAttr name = SymbolTable::getSymbolName(kernel);
  int64_t number = firstObject;
  for (auto object : module.getOps<sched::ObjectOp>()) {
    auto compiled = object.getKernels().getAs<DictionaryAttr>(name);
    if (!compiled) {
      ++number;
      continue;
    }
    for (StringRef key : {"arena", "threads", "shared"})
      if (!compiled.getAs<IntegerAttr>(key))
        return object.emitOpError("expected an integer '") << key << "' for kernel " << name << ", got " << compiled;
    if (!compiled.getAs<StringAttr>("symbol"))
      return object.emitOpError("expected a 'symbol' for kernel ") << name << ", got " << compiled;
    auto value = [&](StringRef name) { return compiled.getAs<IntegerAttr>(name).getInt(); };
    KernelInfo info;
    info.name = name.str();
    info.symbol = compiled.getAs<StringAttr>("symbol").str();
    info.object = number;
    info.arenaBytes = value("arena");
    info.threads = value("threads");
    info.sharedBytes = value("shared");
    if (auto dependent = compiled.getAs<BoolAttr>("dependent")) // absent in IR of older compilers
      info.dependent = dependent.getValue();
    if (auto registers = compiled.getAs<IntegerAttr>("registers")) // so are these
      info.registers = registers.getInt();
    if (auto spills = compiled.getAs<IntegerAttr>("spills"))
      info.spillBytes = spills.getInt();
    info.reproducibility = reproducibility.str();
    llvm::raw_string_ostream(info.config) << config;
    kernelIndex[info.name] = manifest.kernels.size();
    manifest.kernels.push_back(info);
    return success();
  }
  return kernel->emitOpError("expected an object that holds it");
}

/// Kernels that a dispatch names. One of phases keeps the weakest promise of its phases.
LogicalResult PackageBuilder::addKernels() {
  llvm::StringSet<> dispatched;
  module.walk([&](sched::DispatchOp dispatch) { dispatched.insert(dispatch.getKernel()); });
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    phasesOf[kernel.getSymName()] = {kernel};
    if (dispatched.contains(kernel.getSymName()) &&
        failed(addKernel(kernel, kernel.getReproducibility(), kernel.getConfig())))
      return failure();
  }
  constexpr StringLiteral weakestFirst[] = {"run", "batch", "phase"};
  for (auto phases : module.getOps<sched::PhasesOp>()) {
    SmallVector<tile::KernelOp> kernels;
    SmallVector<Attribute> configs;
    for (auto name : phases.getKernels().getAsRange<FlatSymbolRefAttr>()) {
      kernels.append(phasesOf.lookup(name.getValue()));
      configs.push_back(kernels.back().getConfig());
    }
    auto weakest = llvm::min_element(kernels, [&](tile::KernelOp a, tile::KernelOp b) {
      return llvm::find(weakestFirst, a.getReproducibility()) < llvm::find(weakestFirst, b.getReproducibility());
    });
    phasesOf[phases.getSymName()] = kernels;
    if (dispatched.contains(phases.getSymName()) &&
        failed(addKernel(phases, weakest->getReproducibility(), ArrayAttr::get(module.getContext(), configs))))
      return failure();
  }
  return success();
}

StepInfo PackageBuilder::dispatchStep(sched::DispatchOp dispatch) {
  StepInfo step;
  step.op = "dispatch";
  step.kernel = kernelIndex.lookup(dispatch.getKernel());
  const SmallVector<tile::KernelOp> &phases = phasesOf[dispatch.getKernel()];
  step.grid = gridOf(phases.front());
  for (tile::KernelOp later : ArrayRef(phases).drop_front())
    step.laterGrids.push_back(gridOf(later));
  for (Attribute buffer : dispatch.getBuffers())
    step.buffers.push_back(bufferIndex.lookup(cast<FlatSymbolRefAttr>(buffer).getValue()));
  // The verifier has compared every dispatch with its kernel.
  manifest.kernels[step.kernel].buffers = static_cast<int64_t>(step.buffers.size());
  if (phases.size() > 1)
    manifest.kernels[step.kernel].phases = static_cast<int64_t>(phases.size());
  step.name = dispatch.getWhat().str();
  step.layer = dispatch.getLayer();
  step.cost = readCost(dispatch);
  return step;
}

/// What the cost model expects of the steps that the package was made to measure, where it knows the chip.
std::vector<double> PackageBuilder::predictedSteps(sched::ProgramOp program) {
  const ObjectInfo &object = manifest.objects[firstObject];
  const Chip *chip = findChip(object.target, object.chip);
  const BenchInfo &bench = manifest.bench;
  std::vector<double> seconds;
  if (!chip || chip->rates.bytes == 0)
    return seconds;
  if (program.getSymName() == "prefill" && bench.prefill)
    seconds.push_back(expectedSeconds(program, {bench.prefill, 1, bench.context + bench.prefill}, chip->rates));
  if (program.getSymName() == "decode" && !bench.prefill)
    for (int64_t batch : bench.batches)
      seconds.push_back(expectedSeconds(program, {batch, batch, bench.context + 1}, chip->rates));
  return seconds;
}

void PackageBuilder::addProgram(sched::ProgramOp program) {
  ProgramInfo info;
  info.name = program.getSymName().str();
  info.logits = bufferIndex.lookup(program.getLogits());
  // A package for one chip leaves it to the objects, as packages have from the first version on.
  if (several)
    info.target = manifest.objects[firstObject].target, info.chip = manifest.objects[firstObject].chip;
  for (Operation &op : program.getBody().front()) {
    if (auto dispatch = dyn_cast<sched::DispatchOp>(op))
      info.steps.push_back(dispatchStep(dispatch));
    if (auto mark = dyn_cast<sched::MarkOp>(op)) {
      StepInfo step;
      step.op = "mark";
      step.name = mark.getName().str();
      step.layer = mark.getLayer();
      step.buffers = {bufferIndex.lookup(mark.getBuffer())};
      step.phase = mark.getPhase().value_or(0);
      info.steps.push_back(step);
    }
  }
  info.predicted = predictedSteps(program);
  if (auto contract = program->getAttrOfType<DictionaryAttr>(contractAttr))
    for (NamedAttribute mode : contract)
      if (auto list = dyn_cast<ArrayAttr>(mode.getValue()))
        info.contract[mode.getName().str()] = list.size();
  manifest.programs.push_back(info);
}

LogicalResult PackageBuilder::add(ModuleOp newModule) {
  module = newModule;
  FailureOr<Limits> found = getLimits(module);
  if (failed(found))
    return failure();
  limits = *found;
  firstObject = manifest.objects.size();
  bufferIndex.clear(), kernelIndex.clear(), phasesOf.clear();
  manifest.compiler = "cedilla 0.1.0";
  manifest.facts = factsOf(module);
  manifest.sources = sourcesOf(module);
  manifest.engram = engramOf(module);
  if (auto departs = module->getAttrOfType<StringAttr>(kDepartsAttr))
    manifest.departs = departs.getValue();
  if (auto bytes = module->getAttrOfType<IntegerAttr>("sched.workspace_bytes"))
    manifest.workspaceBytes = std::max<uint64_t>(manifest.workspaceBytes, bytes.getInt());
  for (auto buffer : module.getOps<sched::BufferOp>())
    if (failed(addBuffer(buffer)))
      return failure();
  for (auto object : module.getOps<sched::ObjectOp>())
    addObject(object);
  if (failed(addKernels()))
    return failure();
  for (auto program : module.getOps<sched::ProgramOp>())
    addProgram(program);
  return success();
}

LogicalResult buildPackage(ArrayRef<ModuleOp> modules, const BenchInfo &bench, const std::string &path) {
  PackageBuilder builder(modules.size() > 1, bench);
  for (ModuleOp module : modules)
    if (failed(builder.add(module)))
      return failure();
  builder.write(path);
  return success();
}

} // namespace cedilla
