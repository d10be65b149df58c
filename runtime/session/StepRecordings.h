//===- StepRecordings.h - steps that were run before, kept to be replayed -------------------------===//
//
// What a step launches depends on its program and its number of rows alone; everything else is in
// buffers. So a recording is good for every step of the same two. The least recently used one goes when
// there are too many.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace cedilla {

/// What a recording runs.
enum class StepKind {
  Prefill,
  Decode,
  DecodeAhead, ///< decode, and what makes the rows of the next step
};

class StepRecordings {
public:
  /// Decode steps have few row counts; those of prefill steps vary with the prompts.
  static constexpr size_t defaultLimit = 32;

  explicit StepRecordings(Device &device, size_t limit = defaultLimit)
      : device(device), limit(limit) {}
  ~StepRecordings();
  StepRecordings(const StepRecordings &) = delete;

  /// The recording of `rows` rows; made with `work` when there is none.
  void *get(StepKind kind, int64_t rows, const std::function<void()> &work);
  size_t size() const { return kept.size(); }

private:
  struct Entry {
    StepKind kind;
    int64_t rows;
    void *recording;
  };
  Device &device;
  size_t limit;
  std::vector<Entry> kept; ///< the last one was used last
};

} // namespace cedilla
