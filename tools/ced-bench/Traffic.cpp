//===- Traffic.cpp - the bytes a dispatch must move ---------------------------------------------===//

#include "tools/ced-bench/Traffic.h"

#include "runtime/package/Package.h"

#include <algorithm>
#include <set>

namespace cedilla::bench {

namespace {
struct Counter {
  const Manifest &manifest;
  const StepInfo &step;
  const StepShape &shape;
  const ExpertCounts &experts;

  double buffer(const BufferInfo &info) const;
  double workspace(const BufferInfo &info) const;
  double weight(const BufferInfo &info) const;
  double state(const BufferInfo &info) const;
  double blocks() const;
  bool appends() const { return manifest.kernels[step.kernel].name.starts_with("cache"); }
  int64_t tokens() const { return shape.context + shape.rowsPerSequence; }
};
} // namespace

static double bytesBehind(const BufferInfo &info, size_t firstDim) {
  double bytes = double(elementBytes(info.type));
  for (size_t i = firstDim; i < info.shape.size(); ++i)
    bytes *= double(info.shape[i]);
  return bytes;
}

double Counter::blocks() const {
  double count = 1;
  for (const GridDim &dim : step.grid)
    count *= double(dim.blocks(shape.rows()));
  return count;
}

/// Rows that are there; scores are as wide as the longest context and used up to the present one.
double Counter::workspace(const BufferInfo &info) const {
  if (info.shape.empty() || info.shape[0] != -1)
    return double(info.bytes);
  double bytes = double(shape.rows()) * bytesBehind(info, 1);
  for (const LayerFacts &layer : manifest.facts.layers)
    if (layer.ratio > 0 && info.shape.size() == 2 &&
        info.shape[1] >= manifest.facts.maxContext / layer.ratio &&
        info.shape[1] <= manifest.facts.maxContext / layer.ratio + manifest.facts.page)
      return bytes * std::min(1.0, double(tokens()) / double(layer.ratio) / double(info.shape[1]));
  return bytes;
}

double Counter::weight(const BufferInfo &info) const {
  if (info.byRow)
    return blocks() * bytesBehind(info, 1);
  bool stacked = info.tensors.size() > 1 && info.shape[0] == int64_t(info.tensors.size());
  auto chosen = experts.find(step.layer);
  if (!stacked || chosen == experts.end())
    return double(info.bytes);
  return double(chosen->second) * bytesBehind(info, 1);
}

double Counter::state(const BufferInfo &info) const {
  double row = bytesBehind(info, 2);
  if (appends() && info.shape.size() >= 3)
    return double(shape.rows()) * row;
  if (!info.paged && info.name.starts_with("window."))
    return double(shape.sequences) * double(std::min<int64_t>(info.shape[1], tokens())) * row;
  if (!info.paged)
    return double(shape.sequences) * bytesBehind(info, 1);
  double entries = double(tokens()) * double(info.shape[1]) / double(manifest.facts.page);
  int64_t selected = manifest.facts.indexTopk;
  if (info.name.starts_with("main_kv.") && selected > 0)
    return double(shape.rows()) * std::min(entries, double(selected)) * row;
  return double(shape.sequences) * entries * row;
}

double Counter::buffer(const BufferInfo &info) const {
  if (info.kind == "workspace" || info.kind == "input")
    return info.name == "pages" ? 0 : workspace(info);
  if (info.kind == "weight")
    return weight(info);
  return info.kind == "state" ? state(info) : double(info.bytes);
}

double bytesOf(const Manifest &manifest, const StepInfo &step, const StepShape &shape,
               const ExpertCounts &experts) {
  Counter counter{manifest, step, shape, experts};
  double bytes = 0;
  std::set<int64_t> seen;
  for (int64_t index : step.buffers)
    if (seen.insert(index).second)
      bytes += counter.buffer(manifest.buffers[index]);
  return bytes;
}

} // namespace cedilla::bench
