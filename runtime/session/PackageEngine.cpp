//===- PackageEngine.cpp - opening and stepping a package -------------------------------------------===//

#include "runtime/session/PackageEngine.h"

#include "runtime/base/Error.h"

#include <algorithm>

namespace cedilla {

//===------------------------------------------------------------------------------------------===//
// Opening
//===------------------------------------------------------------------------------------------===//

static std::unique_ptr<WeightSource> weightsFor(const Manifest &manifest,
                                                const std::string &modelDir,
                                                const EngineOptions &options) {
  return options.syntheticSeed ? makeSyntheticWeights(*options.syntheticSeed)
                               : openWeights(manifest, modelDir);
}

// The order of the initialisers is the order of cost: nothing is allocated before everything that can be
// refused cheaply has been looked at.
PackageEngine::PackageEngine(std::shared_ptr<const Package> thePackage, Device theDevice,
                             const std::string &modelDir, const EngineOptions &options)
    : package(std::move(thePackage)), device(std::move(theDevice)), options(options),
      check(package->manifest().facts), code(*package, device),
      weights(weightsFor(package->manifest(), modelDir, options)),
      plan(planMemory(package->manifest(), *weights, device, options.engram)), recordings(device) {
  checkMemory(plan, package->manifest(), device);
  code.load();
  buffers.emplace(*package, device, plan, *weights, options.poison);
  placePages();
  if (plan.gathered) {
    gather.emplace(package->manifest(), *weights);
    gather->tellKernels(device, *buffers);
  }
  prepare(prefill, "prefill");
  prepare(decode, "decode");
  prepare(advance, "advance");
}

std::string PackageEngine::describeMemory() const {
  std::string text = "weights " + std::to_string(plan.weights) + " bytes on the device";
  if (plan.mapped)
    text += ", " + std::to_string(plan.mapped) + " in mapped files";
  if (plan.repeated)
    text += ", tables of " + std::to_string(plan.repeated) +
            " stood in for by a part of each, repeated";
  if (uint64_t bytes = buffers->lockedInFile())
    text += ", tables of " + std::to_string(bytes) +
            " read by the device from the page-locked file (zero-copy)";
  if (uint64_t bytes = buffers->lockedCopies())
    text += ", tables of " + std::to_string(bytes) +
            " read by the device from a page-locked copy in host memory (zero-copy)";
  if (plan.gathered)
    text += ", Engram rows gathered by the host into " + std::to_string(plan.gathered) + " bytes (host-gather)";
  return text + "; caches and state " + std::to_string(plan.state) + ", workspace " +
         std::to_string(plan.workspace) + ", other " + std::to_string(plan.other);
}

/// Page tables never change here: each slot owns its pages for the whole session.
void PackageEngine::placePages() {
  std::vector<int32_t> table;
  for (int64_t slot = 0; slot < facts().maxBatch; ++slot)
    for (int64_t n = 0; n < facts().pagesPerSlot(); ++n)
      table.push_back(pageOf(slot, n));
  const auto &infos = package->manifest().buffers;
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].kind == "input" && infos[i].name == "pages")
      device.upload((*buffers)[i], table.data(), table.size() * sizeof(int32_t));
}

void PackageEngine::prepare(ReadyProgram &ready, std::string_view name) {
  ready.info = code.program(name);
  if (!ready.info)
    return;
  for (const StepInfo &info : ready.info->steps) {
    ReadyStep step{&info, info.op == "dispatch" ? code.kernel(info.kernel) : nullptr, {}};
    for (int64_t buffer : info.buffers)
      step.buffers.push_back((*buffers)[buffer]);
    ready.steps.push_back(std::move(step));
  }
}

//===------------------------------------------------------------------------------------------===//
// Slots and pages
//===------------------------------------------------------------------------------------------===//

void PackageEngine::resetSlot(int64_t slot) {
  check.checkSlot(slot);
  const auto &infos = package->manifest().buffers;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].kind != "state" || infos[i].paged)
      continue;
    uint64_t bytes = infos[i].bytes / facts().maxBatch;
    device.fill((*buffers)[i] + slot * bytes, options.poison ? poisonByte : 0, bytes);
  }
  check.reset(slot);
  if (gather)
    gather->reset(slot);
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
    fail(Err::NoProgram, package->path(), ": the package has no program '", wantsDecode ? "decode" : "prefill",
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
  const auto &infos = package->manifest().buffers;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].kind != "input")
      continue;
    for (const Column &column : columns)
      if (column.name == infos[i].name)
        device.upload((*buffers)[i], column.values.data(), column.values.size() * sizeof(int32_t));
  }
}

static std::array<int64_t, 3> blocksOf(const std::vector<GridDim> &grid, int64_t rows) {
  std::array<int64_t, 3> blocks = {1, 1, 1};
  for (size_t i = 0; i < grid.size(); ++i)
    blocks[i] = grid[i].blocks(rows);
  return blocks;
}

/// Phases [firstPhase, endPhase) of a dispatch.
Launch PackageEngine::launchOf(const ReadyStep &step, int64_t rows, int64_t firstPhase, int64_t endPhase) const {
  Launch launch;
  launch.kernel = step.kernel;
  launch.buffers = step.buffers;
  launch.rows = rows;
  launch.name = step.info->name;
  launch.phase = firstPhase;
  launch.grid = blocksOf(firstPhase == 0 ? step.info->grid : step.info->laterGrids[firstPhase - 1], rows);
  for (int64_t phase = firstPhase + 1; phase < endPhase; ++phase)
    launch.laterGrids.push_back(blocksOf(step.info->laterGrids[phase - 1], rows));
  return launch;
}

Launch PackageEngine::launchOf(const ReadyStep &step, int64_t rows) const {
  return launchOf(step, rows, 0, phasesOf(*step.info));
}

