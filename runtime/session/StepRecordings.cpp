//===- StepRecordings.cpp - steps that were run before, kept to be replayed -----------------------===//

#include "runtime/session/StepRecordings.h"

#include <algorithm>

namespace cedilla {

StepRecordings::~StepRecordings() {
  for (const Entry &entry : kept)
    device.forget(entry.recording);
}

void *StepRecordings::get(StepKind kind, int64_t rows, const std::function<void()> &work) {
  auto found = std::find_if(kept.begin(), kept.end(), [&](const Entry &entry) {
    return entry.kind == kind && entry.rows == rows;
  });
  if (found != kept.end()) {
    std::rotate(found, found + 1, kept.end());
    return kept.back().recording;
  }
  if (kept.size() == limit) {
    device.forget(kept.front().recording);
    kept.erase(kept.begin());
  }
  kept.reserve(limit); // nothing may fail once the recording exists
  void *recording = device.record(work);
  kept.push_back({kind, rows, recording});
  return recording;
}

} // namespace cedilla
