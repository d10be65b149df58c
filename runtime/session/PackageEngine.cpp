//===- PackageEngine.cpp - opening and stepping a package -------------------------------------------===//

#include "runtime/session/PackageEngine.h"

#include "runtime/base/Error.h"
#include "runtime/session/Weights.h"

namespace cedilla {

/// All types' NaN, and -1 as an integer.
static constexpr uint8_t poisonByte = 0xFF;

//===------------------------------------------------------------------------------------------===//
// Opening
//===------------------------------------------------------------------------------------------===//

PackageEngine::PackageEngine(std::shared_ptr<const Package> thePackage, Device theDevice,
                             const std::string &modelDir, const EngineOptions &options)
    : package(std::move(thePackage)), device(std::move(theDevice)), options(options),
      check(package->manifest().facts) {
  const Manifest &manifest = package->manifest();
  checkCode();
  checkpoint = std::make_unique<const Checkpoint>(modelDir);
  checkWeights(manifest, *checkpoint);
  plan = planMemory(manifest, *checkpoint, device);
  checkMemory(plan, device);

  std::vector<void *> kernels = loadKernels();
  workspace = allocate(manifest.workspaceBytes, "workspace");
  for (const BufferInfo &buffer : manifest.buffers)
    addresses.push_back(placeBuffer(buffer));
  placePages();
  prepare(prefill, "prefill", kernels);
  prepare(decode, "decode", kernels);
}

PackageEngine::Held::~Held() {
  for (DeviceAddress address : memory)
    device.release(address);
  for (void *module : modules)
    if (module)
      device.unloadModule(module);
}

static std::string objectName(const Package &package, int64_t index) {
  const ObjectInfo &object = package.manifest().objects[index];
  return package.path() + ": object " + std::to_string(index) + " (" + object.target + " " +
         object.chip + ")";
}

void PackageEngine::checkCode() const {
  const Manifest &manifest = package->manifest();
  if (manifest.programs.empty())
    fail(package->path(), ": the package has no program");
  for (const KernelInfo &kernel : manifest.kernels) {
    const ObjectInfo &object = manifest.objects[kernel.object];
    std::string where = objectName(*package, kernel.object);
    if (!device.runs(object.target))
      fail(where, ": device '", device.name(), "' runs target '", device.target(), "'");
    try {
      device.checkChip(object.chip);
    } catch (const Error &error) {
      throw Error(error.status(), where + ": " + error.what());
    }
  }
}

std::vector<void *> PackageEngine::loadKernels() {
  const Manifest &manifest = package->manifest();
  held.modules.resize(manifest.objects.size(), nullptr);
  std::vector<void *> kernels;
  for (const KernelInfo &kernel : manifest.kernels) {
    std::string where = objectName(*package, kernel.object);
    void *&module = held.modules[kernel.object];
    if (!module)
      module = device.loadModule(package->object(kernel.object), where);
    kernels.push_back(device.getKernel(module, kernel, where));
  }
  return kernels;
}

DeviceAddress PackageEngine::allocate(uint64_t bytes, std::string_view what) {
  held.memory.push_back(device.allocate(bytes, what));
  return held.memory.back();
}

DeviceAddress PackageEngine::placeBuffer(const BufferInfo &buffer) {
  if (buffer.kind == "workspace")
    return workspace + buffer.offset;
  if (buffer.kind == "constant" && device.hostMemory())
    return reinterpret_cast<DeviceAddress>(package->constant(buffer).data());
  if (buffer.kind == "weight" && usesMapping(buffer, *checkpoint, device))
    return reinterpret_cast<DeviceAddress>(checkpoint->get(buffer.tensors[0]).data);

  DeviceAddress address = allocate(buffer.bytes, buffer.name);
  if (buffer.kind == "weight")
    copyWeight(buffer, *checkpoint, device, address);
  else if (buffer.kind == "constant")
    device.upload(address, package->constant(buffer).data(), buffer.bytes);
  else if (buffer.kind == "state" && options.poison)
    device.fill(address, poisonByte, buffer.bytes);
  return address;
}

/// Page tables never change here: each slot owns its pages for the whole session.
void PackageEngine::placePages() {
  std::vector<int32_t> table;
  for (int64_t slot = 0; slot < facts().maxBatch; ++slot)
    for (int64_t n = 0; n < facts().pagesPerSlot(); ++n)
      table.push_back(pageOf(slot, n));
  const auto &buffers = package->manifest().buffers;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].kind == "input" && buffers[i].name == "pages")
      device.upload(addresses[i], table.data(), table.size() * sizeof(int32_t));
}

