//===- Candidates.cpp - linear: configs for a chip ---------------------------------------------------===//

#include "dialects/ced/Ced.h"
#include "kernels-gen/common/KernelBuilder.h"
#include "kernels-gen/linear/Linear.h"

#include <cmath>

using namespace mlir;
using namespace cedilla;

namespace {
struct Shape {
  int64_t blockN, blockM, blockK, warps, stages;
};

/// What the order of a sum depends on: K goes by in blocks of `blockK`, and each of `warps` adds up its part of
/// every block.
struct Order {
  int64_t blockK, warps;
};

struct GpuShape {
  int64_t blockN, blockM, stages;
  int64_t tileWarps;  ///< that share the tile, times `Order::warps` along k
  int64_t fewestRows; ///< of a step
};
} // namespace

// On a CPU a block's decoded weight tile stays in the L1/L2 cache while the rows of x pass.
static constexpr Shape cpuShapes[] = {{32, 16, 256, 0, 1}, {32, 4, 256, 0, 1}, {16, 1, 256, 0, 1}};

// Few rows: what counts is bytes in flight. One m16 tile of weights per warp makes many blocks where N is
// small; where it is large, longer tiles read x less often. More rows: as few copies of either side as
// registers allow. At 128 rows 32x32 was measured to be the best; larger tiles leave too few blocks there;
// with two stages of them two blocks run side by side.
static constexpr GpuShape gpuShapes[] = {{16, 8, 5, 1, 1},  {32, 8, 4, 1, 1},  {64, 8, 3, 1, 1},  {16, 16, 4, 1, 1}, {64, 16, 3, 1, 1},
                                         {16, 32, 4, 1, 1}, {32, 32, 3, 1, 1}, {64, 32, 2, 1, 257}, {64, 32, 3, 1, 1}, {64, 64, 3, 2, 257}, {64, 64, 2, 2, 257}};

/// Of the chip that is tuned for.
static constexpr double multiprocessors = 132;

static double bytesPerValue(Value value) {
  auto type = dyn_cast<ced::ScaledType>(value.getType());
  return !type ? 2.0 : type.isFP4() ? 0.5 : 1.0;
}

/// Bytes of one stage of the K loop as it is stored, before decoding: codes, and scales of 32 columns.
static int64_t stageBytes(const LinearProblem &p, int64_t blockN, int64_t blockM, int64_t blockK) {
  auto bytes = [&](Value value, int64_t rows) {
    bool scaled = isa<ced::ScaledType>(value.getType());
    return rows * blockK * bytesPerValue(value) + (scaled ? rows * blockK / 32 : 0);
  };
  return bytes(p.w(), blockN) + bytes(p.x(), blockM);
}

/// Chosen from N, K and the formats alone: prefill and decode must add up alike. A warp copies 128 bytes of a row of
/// codes at a time or more; warps along k need no barrier in the loop.
static Order chooseOrder(const LinearProblem &p) {
  int64_t k = ceilDiv(p.k, 32) * 32;
  bool codes = p.scaledW, fp4 = codes && bytesPerValue(p.w()) < 1;
  // A head is large enough for blocks without long stages.
  if (!codes && p.n * p.groups >= 64 * 2 * multiprocessors)
    return k < 128 ? Order{k, 1} : k % 256 ? Order{128, 4} : Order{256, 4};
  if (k < 256)
    return {k, 1};
  // Nothing is cut off where blocks divide k.
  if (k < 2048 || (k % 512 && k % 256 == 0))
    return {256, 2};
  // Few channels make few blocks: each has more warps.
  if (p.n * p.groups <= 2048 && k >= 4096)
    return {1024, 8};
  return fp4 && k >= 4096 ? Order{1024, 4} : Order{512, 4};
}

/// Warps that a multiprocessor needs before it waits for bytes and not for itself: two along k have longer tiles.
static double enoughWarps(const Order &order) { return order.warps == 2 ? 7.5 : 16; }

static double blocksOf(const LinearProblem &p, const GpuShape &s, int64_t rows) {
  return double(ceilDiv(p.n, s.blockN)) * p.groups * ceilDiv(rows, s.blockM);
}

