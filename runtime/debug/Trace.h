//===- Trace.h - what every kernel left for every row, by sequence and position --------------------===//
//
// Rows of one sequence meet other rows in each way of running it (alone, in a batch, in chunks, one by one), and other
// kernels in each schedule. What stays is the value's name, the sequence and the position: traces are compared by them.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/debug/SteppedEngine.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cedilla::debug {

/// Where a value came from.
struct Origin {
  std::string value;      ///< its name; of a value without one, the buffer's
  std::string where;      ///< "layer 3, dispatch 41 'topk' (kernel 'select_0')"
  std::string promise;    ///< reproducibility class of the kernel
  std::string type;       ///< of its elements
};

struct TraceItem {
  int64_t step;
  bool decode;
  size_t origin; ///< index into Trace::origins
  int64_t sequence, position;
  size_t offset, bytes; ///< in Trace::data
};

struct Trace {
  std::vector<Origin> origins;
  std::vector<TraceItem> items; ///< in the order in which they were computed
  std::vector<std::byte> data;

  std::span<const std::byte> bytesOf(const TraceItem &item) const { return std::span(data).subspan(item.offset, item.bytes); }
};

class TraceEngine final : public SteppedEngine {
public:
  /// `unnamed`: values without a name, too, by the name of their buffer; they mean something to the same package only.
  TraceEngine(std::unique_ptr<PackageEngine> engine, Trace &trace, bool unnamed);

  /// Sequences count from here on: the driver resets a slot for each, in their order.
  void beginSequences(int64_t first) { nextSequence = first; }
  void traceInto(Trace &other) { trace = &other, origins.clear(), steps = 0; }
  void resetSlot(int64_t slot) override;

private:
  void begin(const StepRows &rows, bool decode) override { decoding = decode; }
  void after(const Dispatch &dispatch, const StepRows &rows) override;
  void end(const StepRows &, bool) override { ++steps; }
  size_t originOf(const Dispatch &dispatch, const BufferInfo &buffer);
  void add(const Dispatch &dispatch, size_t buffer, const StepRows &rows);

  Trace *trace;
  bool unnamed, decoding = false;
  int64_t nextSequence = 0, steps = 0;
  std::map<int64_t, int64_t> sequenceOf; ///< by slot
  std::map<std::pair<bool, const BufferInfo *>, size_t> origins;
};

/// The first value that differs, and how much was compared.
struct TraceComparison {
  struct Difference {
    const Origin *a, *b;
    const TraceItem *itemA, *itemB;
    size_t elements = 0, different = 0; ///< of the row
    size_t first = 0;                   ///< element
    std::string foundA, foundB;         ///< its bits
  };
  size_t compared = 0, unmatched = 0; ///< rows of values; `unmatched`: only one side has them
  size_t different = 0;
  std::optional<Difference> first;
};
TraceComparison compareTraces(const Trace &a, const Trace &b);

} // namespace cedilla::debug
