//===- Mix.cpp - mix: what is asked, configs, and which body is built -------------------------------===//

#include "kernels-gen/mix/Mix.h"

#include "kernels-gen/common/SingleOp.h"

using namespace mlir;
using namespace cedilla;

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

MixProblem cedilla::readMixProblem(Block &body) {
  MixProblem problem;
  problem.op = &body.front();
  Value stream = problem.op->getOperand(0);
  if (auto expand = dyn_cast<ced::HcExpandOp>(problem.op))
    stream = expand.getStream();
  if (auto post = dyn_cast<ced::HcPostOp>(problem.op))
    stream = post.getStream();
  problem.streams = shapeOf(stream)[1];
  problem.cols = shapeOf(stream)[2];
  return problem;
}

bool MixFamily::match(Block &body, std::string &reason) const {
  if (!findSingleOp<ced::HcExpandOp, ced::HcMixOp, ced::HcPostOp>(body, reason))
    return false;
  // The Sinkhorn steps hold n*n coefficients of a row at once.
  if (int64_t n = readMixProblem(body).streams; n > 8) {
    reason = "expected at most 8 streams, got " + std::to_string(n);
    return false;
  }
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Configs
//===------------------------------------------------------------------------------------------===//

namespace {
struct MixShape {
  int64_t blockRows, blockK;
  int64_t split; ///< bf16 numbers that fn's f32 is split into; 1: f32 products
};
} // namespace

// A CPU multiplies f32; four rows share one pass over fn without costing a decode step much. Matrix units
// take bf16: three of them hold an f32 exactly, so the products stay exact there too.
static constexpr MixShape cpuMix = {4, 256, 1};
static constexpr MixShape gpuMix = {16, 256, 3};

SmallVector<Candidate> MixFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  MixProblem problem = readMixProblem(kernel.getBody().front());
  Candidate candidate;
  SmallVector<std::pair<StringRef, int64_t>> members;
  int64_t bytes = 0;
  if (isa<ced::HcMixOp>(problem.op)) {
    const MixShape &shape = chip.warp ? gpuMix : cpuMix;
    int64_t blockK = std::min(shape.blockK, tileWidth(problem.cols));
    members = {{"block_rows", shape.blockRows}, {"block_k", blockK}, {"split", shape.split}, {"slices", chip.warp ? 1 : 0}};
    bytes = blockK * 4 * (problem.outputs() + 3 * shape.blockRows);
    if (chip.warp) {
      // A slice is one block_k. Warps share it, pieces of 32 of it.
      bytes = blockK * (4 * problem.outputs() + 2 * shape.blockRows);
      members.push_back({"warps", blockK % 256 == 0 ? 8 : 4});
      members.push_back({"stages", 1});
    }
  } else {
    // Few rows of many columns: more blocks.
    int64_t wanted = chip.warp && limits.maxRows <= 8 ? 256 : 1024, cols = std::min<int64_t>(wanted, tileWidth(problem.cols));
    members = {{"block_cols", cols}};
    bytes = cols * 4 * (2 * problem.streams + 1);
    if (chip.warp)
      members.push_back({"warps", 4});
  }
  candidate.config = makeConfig(kernel.getContext(), members);
  if (bytes > chip.sharedBytes)
    candidate.rejection = "needs " + std::to_string(bytes) + " bytes of scratch, the chip has " +
                          std::to_string(chip.sharedBytes);
  candidate.cost = double(limits.maxRows) * problem.streams * problem.cols;
  return {candidate};
}

//===------------------------------------------------------------------------------------------===//
// Bodies
//===------------------------------------------------------------------------------------------===//

SmallVector<MemRefType> MixFamily::scratch(Block &body, const Limits &) const {
  if (!isa<ced::HcMixOp>(body.front()))
    return {};
  MixProblem problem = readMixProblem(body);
  return {MemRefType::get({ShapedType::kDynamic, problem.slices(), problem.outputs() + 1}, Float32Type::get(body.front().getContext()))};
}

/// One row reads 2 MB of fn at V4.1's size: many blocks share it, and few threads do the rest.
static tile::KernelOp buildInSlices(OpBuilder &builder, sched::KernelOp kernel, const MixProblem &problem, const Limits &limits,
                                    int64_t rows) {
  MLIRContext *context = builder.getContext();
  std::string names[] = {(kernel.getSymName() + "_sums").str(), (kernel.getSymName() + "_rest").str()};
  { // puts the builder back to where it stood
    KernelBuilder sums(builder, kernel, limits, {gridBlocks(context, problem.slices()), gridRows(context, rows)}, "batch");
    buildSliceSums(sums, problem, kernel);
    sums.finish().setSymName(names[0]);
  }
  KernelBuilder rest(builder, kernel, limits, {gridRows(context, 1)}, "batch");
  buildFromSums(rest, problem, kernel);
  tile::KernelOp last = rest.finish();
  last.setSymName(names[1]);
  // Few numbers: between the threads of one warp sums need no barrier.
  last.setConfigAttr(makeConfig(context, {{"warps", 1}}));
  last->setAttr("tile.phases", builder.getStrArrayAttr({names[0], names[1]}));
  return last;
}

FailureOr<tile::KernelOp> MixFamily::build(OpBuilder &builder, sched::KernelOp kernel, const Limits &limits) const {
  MixProblem problem = readMixProblem(kernel.getBody().front());
  MLIRContext *context = builder.getContext();
  if (isa<ced::HcMixOp>(problem.op)) {
    int64_t rows = configValue(kernel, "block_rows"), blockK = configValue(kernel, "block_k");
    int64_t split = configValue(kernel, "split");
    if (rows <= 0 || blockK <= 0 || (split != 1 && split != 3))
      return kernel.emitOpError("expected positive block_rows and block_k and a split of 1 or 3, got ")
             << kernel.getConfig();
    if (!configValue(kernel, "slices")) {
      KernelBuilder k(builder, kernel, limits, {gridRows(context, rows)}, "batch");
      buildCoefficients(k, problem, kernel);
      return k.finish();
    }
    return buildInSlices(builder, kernel, problem, limits, rows);
  }
  int64_t blockCols = configValue(kernel, "block_cols");
  if (blockCols <= 0)
    return kernel.emitOpError("expected positive block_cols, got ") << kernel.getConfig();
  if (isa<ced::HcExpandOp>(problem.op)) {
    KernelBuilder k(builder, kernel, limits, {gridRows(context, 1)}, "phase");
    buildExpand(k, problem);
    return k.finish();
  }
  KernelBuilder k(builder, kernel, limits, {gridBlocks(context, ceilDiv(problem.cols, blockCols)), gridRows(context, 1)},
                  "phase");
  buildPost(k, problem, blockCols);
  return k.finish();
}
