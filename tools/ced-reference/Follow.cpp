//===- Follow.cpp - which op did a package compute wrongly? ----------------------------------------===//
//
// The interpreter walks the graph that the import makes, so a mistake of any later phase shows. Behind each op it looks
// whether the value left a kernel of the package; what stayed inside one has its own value, computed from the last ones
// that did. A cache is taken as the step left it: each is written once a step.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/ced-reference/Follow.h"

#include "compiler/import/BuildGraph.h"
#include "compiler/import/TensorNames.h"
#include "dialects/ced/ValueNames.h"
#include "dialects/ced/reference/ReferenceEngine.h"
#include "runtime/base/Error.h"
#include "runtime/base/Progress.h"
#include "tools/ced-reference/FollowReport.h"
#include "tools/ced-reference/RecordedValue.h"

using namespace mlir;

namespace cedilla {

using namespace reference;

namespace {
class Follower {
public:
  Follower(ReferenceEngine &engine, const Recording &recording, FollowReport &report);
  void run();

private:
  void look(Operation *op, Frame &frame);
  void lookAt(OpResult result, StringRef opName, Frame &frame);
  void lookAtCache(OpResult result, Frame &frame);
  std::optional<HostValue> recorded(OpResult result, const std::string &name, const HostValue &own, Frame &frame, std::string &reason);

  ReferenceEngine &engine;
  const Recording &recording;
  FollowReport &report;
  llvm::DenseMap<Operation *, std::string> names;
  size_t step = 0;
  Progress progress;
};
} // namespace

Follower::Follower(ReferenceEngine &engine, const Recording &recording, FollowReport &report)
    : engine(engine), recording(recording), report(report) {
  for (bool decode : {false, true})
    for (auto &[op, name] : ced::nameOps(engine.program(decode)))
      names[op] = name;
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

static bool isCache(Type type) { return isa<ced::WindowType, ced::PagedType, ced::StateType>(type); }

/// Columns of scores that mean something in a row: entries, or blocks of them, that the row sees.
static std::function<int64_t(int64_t)> visibleOf(Operation *op, Frame &frame) {
  Value positions;
  int64_t ratio = 1, block = 1;
  if (auto scores = dyn_cast<ced::IndexScoresOp>(op))
    positions = scores.getPositions(), ratio = cast<ced::PagedType>(scores.getKeys().getType()).getRatio();
  else if (auto maxima = dyn_cast<ced::BlockMaxOp>(op))
    positions = maxima.getPositions(), ratio = maxima.getRatio(), block = maxima.getBlockSize();
  else
    return {};
  Array<int32_t> rows = frame.get<Array<int32_t>>(positions);
  return [rows, ratio, block](int64_t row) {
    int64_t visible = visibleEntries(rows[row], ratio);
    return (visible + block - 1) / block;
  };
}

std::optional<HostValue> Follower::recorded(OpResult result, const std::string &name, const HostValue &own, Frame &frame,
                                            std::string &reason) {
  const TensorView *bytes = recording.value(step, name);
  if (!bytes)
    return std::nullopt;
  if (auto visible = visibleOf(result.getOwner(), frame))
    return HostValue(scoresLike(std::get<Array<BF16>>(own), *bytes, visible));
  return valueLike(own, *bytes, recording.value(step, name + ced::scalesSuffix), reason);
}

/// What the op chose among, for telling equal scores from wrong picks.
static const Array<BF16> *scoresOf(Operation *op, Frame &frame) {
  if (auto topk = dyn_cast<ced::TopkOp>(op))
    return frame.find<Array<BF16>>(topk.getScores());
  if (auto blocks = dyn_cast<ced::CandidateBlocksOp>(op))
    return frame.find<Array<BF16>>(blocks.getMaxima());
  return nullptr;
}

void Follower::lookAt(OpResult result, StringRef opName, Frame &frame) {
  std::string name = ced::valueName(opName, result.getResultNumber()), reason;
  const RecordedStep &now = recording.steps()[step];
  const MadeBy *maker = recording.maker(now.decode, name);
  const HostValue &own = frame.at(result);
  std::optional<HostValue> theirs = recorded(result, name, own, frame, reason);
  if (!theirs) {
    if (!reason.empty())
      report.addMisfit(step, name, maker, reason);
    return;
  }
  auto counts = [&](int64_t row) { return row < now.rows.size() && now.rows.positions[row] >= 0; };
  Operation *op = result.getOwner();
  bool list = isa<ced::IndexSetType>(result.getType()) || (isa<ced::RouteOp>(op) && result.getResultNumber() == 0);
  Verdict verdict = judge(own, *theirs, counts, scoresOf(op, frame), list);
  report.add(step, name, op->getName().stripDialect().str(), maker, verdict);
  frame.set(result, std::move(*theirs));
}

//===------------------------------------------------------------------------------------------===//
// Caches
//===------------------------------------------------------------------------------------------===//

/// The function's argument that the op's result is the new value of.
static BlockArgument argumentOf(Value cache) {
  while (Operation *op = cache.getDefiningOp()) {
    Value before;
    for (Value operand : op->getOperands())
      if (operand.getType() == cache.getType())
        before = operand;
    if (!before)
      return {};
    cache = before;
  }
  return cast<BlockArgument>(cache);
}

void Follower::lookAtCache(OpResult result, Frame &frame) {
  Operation *op = result.getOwner();
  BlockArgument argument = argumentOf(result);
  auto function = op->getParentOfType<func::FuncOp>();
  auto nameAttr = argument ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr) : StringAttr();
  const TensorView *bytes = nameAttr ? recording.state(step, nameAttr.str()) : nullptr;
  if (!bytes)
    return;
  const HostValue &own = frame.at(result);
  std::string name = nameAttr.str(), reason;
  std::optional<HostValue> theirs = valueLike(own, *bytes, nullptr, reason);
  if (!theirs)
    return report.addMisfit(step, name, nullptr, reason);
  report.add(step, name, op->getName().stripDialect().str(), nullptr, judgeCache(engine.stateBefore(name), own, *theirs));
  frame.set(result, std::move(*theirs));
}

void Follower::look(Operation *op, Frame &frame) {
  auto found = names.find(op);
  if (found == names.end())
    return;
  progress.show([&] { return "step " + std::to_string(step) + ": " + found->second; });
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue; // the interpreter keeps no value that nobody reads
    if (isCache(result.getType()))
      lookAtCache(result, frame);
    else
      lookAt(result, found->second, frame);
  }
}