/// Bytes that the busiest multiprocessor reads; x comes from the L2 and costs less than weights. Few warps take
/// longer over them.
static double gpuCost(const LinearProblem &p, const GpuShape &s, const Order &order, int64_t rows, int64_t warps) {
  double blocks = blocksOf(p, s, rows);
  return std::ceil(blocks / multiprocessors) * p.k *
         (s.blockN * bytesPerValue(p.w()) + s.blockM * bytesPerValue(p.x()) / 4) *
         std::max(1.0, enoughWarps(order) * multiprocessors / (blocks * warps));
}

/// Long blocks of k leave room for fewer stages. With at least three, all blocks of the grid should run at once.
static int64_t stagesOf(const GpuShape &shape, int64_t stage, double blocks, const Chip &chip) {
  int64_t most = std::clamp<int64_t>(chip.sharedBytes / stage, std::min<int64_t>(2, shape.stages), shape.stages);
  int64_t together = chip.sharedBytes / (stage * std::ceil(blocks / multiprocessors));
  return together >= 3 ? std::min(most, together) : most;
}

static SmallVector<Candidate> gpuCandidates(sched::KernelOp kernel, const LinearProblem &p, const Chip &chip, const Limits &limits) {
  int64_t rows = limits.maxRows;
  Order order = chooseOrder(p);
  SmallVector<Candidate> result;
  for (const GpuShape &shape : gpuShapes) {
    // Without warps along k, those of a tile stand one below the other.
    int64_t tileWarps = order.warps == 1 ? std::min<int64_t>(4, shape.blockN / 16) : shape.tileWarps;
    int64_t stage = stageBytes(p, shape.blockN, shape.blockM, order.blockK);
    int64_t stages = stagesOf(shape, stage, blocksOf(p, shape, rows), chip), shared = stage * stages;
    Candidate candidate;
    candidate.config = makeConfig(kernel.getContext(), {{"block_n", shape.blockN},
                                                        {"block_m", shape.blockM},
                                                        {"block_k", order.blockK},
                                                        {"warps", tileWarps * order.warps},
                                                        {"warps_k", order.warps},
                                                        {"stages", stages}});
    if (shared > chip.sharedBytes)
      candidate.rejection = "needs " + std::to_string(shared) + " bytes of shared memory, the chip has " +
                            std::to_string(chip.sharedBytes);
    if (p.scaledW && p.scaledX && shape.blockN * shape.blockM > (limits.phase ? 1024 : 2048))
      candidate.rejection = "sums of 32 k and their scales do not leave registers for so large a tile";
    if (rows < shape.fewestRows)
      candidate.rejection = "leaves too few blocks for " + std::to_string(rows) + " rows";
    candidate.cost = gpuCost(p, shape, order, rows, tileWarps * order.warps);
    result.push_back(candidate);
  }
  return result;
}

SmallVector<Candidate> LinearFamily::candidates(sched::KernelOp kernel, const Chip &chip, const Limits &limits) const {
  LinearProblem problem = readLinearProblem(kernel.getBody().front());
  if (chip.warp)
    return gpuCandidates(kernel, problem, chip, limits);
  SmallVector<Candidate> result;
  for (const Shape &shape : cpuShapes) {
    Candidate candidate;
    // K beyond the end is loaded as zero, so a short K only needs a shorter block.
    int64_t blockK = std::min(shape.blockK, ceilDiv(problem.k, 32) * 32);
    candidate.config = makeConfig(kernel.getContext(), {{"block_n", shape.blockN},
                                                        {"block_m", shape.blockM},
                                                        {"block_k", blockK},
                                                        {"warps", shape.warps},
                                                        {"stages", shape.stages}});
    int64_t bytes = stageBytes(problem, shape.blockN, shape.blockM, shape.blockK) * shape.stages;
    if (bytes > chip.sharedBytes)
      candidate.rejection = "needs " + std::to_string(bytes) + " bytes of scratch, the chip has " +
                            std::to_string(chip.sharedBytes);
    // Every block of rows reads (and decodes) all weights once; that dominates.
    candidate.cost = double(problem.weightBytes()) * ceilDiv(limits.maxRows, shape.blockM) +
                     double(problem.n * problem.groups) * problem.k * limits.maxRows / 8;
    result.push_back(candidate);
  }
  return result;
}
