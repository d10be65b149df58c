//===- Trace.h - what kernels with trace points write down -------------------------------------===//
//
// Written by kernels of `ced-compile --trace-points`, read by `ced-bench step --trace`. A kernel `k` has a global `k_trace` of
// `traceBlocks` lines, one for each of its first blocks: the number of events so far (u64, 8 bytes unused), then a ring of
// `traceEvents` events. Of a block that runs in several launches the events of all lie one behind the other.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>

namespace cedilla {

inline constexpr int64_t traceBlocks = 2048, traceEvents = 127, traceEventBytes = 16;
inline constexpr int64_t traceLineBytes = (1 + traceEvents) * traceEventBytes;
inline constexpr const char *traceSuffix = "_trace";

/// Where a block was: at its start, behind its wait for the kernel before, behind a hand-over between phases, at its end.
enum class TracePoint : uint16_t { Begin, Waited, Passed, End };

/// As it lies in memory.
struct TraceEvent {
  uint64_t nanoseconds; ///< of a clock that all multiprocessors share
  uint32_t cycles;      ///< of the multiprocessor, low 32 bits
  uint16_t multiprocessor;
  TracePoint point;
};
static_assert(sizeof(TraceEvent) == traceEventBytes);

} // namespace cedilla