void PackageEngine::prepare(ReadyProgram &ready, std::string_view name,
                            const std::vector<void *> &kernels) {
  for (const ProgramInfo &program : package->manifest().programs) {
    if (program.name != name)
      continue;
    ready.info = &program;
    for (const StepInfo &info : program.steps) {
      ReadyStep step{&info, info.op == "dispatch" ? kernels[info.kernel] : nullptr, {}};
      for (int64_t buffer : info.buffers)
        step.buffers.push_back(addresses[buffer]);
      ready.steps.push_back(std::move(step));
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// Slots and pages
//===------------------------------------------------------------------------------------------===//

void PackageEngine::resetSlot(int64_t slot) {
  check.checkSlot(slot);
  const auto &buffers = package->manifest().buffers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].kind != "state" || buffers[i].paged)
      continue;
    uint64_t bytes = buffers[i].bytes / facts().maxBatch;
    device.fill(addresses[i] + slot * bytes, options.poison ? poisonByte : 0, bytes);
  }
  check.reset(slot);
}

int64_t PackageEngine::pageOf(int64_t slot, int64_t n) const {
  int64_t page = slot * facts().pagesPerSlot() + n;
  return options.pagesFromTop ? facts().maxBatch * facts().pagesPerSlot() - 1 - page : page;
}

//===------------------------------------------------------------------------------------------===//
// A step
//===------------------------------------------------------------------------------------------===//

const PackageEngine::ReadyProgram &PackageEngine::programFor(bool wantsDecode) const {
  const ReadyProgram &program = wantsDecode ? decode : prefill;
  if (!program.info)
    fail(package->path(), ": the package has no program '", wantsDecode ? "decode" : "prefill",
         "'");
  return program;
}

void PackageEngine::uploadRows(const StepRows &rows) {
  struct Column {
    std::string_view name;
    const std::vector<int32_t> &values;
  };
  const Column columns[] = {{"tokens", rows.tokens}, {"kinds", rows.kinds},
                            {"positions", rows.positions}, {"slots", rows.slots},
                            {"starts", rows.starts}};
  const auto &buffers = package->manifest().buffers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].kind != "input")
      continue;
    for (const Column &column : columns)
      if (column.name == buffers[i].name)
        device.upload(addresses[i], column.values.data(), column.values.size() * sizeof(int32_t));
  }
}

static int64_t phasesOf(const StepInfo &dispatch) { return 1 + dispatch.laterGrids.size(); }

static std::array<int64_t, 3> blocksOf(const std::vector<GridDim> &grid, int64_t rows) {
  std::array<int64_t, 3> blocks = {1, 1, 1};
  for (size_t i = 0; i < grid.size(); ++i)
    blocks[i] = grid[i].blocks(rows);
  return blocks;
}

/// Phases [firstPhase, endPhase) of a dispatch.
void PackageEngine::run(const ReadyStep &step, int64_t rows, int64_t firstPhase, int64_t endPhase) {
  if (firstPhase == endPhase)
    return;
  Launch launch;
  launch.kernel = step.kernel;
  launch.buffers = step.buffers;
  launch.rows = rows;
  launch.name = step.info->name;
  std::vector<std::array<int64_t, 3>> grids{blocksOf(step.info->grid, rows)};
  for (const std::vector<GridDim> &later : step.info->laterGrids)
    grids.push_back(blocksOf(later, rows));
  launch.grid = grids[firstPhase];
  launch.laterGrids = std::span(grids).subspan(firstPhase + 1, endPhase - firstPhase - 1);
  launch.phase = firstPhase;
  if (!options.checkEachKernel)
    return device.launch(launch);
  try {
    device.launch(launch);
    device.synchronize();
  } catch (const Error &error) {
    const KernelInfo &kernel = package->manifest().kernels[step.info->kernel];
    throw Error(error.status(), "kernel '" + kernel.name + "' (" + step.info->name + ", layer " +
                                    std::to_string(step.info->layer) + "): " + error.what());
  }
}

