//===- Traffic.cpp - the bytes a dispatch must move ---------------------------------------------===//

#include "tools/ced-bench/Traffic.h"

#include "runtime/package/Package.h"

#include <set>

namespace cedilla::bench {

static double bytesOf(const BufferInfo &buffer, int64_t rows) {
  if (buffer.shape.empty() || buffer.shape[0] != -1)
    return double(buffer.bytes);
  double bytes = double(rows) * double(elementBytes(buffer.type));
  for (size_t i = 1; i < buffer.shape.size(); ++i)
    bytes *= double(buffer.shape[i]);
  return bytes;
}

double bytesOf(const Manifest &manifest, const StepInfo &step, const StepShape &shape,
               const ExpertCounts &experts) {
  if (!step.cost.isEmpty()) {
    auto chosen = experts.find(step.layer);
    double different = chosen == experts.end() ? -1 : double(chosen->second);
    return step.cost.bytes().at({shape.rows(), shape.sequences, shape.context + shape.rowsPerSequence, different});
  }
  double bytes = 0;
  std::set<int64_t> seen;
  for (int64_t index : step.buffers)
    if (seen.insert(index).second)
      bytes += bytesOf(manifest.buffers[index], shape.rows());
  return bytes;
}

} // namespace cedilla::bench
