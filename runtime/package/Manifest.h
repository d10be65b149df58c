//===- Manifest.h - the package's manifest as C++ structures ------------------------------------===//
//
// What the compiler's package phase fills and the runtime reads. compiler/package/Format.md is the
// reference page of the file around it. Nothing here knows MLIR.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Facts.h"
#include "runtime/package/Cost.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cedilla {

/// Numbers that kernels index with: one list for each of a step's rows, at position p in slot s of its sequence. v is
/// floor((p + 1) / ratio), the cache entries that the row may see; 0 in padding rows.
struct HoldsInfo {
  /// ""           nothing, or not said (packages of older compilers)
  /// "entries"    i32 [T, k]: min(k, v) cache entries of the row's own sequence, ascending, then -1
  /// "blocks"     i32 [T, k]: numbers of blocks of `block` entries, ascending, then -1; the block of entry v - 1 is one of them
  /// "experts"    i32 [T, k]: different experts below `count`
  /// "places"     i32 [T, window + k]: per window slot a row of the slot's ring (of `ring` rows), or `ring` + a row of the
  ///              step, or -1; then entries below v, or -1 (ratio 0: there are none)
  /// "table_rows" i64 [T, tables, columns]: rows of the Engram tables
  /// Others are of newer compilers and say nothing to this reader.
  std::string what;
  int64_t ratio = 0, block = 0, count = 0, window = 0, ring = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(HoldsInfo, what, ratio, block, count, window, ring)

/// A buffer of a program set. Sizes are the maxima for ModelFacts::maxRows / maxBatch / maxContext.
struct BufferInfo {
  std::string name;
  /// "input"     filled by the session each step: tokens, kinds, positions, slots, starts [T] and
  ///             pages [maxBatch, pages per slot], all i32; engram_gathered [1] i32: not 0 where the session
  ///             lays the rows that a step reads, one behind the other, in place of the Engram tables
  /// "state"     caches and per-slot state, named and laid out as engine/Engine.h says. The first dim
  ///             is maxBatch, or with `paged` maxBatch * pages per slot. Zeroed at creation
  /// "weight"    from the checkpoint, see `tensors`
  /// "constant"  bytes [offset, offset + bytes) of the package's constants section
  /// "workspace" bytes [offset, offset + bytes) of the one scratch area; lifetimes are already planned
  /// Offsets are multiples of 64. Buffers begin at 64-byte boundaries, except weights: those are used
  /// where the checkpoint is mapped and are aligned for their element type only.
  std::string kind;
  std::string type;             ///< "f32" "bf16" "i32" "i64" "i8"
  std::vector<int64_t> shape;   ///< maxima; the first dim is -1 where it is the step's row count T
  uint64_t bytes = 0;           ///< at the maxima
  uint64_t offset = 0;          ///< of constants and workspace
  bool paged = false;           ///< state: one entry per cache page instead of one per slot
  std::vector<std::string> tensors; ///< checkpoint tensors, laid one behind the other (stacked weights)
  std::string dtype;            ///< safetensors dtype every one of `tensors` must have, e.g. "F8_E4M3"
  std::vector<int64_t> tensorShape; ///< shape every one of `tensors` must have
  bool byRow = false; ///< weight: a step reads few of its rows, found by number; may lie in slow memory
  /// workspace: what the model calls the value that a dispatch leaves here: "<layer>.<op>.<n>", ":<result>" where it is
  /// not the first, "/scales" for the second part of a block-scaled one. The same in prefill and decode, and whatever
  /// the schedule; empty: it has no name, or not said
  std::string value;
  HoldsInfo holds;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BufferInfo, name, kind, type, shape, bytes, offset,
                                                paged, tensors, dtype, tensorShape, byRow, value, holds)

/// Whether a workspace buffer is a kernel's own, which no other kernel reads: its name says so.
inline bool isScratch(const BufferInfo &buffer) {
  return buffer.kind == "workspace" && buffer.name.find("_scratch") != std::string::npos;
}

/// One dim of a grid: `value` blocks, or ceil(T / rowsPer) where rowsPer > 0.
struct GridDim {
  int64_t value = 1;
  int64_t rowsPer = 0;
  int64_t blocks(int64_t rows) const { return rowsPer ? (rows + rowsPer - 1) / rowsPer : value; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(GridDim, value, rowsPer)

/// An argument of a dispatch is the buffer's base address.
struct StepInfo {
  std::string op;               ///< "dispatch" or "mark"
  int64_t kernel = -1;          ///< dispatch: index into Manifest::kernels
  std::vector<GridDim> grid;    ///< dispatch: 1 to 3 dims
  std::vector<int64_t> buffers; ///< dispatch: the kernel's buffers in order; mark: the one marked
  std::string name;             ///< mark: its name; dispatch: what it computes, for people
  int64_t layer = -1;
  std::vector<std::vector<GridDim>> laterGrids; ///< dispatch: of the kernel's phases behind the first
  int64_t phase = 0; ///< mark: with more than 0, it stands inside the dispatch before it, in front of this phase
  Cost cost;         ///< dispatch: bytes and flops by the step's size; empty: not said (packages of older compilers)
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(StepInfo, op, kernel, grid, buffers, name, layer, laterGrids,
                                                phase, cost)

/// Where a package holds code for several chips it has a program of each name per chip. All use the same
/// inputs, states, weights and constants; workspace buffers are their own, in the one scratch area.
struct ProgramInfo {
  /// "prefill", "decode"; "advance" makes the inputs tokens, positions and starts of the next decode step out of
  /// the logits, with the states sampling [maxBatch, 2] (bits of the temperature, key) and chosen [maxBatch, n]
  /// (choice for position p at p mod n), i32
  std::string name;
  std::vector<StepInfo> steps;
  int64_t logits = -1; ///< buffer that holds the result, f32 [T, vocab]; advance: the one it reads, decode's
  std::string target, chip; ///< as in ObjectInfo; both empty: those of its kernels' objects
  /// Kernels that a layer of each mode must run in, by mode ("reuse"); empty: nothing was promised.
  std::map<std::string, int64_t> contract;
  std::vector<double> predicted; ///< seconds of the steps of Manifest::bench, launches included; empty: not said
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ProgramInfo, name, steps, logits, target, chip, contract,
                                                predicted)

/// A kernel in one object. On the CPU (object.target "x86") the symbol is
///   void kernel(void *const *buffers, int64_t rows, const int64_t block[4], void *arena)
/// and runs one block; of a kernel of several phases block[3] is the phase. `arenaBytes` of scratch,
/// 64-byte aligned, belong to the calling thread. On an
/// NVIDIA GPU it is a kernel of the same buffers followed by `rows` (i64), launched with `threads` per
/// block and `sharedBytes` of dynamic shared memory. With several phases there follow the first one to
/// run, the one to end before, and per phase the three numbers of blocks (all i32); the grid is one
/// line of any number of blocks that are resident at once.
struct KernelInfo {
  std::string name; ///< family, type and target in the name
  std::string symbol;
  int64_t object = -1; ///< index into Manifest::objects
  uint64_t arenaBytes = 0;
  int64_t threads = 0;
  uint64_t sharedBytes = 0;
  bool dependent = false; ///< GPU: may be launched before its predecessor ends, it waits itself
  std::string reproducibility; ///< "run", "batch" or "phase"
  std::string config;          ///< the config attribute as text
  int64_t buffers = -1; ///< how many a dispatch of it has; -1: not said (packages of older compilers)
  int64_t phases = 0;   ///< how many a kernel of several phases has; 0: one, or not said
  int64_t registers = 0;   ///< GPU: per thread, as the assembler said; 0: not said
  uint64_t spillBytes = 0; ///< GPU: bytes a thread stores and loads for lack of registers
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(KernelInfo, name, symbol, object, arenaBytes, threads,
                                                sharedBytes, dependent, reproducibility, config, buffers, phases,
                                                registers, spillBytes)

/// One native image: an ELF shared object without imports (x86), or a cubin.
struct ObjectInfo {
  std::string target; ///< "x86", "nvptx"
  std::string chip;   ///< "avx2", "sm_90a"
  uint64_t offset = 0, bytes = 0; ///< in the package's objects section
  int64_t toolkit = 0; ///< nvptx: 1000 * major + 10 * minor of the CUDA toolkit that assembled it; 0: not known
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ObjectInfo, target, chip, offset, bytes, toolkit)

/// What the compiler read beside the weights (runtime/package/Sources.h).
struct SourceInfo {
  std::string name;   ///< "config.json", or a tensor of a side file
  std::string digest; ///< XXH3-64, hexadecimal
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SourceInfo, name, digest)

/// What a package for ced-bench was made to measure; options given there count more.
struct BenchInfo {
  std::vector<int64_t> batches; ///< sequences of the decode steps; empty: not made for it
  int64_t context = 0;          ///< tokens each sequence holds already
  int64_t prefill = 0;          ///< rows of a prefill step instead
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BenchInfo, batches, context, prefill)

/// How weights lie where kernels read them, and its version: the elements and their order as released, the tensors of a
/// buffer one behind the other, scales in buffers of their own. Kernels decode it themselves, so nothing is widened.
inline constexpr const char *kWeightLayout = "released/1";

struct Manifest {
  std::string compiler; ///< version of the compiler that wrote it
  ModelFacts facts;
  std::vector<BufferInfo> buffers;
  std::vector<KernelInfo> kernels;
  std::vector<ObjectInfo> objects;
  std::vector<ProgramInfo> programs;
  uint64_t workspaceBytes = 0;
  std::vector<SourceInfo> sources; ///< empty: not known
  BenchInfo bench;
  std::string departs; ///< how its numbers are not the reference's: "o is FP8 ahead of wo_a"; empty: they are
  EngramFacts engram; ///< without tables: rows cannot be gathered on the host
  std::string weightLayout = kWeightLayout; ///< that its kernels read
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Manifest, compiler, facts, buffers, kernels, objects,
                                                programs, workspaceBytes, sources, bench,
                                                departs, engram, weightLayout)

} // namespace cedilla