static DType dtypeOf(std::string_view type) {
  struct Entry {
    std::string_view name;
    DType type;
  };
  for (const Entry &entry : {Entry{"f32", DType::F32}, {"bf16", DType::BF16}, {"i32", DType::I32},
                             {"i64", DType::I64}})
    if (entry.name == type)
      return entry.type;
  return DType::Bytes;
}

/// The buffer's shape for a step, and its bytes.
static std::vector<int64_t> shapeFor(const BufferInfo &buffer, int64_t rows, uint64_t &bytes) {
  std::vector<int64_t> shape = buffer.shape;
  if (!shape.empty() && shape[0] == -1)
    shape[0] = rows;
  bytes = elementBytes(buffer.type);
  for (int64_t dim : shape)
    bytes *= dim;
  return shape;
}

void PackageEngine::observe(const ReadyStep &step, int64_t rows, const Observer &observer) {
  const BufferInfo &buffer = package->manifest().buffers[step.info->buffers[0]];
  uint64_t bytes = 0;
  MarkView view{step.info->name, step.info->layer, dtypeOf(buffer.type),
                shapeFor(buffer, rows, bytes), nullptr};
  if (device.hostMemory()) {
    view.data = reinterpret_cast<void *>(step.buffers[0]);
    return observer(view);
  }
  std::vector<std::byte> copy(bytes);
  device.download(copy.data(), step.buffers[0], bytes);
  view.data = copy.data();
  observer(view);
  device.upload(step.buffers[0], copy.data(), bytes);
}

void PackageEngine::step(const StepRows &rows, bool wantsDecode, std::span<float> logits,
                         const Observer &observer) {
  const ReadyProgram &program = programFor(wantsDecode);
  check.check(rows, wantsDecode);
  checkLogitsSize(facts(), rows.size(), logits.size());
  uploadRows(rows);
  if (options.poison)
    device.fill(workspace, poisonByte, package->manifest().workspaceBytes);
  const std::vector<ReadyStep> &steps = program.steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const ReadyStep &step = steps[i];
    if (step.kernel) {
      // A kernel is cut where somebody wants to look between its phases.
      int64_t done = 0;
      for (; observer && i + 1 < steps.size() && steps[i + 1].info->phase > 0; ++i) {
        int64_t phase = steps[i + 1].info->phase;
        run(step, rows.size(), done, phase);
        observe(steps[i + 1], rows.size(), observer);
        done = phase;
      }
      run(step, rows.size(), done, phasesOf(*step.info));
    } else if (observer) {
      observe(step, rows.size(), observer);
    }
  }
  device.download(logits.data(), addresses[program.info->logits], logits.size_bytes());
  check.advance(rows);
}

//===------------------------------------------------------------------------------------------===//
// State
//===------------------------------------------------------------------------------------------===//

std::vector<StateView> PackageEngine::stateShapes() {
  std::vector<StateView> views;
  for (const BufferInfo &buffer : package->manifest().buffers)
    if (buffer.kind == "state")
      views.push_back({buffer.name, buffer.shape, dtypeOf(buffer.type), nullptr});
  return views;
}

std::vector<StateView> PackageEngine::states() {
  std::vector<StateView> views = stateShapes();
  staging.clear();
  size_t next = 0;
  const auto &buffers = package->manifest().buffers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].kind != "state")
      continue;
    if (device.hostMemory()) {
      views[next++].data = reinterpret_cast<void *>(addresses[i]);
      continue;
    }
    staging.emplace_back(buffers[i].bytes);
    device.download(staging.back().data(), addresses[i], buffers[i].bytes);
    views[next++].data = staging.back().data();
  }
  return views;
}

} // namespace cedilla