//===------------------------------------------------------------------------------------------===//
// Steps
//===------------------------------------------------------------------------------------------===//

void Follower::run() {
  engine.watch([this](Operation *op, Frame &frame) { look(op, frame); });
  std::vector<float> logits;
  for (step = 0; step < recording.steps().size(); ++step) {
    const RecordedStep &now = recording.steps()[step];
    for (int32_t slot : now.resets)
      engine.resetSlot(slot);
    logits.resize(now.rows.size() * engine.facts().vocab);
    engine.step(now.rows, now.decode, logits);
  }
}

int followRecording(MLIRContext &context, const std::string &modelDir, const std::string &path) {
  Recording recording(path);
  const Manifest &manifest = recording.manifest();
  if (!manifest.departs.empty())
    fail(Err::GoldenData, path, ": expected the reference's arithmetic, got a package that departs from it: ", manifest.departs);
  ModelConfig config = readModelConfig(modelDir);
  auto checkpoint = std::make_shared<const Checkpoint>(modelDir);
  checkCheckpoint(config, *checkpoint);
  GraphOptions options;
  options.page = manifest.facts.page;
  options.maxRows = manifest.facts.maxRows;
  options.maxContext = manifest.facts.maxContext;
  options.maxBatch = manifest.facts.maxBatch;
  auto module = buildGraph(context, config, options);
  ModelFacts facts = factsOf(*module);
  if (nlohmann::json(facts) != nlohmann::json(manifest.facts))
    fail(Err::GoldenData, path, ": expected a recording of the model in '", modelDir, "', got one of a model with other sizes or layers");
  ReferenceEngine engine(std::move(module), facts, checkpoint);
  FollowReport report(recording);
  Follower(engine, recording, report).run();
  return report.print() ? 0 : static_cast<int>(Status::Internal);
}

} // namespace cedilla
