//===- CheckCheckpoint.cpp - a checkpoint against the configuration
//---------------------------------------===//
//
// Every expected tensor must be there with its shape and dtype, and every tensor that is there must
// be expected or belong to a part of the model that the text model does not use. All findings are
// collected: one run tells a user everything that is wrong with a download or an export.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/TensorNames.h"
#include "runtime/base/Error.h"

#include <cstring>
#include <set>

namespace cedilla {

namespace {
/// Parts of a released checkpoint that the text model does not use.
constexpr const char *knownParts[] = {"mtp.", "vision.", "aligner.", "image_"};

/// What was found wrong, in the order it was found.
class Findings {
public:
  void missing(std::string line) { ++missingCount, add(std::move(line)); }
  void unknown(std::string line) { ++unknownCount, add(std::move(line)); }
  void wrong(std::string line) { ++wrongCount, add(std::move(line)); }
  int64_t count() const { return missingCount + unknownCount + wrongCount; }
  int64_t missingTensors() const { return missingCount; }

  void failIfAny(const std::string &directory, const std::string &hint) const {
    if (!count())
      return;
    std::string text = lines;
    if (count() > kShown)
      text += "; … and " + std::to_string(count() - kShown) + " more";
    fail(Err::CheckpointFit, directory, ": the checkpoint does not fit config.json: ", missingCount,
         " tensors missing, ", unknownCount, " unknown, ", wrongCount, " of another shape or dtype",
         hint, text);
  }

private:
  static constexpr int64_t kShown = 20;
  void add(std::string line) {
    if (count() <= kShown)
      lines += "; " + line;
  }
  int64_t missingCount = 0, unknownCount = 0, wrongCount = 0;
  std::string lines;
};
} // namespace

static std::string described(const std::string &dtype, std::span<const int64_t> shape) {
  return dtype + " " + shapeText(shape);
}

/// One stored tensor against the file; returns what was found, if it fits.
static const TensorView *checkTensor(const StoredTensor &expected, const Checkpoint &checkpoint,
                                     Findings &findings) {
  const TensorView *found = checkpoint.find(expected.name);
  std::string wanted = described(expected.dtype, expected.shape);
  if (!found) {
    findings.missing(expected.name + ": expected " + wanted + ", got nothing");
    return nullptr;
  }
  if (found->shape != expected.shape || !readsAs(expected.dtype, found->dtype)) {
    findings.wrong(expected.name + ": expected " + wanted + ", got " +
                   described(found->dtype, found->shape));
    return nullptr;
  }
  return found;
}

static std::string partOf(const std::string &name) {
  for (const char *part : knownParts)
    if (name.starts_with(part))
      return std::string(part, std::strlen(part) - 1);
  return "";
}

static void listUnused(const Checkpoint &checkpoint, const std::set<std::string> &expected,
                       CheckpointReport &report, Findings &findings) {
  for (const auto &[name, view] : checkpoint.tensors()) {
    if (expected.contains(name))
      continue;
    std::string part = partOf(name);
    if (part.empty()) {
      findings.unknown(name + ": not a tensor of this model, got " +
                       described(view.dtype, view.shape));
      continue;
    }
    CheckpointReport::Unused &unused = report.unused[part];
    ++unused.tensors;
    unused.bytes += view.bytes;
    ++unused.dtypes[view.dtype];
  }
}

/// A re-export may rename every tensor; then one sentence says more than a thousand lines.
static std::string namingHint(const Checkpoint &checkpoint) {
  int64_t prefixed = 0;
  for (const auto &entry : checkpoint.tensors())
    prefixed += entry.first.starts_with("model.");
  if (prefixed == 0)
    return "";
  return " (" + std::to_string(prefixed) +
         " names begin with 'model.': a re-export; the released names have no prefix)";
}

//===------------------------------------------------------------------------------------------===//
// Engram's token map
//===------------------------------------------------------------------------------------------===//

template <typename T>
static std::vector<T> valuesOf(const TensorView &view) {
  std::vector<T> values(view.bytes / sizeof(T));
  std::memcpy(values.data(), view.data, values.size() * sizeof(T));
  return values;
}

/// The compressed ids must be exactly 0 .. engram_compressed_vocab_size - 1: the hash was made for
/// them.
static void checkTokenMap(const ModelConfig &config, const TensorView &map,
                          const std::string &file) {
  std::vector<bool> seen(config.engram.compressedVocab);
  int64_t distinct = 0, token = 0;
  for (int32_t id : valuesOf<int32_t>(map)) {
    if (id < 0 || id >= config.engram.compressedVocab)
      fail(Err::SideFile, file, ": token_map: token ", token, ": expected a compressed id from 0 to ",
           config.engram.compressedVocab - 1, ", got ", id);
    distinct += !seen[id];
    seen[id] = true;
    ++token;
  }
  if (distinct != config.engram.compressedVocab)
    fail(Err::SideFile, file, ": token_map: expected ", config.engram.compressedVocab,
         " different compressed ids (engram_compressed_vocab_size), got ", distinct);
}

/// The file may carry the constants its maker derived; they must be ours.
static void checkConstants(const ModelConfig &config, const Checkpoint &checkpoint,
                           const std::string &file) {
  std::vector<int64_t> multipliers, primes, offsets;
  for (const EngramLayer &layer : config.engram.layers) {
    multipliers.insert(multipliers.end(), layer.multipliers.begin(), layer.multipliers.end());
    primes.insert(primes.end(), layer.primes.begin(), layer.primes.end());
    offsets.insert(offsets.end(), layer.offsets.begin(), layer.offsets.end());
  }
  std::pair<const char *, const std::vector<int64_t> *> constants[] = {
      {"multipliers", &multipliers}, {"primes", &primes}, {"offsets", &offsets}};
  for (auto [name, expected] : constants) {
    const TensorView *view = checkpoint.find(std::string("engram_token_map.safetensors:") + name);
    if (view && (view->dtype != "I64" || valuesOf<int64_t>(*view) != *expected))
      fail(Err::SideFile, file, ": ", name, ": expected the ", expected->size(),
           " numbers that follow from config.json, got others");
  }
}

//===------------------------------------------------------------------------------------------===//
// The whole
//===------------------------------------------------------------------------------------------===//

CheckpointReport checkCheckpoint(const ModelConfig &config, const Checkpoint &checkpoint) {
  CheckpointReport report;
  Findings findings;
  std::set<std::string> expected;
  for (const Weight &weight : expectedWeights(config)) {
    if (weight.format == WeightFormat::TokenMap)
      checkpoint.get(weight.name); // a missing side file has a message of its own
    for (const StoredTensor &stored : storedTensors(weight, config)) {
      expected.insert(stored.name);
      const TensorView *found = checkTensor(stored, checkpoint, findings);
      if (!found)
        continue;
      ++report.boundTensors;
      report.boundBytes += found->bytes;
    }
  }
  listUnused(checkpoint, expected, report, findings);
  findings.failIfAny(checkpoint.directory(),
                     findings.missingTensors() ? namingHint(checkpoint) : "");
  if (!config.engram.layers.empty()) {
    std::string file = checkpoint.directory() + "/engram_token_map.safetensors";
    checkTokenMap(config, checkpoint.get(kTokenMapName), file);
    checkConstants(config, checkpoint, file);
  }
  warnIfImplausible(config, checkpoint, report);
  return report;
}

} // namespace cedilla
