//===- Engine.h - the one seam between "how to run" and "what runs" ----------------------------===//
//
// A package on a device and the reference interpreter are both an Engine. Everything above (chunking,
// sampling, dumps, the golden check, the command line) is written once, against this interface.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Facts.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla {

/// The rows of one step, all vectors of the same length T (see the ced dialect's description). Rows of
/// one sequence lie together, in ascending position.
struct StepRows {
  std::vector<int32_t> tokens, kinds, positions, slots, starts;

  int64_t size() const { return static_cast<int64_t>(tokens.size()); }
  void append(int32_t token, int32_t kind, int32_t position, int32_t slot, int32_t start) {
    tokens.push_back(token), kinds.push_back(kind), positions.push_back(position);
    slots.push_back(slot), starts.push_back(start);
  }
};

/// Element types that leave an engine. `bytes`: raw rows of a block-scaled format.
enum class DType { F32, BF16, I32, I64, Bytes };

/// A value at a mark. The observer may write through `data` to replace it.
///
/// Marks of a V4.1 program (T rows of the step; layer in brackets where there is one):
///   engram_rows              i64  [T, engram layers, columns]
///   engram_x[L]              bf16 [T, n, d]   stream after Engram, before layer L
///   attn[L], ffn[L]          bf16 [T, d]      sublayer outputs before they are mixed in
///   index_score[L]           bf16 [T, N]      N >= entries visible to any row; -inf where not visible
///   candidates[L]            i32  [T, blocks] kept blocks, ascending, then -1
///   index[L]                 i32  [T, k]      selected entries, ascending, then -1
///   route_id[L], route_w[L]  i32, f32 [T, k]
///   stream[L], pre[L]        bf16 [T, n, d], f32 [T, n]   after layer L
struct MarkView {
  std::string_view name;
  int64_t layer; ///< -1 where the mark belongs to no layer
  DType type;
  std::vector<int64_t> shape;
  void *data;
};
using Observer = std::function<void(const MarkView &)>;

/// A cache or state as raw bytes, all slots or pages, in the layout of its ced type:
///   window.L   [slots, window + slack, row bytes]     row = E4M3 codes, then UE8M0 scales (1 per 32)
///   main_kv.L  [pages, page / ratio, row bytes]       row = E2M1 pairs, then E4M3 scales (1 per 16)
///   index_k.L  [pages, page / ratio, row bytes]       row = E2M1 pairs, then UE8M0 scales (1 per 32)
///   open.L     [slots, ratio - 1, 2, head dim] f32
///   engram_history [slots, orders] i32
struct StateView {
  std::string name;
  std::vector<int64_t> shape; ///< in elements of `type`
  DType type;
  void *data;
};

/// How the tokens of a sequence are chosen (Gumbel.h).
struct RowSampling {
  float temperature = 0; ///< 0: the largest logit
  uint32_t key = 0;      ///< of its random numbers
};

/// In how many kernels a layer runs.
struct LayerKernels {
  int64_t layer = 0;
  int64_t listed = 0;   ///< entries of the program's list
  int64_t recorded = -1; ///< kernel, copy and fill nodes of the layer recorded by itself; -1: nothing is recorded
  int64_t promised = 0; ///< by the program's contract; 0: it says nothing of the layer
};

class Engine {
public:
  virtual ~Engine() = default;

  virtual const ModelFacts &facts() const = 0;
  /// How its numbers are not those of the published reference, by an option of the compiler; empty: they are.
  virtual std::string departs() const { return ""; }
  /// Forgets everything about the slot (state cleared; paged entries need no clearing).
  virtual void resetSlot(int64_t slot) = 0;
  /// Runs one step of at most facts().maxRows rows. `logits` receives f32 [T, vocab]. `decode` asks for the
  /// decode program: at most slack + 1 rows per sequence. Throws cedilla::Error.
  virtual void step(const StepRows &rows, bool decode, std::span<float> logits,
                    const Observer &observer = {}) = 0;
  /// How many steps `decodeAhead` takes at once; 0: the engine has no such thing.
  virtual int64_t stepsAhead() const { return 0; }
  /// Runs `steps` decode steps without asking the caller in between: each row of the next one is the token that
  /// this one chose. `rows`: one text row for each sequence, and a `sampling` for each. `chosen` receives
  /// [rows, steps]; -1 where a logit was NaN.
  virtual void decodeAhead(const StepRows &rows, std::span<const RowSampling> sampling, int64_t steps,
                           std::span<int32_t> chosen);
  /// By layer, for a step of one row; empty where the engine runs no kernels.
  virtual std::vector<LayerKernels> countKernels(bool /*decode*/) { return {}; }
  /// Page of the paged caches that holds tokens [n*page, (n+1)*page) of the slot.
  virtual int64_t pageOf(int64_t slot, int64_t n) const = 0;
  /// Caches and state, for checks. Valid until the next call.
  virtual std::vector<StateView> states() = 0;
  /// The same list without the bytes (`data` is null): cheap where caches lie on another device.
  virtual std::vector<StateView> stateShapes() {
    std::vector<StateView> shapes = states();
    for (StateView &state : shapes)
      state.data = nullptr;
    return shapes;
  }
};

} // namespace cedilla
