//===- Save.cpp - cases as a package that ced-bench replays --------------------------------------------------===//

#include "test/kernels-gen/conformance/Save.h"

#include "runtime/package/Layout.h"
#include "test/kernels-gen/conformance/Rows.h"
#include "tools/ced-bench/Inputs.h"
#include "tools/ced-bench/Values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace mlir;

namespace cedilla::conformance {

static constexpr size_t smallestGenerated = 1 << 12;
/// Cases are carried to other machines: of large ones only the first is kept.
static constexpr size_t largestCase = 1 << 19;

static void append(std::vector<std::byte> &section, std::span<const std::byte> bytes) {
  section.resize(llvm::alignTo(section.size(), layout::alignment));
  section.insert(section.end(), bytes.begin(), bytes.end());
}

Saver::Saver() {
  ModelFacts &facts = manifest.facts;
  facts.arch = "replay";
  facts.vocab = facts.hidden = facts.streams = facts.page = facts.maxContext = facts.maxBatch = facts.maxRows = 1;
  facts.headDim = facts.indexHeadDim = facts.indexTopk = 1;
  facts.candidateBlocks = facts.candidateBlockSize = facts.expertsPerToken = 1;
  BufferInfo none; // every program must name logits; these have none
  none.name = "logits", none.kind = "workspace", none.type = "f32", none.shape = {-1, 1};
  none.bytes = manifest.workspaceBytes = sizeof(float);
  manifest.buffers.push_back(none);
}

int64_t Saver::addBuffer(BufferInfo buffer, uint64_t bytes) {
  buffer.type = "i8";
  buffer.bytes = std::max<uint64_t>(bytes, 1);
  buffer.shape = {int64_t(buffer.bytes)};
  manifest.buffers.push_back(std::move(buffer));
  return int64_t(manifest.buffers.size()) - 1;
}

int64_t Saver::addConstant(const std::string &name, const std::vector<uint8_t> &contents) {
  std::span<const std::byte> bytes = std::as_bytes(std::span(contents));
  auto [place, isNew] = places.try_emplace({layout::hash(bytes), bytes.size()}, 0);
  if (isNew) {
    append(constants, bytes);
    place->second = constants.size() - bytes.size();
    if (bytes.empty())
      constants.resize(constants.size() + 1); // a buffer has at least one byte
  }
  BufferInfo buffer;
  buffer.name = name, buffer.kind = "constant", buffer.offset = place->second;
  return addBuffer(std::move(buffer), bytes.size());
}

/// Results and scratch of a case do not share memory: where they lie is for the replay to choose.
int64_t Saver::addPoison(const std::string &name, uint64_t bytes) {
  manifest.workspaceBytes = std::max(manifest.workspaceBytes, bytes);
  BufferInfo buffer;
  buffer.name = name, buffer.kind = "workspace";
  return addBuffer(std::move(buffer), bytes);
}

void Saver::addImage(const std::string &name, const CompiledImage &image) {
  append(objects, std::as_bytes(std::span(image.bytes)));
  manifest.objects.push_back({image.target, image.chip, objects.size() - image.bytes.size(), image.bytes.size()});
  for (const CompiledKernel &kernel : image.kernels) {
    KernelInfo info;
    info.name = name + "." + kernel.name, info.symbol = kernel.symbol;
    info.object = int64_t(manifest.objects.size()) - 1;
    info.arenaBytes = kernel.arenaBytes, info.threads = kernel.threads, info.sharedBytes = kernel.sharedBytes;
    info.dependent = kernel.dependent;
    info.registers = kernel.registers, info.spillBytes = kernel.spillBytes;
    kernels[&kernel] = int64_t(manifest.kernels.size());
    manifest.kernels.push_back(info);
  }
}

/// Whether the generator makes this part; every argument is a stream of its own (Arguments.cpp).
static std::optional<bench::ReplayInput> findGenerator(const Memories::Part &part, uint64_t seed) {
  if (part.argument < 0 || part.contents.size() < smallestGenerated)
    return {};
  for (const char *dtype : {"F8_E4M3", "I8"}) {
    std::vector<uint8_t> made(part.contents.size());
    bench::fillInput(std::as_writable_bytes(std::span(made)), dtype, bench::InputRange::Usual, seed, part.argument);
    if (made == part.contents)
      return bench::ReplayInput{0, dtype, seed, uint64_t(part.argument)};
  }
  return {};
}

void Saver::addPart(bench::ReplayCase &each, const Memories::Part &part, uint64_t seed) {
  std::string name = each.program + ": " + std::to_string(each.buffers.size());
  std::optional<bench::ReplayInput> generated = findGenerator(part, seed);
  bool empty = part.written && llvm::all_of(part.contents, [](uint8_t byte) { return byte == poisonByte; });
  int64_t buffer = empty || generated ? addPoison(name, part.contents.size()) : addConstant(name, part.contents);
  each.buffers.push_back(buffer);
  if (part.written)
    each.written.push_back(buffer);
  if (generated) {
    generated->buffer = buffer;
    each.generated.push_back(*generated);
  }
}

void Saver::addCase(const std::string &program, const Kernels::Recording &recording, func::FuncOp function,
                    const Instance &instance) {
  bench::ReplayCase each;
  each.program = program;
  each.rows = instance.rows;
  for (const Memories::Part &part : recording.parts)
    addPart(each, part, instance.seed);
  ProgramInfo info;
  info.name = program, info.logits = logits;
  for (const Kernels::Recording::Dispatch &dispatch : recording.dispatches) {
    StepInfo step;
    step.op = "dispatch", step.kernel = kernels.at(dispatch.kernel);
    for (size_t part : dispatch.parts)
      step.buffers.push_back(each.buffers[part]);
    auto dims = [](const std::array<int64_t, 3> &grid) {
      return std::vector<GridDim>{{grid[0], 0}, {grid[1], 0}, {grid[2], 0}};
    };
    step.grid = dims(dispatch.grids.front());
    for (const auto &grid : ArrayRef(dispatch.grids).drop_front())
      step.laterGrids.push_back(dims(grid));
    if (dispatch.grids.size() > 1)
      manifest.kernels[step.kernel].phases = dispatch.grids.size();
    info.steps.push_back(std::move(step));
  }
  manifest.programs.push_back(std::move(info));

  for (size_t i = 0; i < instance.right.size(); ++i) {
    bench::ReplayResult result = bench::ReplayResult::of(instance.right[i]);
    for (size_t part : recording.results[i])
      result.found.push_back(each.buffers[part]);
    result.foundShapes = bench::shapesOf(recording.kinds[i]);
    result.expectedShapes = bench::shapesOf(instance.right[i]);
    for (const std::vector<uint8_t> &bytes : bench::partsOf(instance.right[i]))
      result.expected.push_back(addConstant(
          program + ": right " + std::to_string(i) + "." + std::to_string(result.expected.size()), bytes));
    bench::Tolerance tolerance = getTolerance(function, i);
    result.ulp = tolerance.ulp, result.absolute = tolerance.absolute, result.codes = tolerance.codes;
    result.counted = instance.counted[i];
    each.results.push_back(std::move(result));
  }
  list.push_back(std::move(each));
}

/// "linear.square", "linear-released.gate"
static std::string nameOf(StringRef file, StringRef function) {
  StringRef family = llvm::sys::path::filename(llvm::sys::path::parent_path(file));
  StringRef stem = llvm::sys::path::stem(file);
  return (family == stem ? stem + "." + function : family + "-" + stem + "." + function).str();
}

/// Bytes that only this case needs; weights are the same for all numbers of rows.
static size_t rowBytesOf(func::FuncOp function, const Instance &instance) {
  size_t bytes = 0;
  auto add = [&](const reference::HostValue &value) {
    for (const std::vector<uint8_t> &part : bench::partsOf(value))
      bytes += part.size();
  };
  for (auto [type, value] : llvm::zip_equal(function.getArgumentTypes(), instance.arguments))
    if (isPerRow(type) || isCache(type))
      add(value);
  llvm::for_each(instance.right, add);
  return bytes;
}

void Saver::addFunction(const std::string &file, func::FuncOp function, ArrayRef<std::unique_ptr<Kernels>> compiled,
                        const Limits &limits, const Plan &plan) {
  std::string name = nameOf(file, function.getName());
  kernels.clear(); // by address: those of functions before are gone
  for (const auto &each : compiled)
    addImage(name + "/" + each->getImage().target, each->getImage());
  for (int64_t rows : plan.rows)
    for (uint64_t seed = plan.firstSeed; rows <= limits.maxRows && seed < plan.firstSeed + plan.seeds; ++seed) {
      Instance instance = makeInstance(function, limits, rows, seed);
      if ((rows != plan.rows.front() || seed != plan.firstSeed) && rowBytesOf(function, instance) > largestCase)
        continue;
      for (const auto &each : compiled)
        addCase(name + "/" + each->getImage().target + "/rows" + std::to_string(rows) + ".seed" + std::to_string(seed),
                each->record(instance.arguments, instance.right, rows), function, instance);
    }
}

void Saver::write(const std::string &path) {
  std::string text = nlohmann::json(list).dump();
  addConstant(bench::replayListName, std::vector<uint8_t>(text.begin(), text.end()));
  writePackage(path, manifest, objects, constants);
}

} // namespace cedilla::conformance