void PackageEngine::run(const ReadyStep &step, int64_t rows, int64_t firstPhase, int64_t endPhase) {
  if (firstPhase == endPhase)
    return;
  if (!options.checkEachKernel)
    return device.launch(launchOf(step, rows, firstPhase, endPhase));
  for (int64_t phase = firstPhase; phase < endPhase; ++phase) {
    try {
      device.launch(launchOf(step, rows, phase, phase + 1));
      device.synchronize();
    } catch (const Error &error) {
      const KernelInfo &kernel = package->manifest().kernels[step.info->kernel];
      throw Error(error.number(), error.status(), "kernel '" + kernel.name + "' (" + step.info->name + ", layer " +
                                      std::to_string(step.info->layer) +
                                      (phasesOf(*step.info) > 1 ? ", phase " + std::to_string(phase) : "") +
                                      "): " + error.what());
    }
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

void *PackageEngine::recordingOf(StepKind kind, int64_t rows) {
  return recordings.get(kind, rows, [&] {
    for (const ReadyStep &step : programFor(kind != StepKind::Prefill).steps)
      if (step.kernel)
        device.launch(launchOf(step, rows));
    if (kind == StepKind::DecodeAhead)
      for (const ReadyStep &step : advance.steps)
        device.launch(launchOf(step, rows));
  });
}

void PackageEngine::runAll(bool wantsDecode, int64_t rows, const Observer &observer) {
  if (replays() && !observer)
    return device.replay(recordingOf(wantsDecode ? StepKind::Decode : StepKind::Prefill, rows));
  const std::vector<ReadyStep> &steps = programFor(wantsDecode).steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const ReadyStep &step = steps[i];
    if (step.kernel) {
      // A kernel is cut where somebody wants to look between its phases.
      int64_t done = 0;
      for (; observer && i + 1 < steps.size() && steps[i + 1].info->phase > 0; ++i) {
        int64_t phase = steps[i + 1].info->phase;
        run(step, rows, done, phase);
        observe(steps[i + 1], rows, observer);
        done = phase;
      }
      run(step, rows, done, phasesOf(*step.info));
    } else if (observer) {
      observe(step, rows, observer);
    }
  }
}

void PackageEngine::poisonScratch() {
  if (options.poison)
    device.fill(buffers->workspace(), poisonByte, package->manifest().workspaceBytes);
}

void PackageEngine::gatherRows(const StepRows &rows) {
  if (gather)
    gather->upload(rows, device, *buffers);
}

/// What a step leaves behind on the host, when it has been run.
void PackageEngine::finishStep(const StepRows &rows) {
  check.advance(rows);
  if (gather)
    gather->advance(rows);
}

void PackageEngine::beginStep(const StepRows &rows, bool wantsDecode, size_t logits) {
  programFor(wantsDecode);
  check.check(rows, wantsDecode);
  checkLogitsSize(facts(), rows.size(), logits);
  uploadRows(rows);
  gatherRows(rows);
  poisonScratch();
}

void PackageEngine::endStep(const StepRows &rows, bool wantsDecode, std::span<float> logits) {
  if (!logits.empty())
    device.download(logits.data(), (*buffers)[programFor(wantsDecode).info->logits], logits.size_bytes());
  finishStep(rows);
}

void PackageEngine::step(const StepRows &rows, bool wantsDecode, std::span<float> logits,
                         const Observer &observer) {
  beginStep(rows, wantsDecode, logits.size());
  runAll(wantsDecode, rows.size(), observer);
  endStep(rows, wantsDecode, logits);
}

void PackageEngine::runDispatch(bool wantsDecode, size_t index, int64_t rows) {
  const ReadyStep &step = programFor(wantsDecode).steps[index];
  run(step, rows, 0, phasesOf(*step.info));
}

std::vector<std::byte> PackageEngine::read(size_t buffer, int64_t rows) {
  uint64_t bytes = 0;
  shapeFor(manifest().buffers[buffer], rows, bytes);
  std::vector<std::byte> copy(bytes);
  device.download(copy.data(), (*buffers)[buffer], bytes);
  return copy;
}

std::vector<std::byte> PackageEngine::readWorkspace() {
  std::vector<std::byte> copy(manifest().workspaceBytes);
  device.download(copy.data(), buffers->workspace(), copy.size());
  return copy;
}

void PackageEngine::write(size_t buffer, std::span<const std::byte> bytes) {
  device.upload((*buffers)[buffer], bytes.data(), bytes.size());
}

//===------------------------------------------------------------------------------------------===//
// State
//===------------------------------------------------------------------------------------------===//

/// What the program `advance` keeps is nothing that a model remembers.
static bool isShown(const BufferInfo &buffer) {
  return buffer.kind == "state" && buffer.name != "sampling" && buffer.name != "chosen";
}

std::vector<StateView> PackageEngine::stateShapes() {
  std::vector<StateView> views;
  for (const BufferInfo &buffer : package->manifest().buffers)
    if (isShown(buffer))
      views.push_back({buffer.name, buffer.shape, dtypeOf(buffer.type), nullptr});
  return views;
}

std::vector<StateView> PackageEngine::states() {
  std::vector<StateView> views = stateShapes();
  staging.clear();
  size_t next = 0;
  const auto &infos = package->manifest().buffers;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (!isShown(infos[i]))
      continue;
    if (device.hostMemory()) {
      views[next++].data = reinterpret_cast<void *>((*buffers)[i]);
      continue;
    }
    staging.emplace_back(infos[i].bytes);
    device.download(staging.back().data(), (*buffers)[i], infos[i].bytes);
    views[next++].data = staging.back().data();
  }
  return views;
}

} // namespace cedilla
