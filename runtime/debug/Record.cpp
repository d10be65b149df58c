//===- Record.cpp - what a package computed, for the interpreter to follow -------------------------===//

#include "runtime/debug/Record.h"

#include "runtime/base/Error.h"
#include "runtime/debug/StateBytes.h"

#include <algorithm>

namespace cedilla::debug {

RecordingEngine::RecordingEngine(std::unique_ptr<PackageEngine> engine, std::shared_ptr<SafetensorsWriter> theWriter)
    : SteppedEngine(std::move(engine)), writer(std::move(theWriter)) {
  for (bool decode : {false, true})
    if (std::none_of(dispatches(decode).begin(), dispatches(decode).end(), [&](const Dispatch &dispatch) {
          return std::any_of(dispatch.makes.begin(), dispatch.makes.end(),
                             [&](size_t made) { return !manifest().buffers[made].value.empty(); });
        }))
      fail(Err::NotToMeasure, "expected a package that names its values; it is of an older compiler, or was compiled from IR behind the fuse phase");
  std::string text = nlohmann::json(manifest()).dump();
  writer->add("manifest", "U8", {int64_t(text.size())}, std::as_bytes(std::span(text)));
}

void RecordingEngine::resetSlot(int64_t slot) {
  SteppedEngine::resetSlot(slot);
  resets.push_back(static_cast<int32_t>(slot));
}

void RecordingEngine::add(const std::string &name, std::span<const std::byte> bytes) {
  writer->add(std::to_string(steps) + "." + name, "U8", {int64_t(bytes.size())}, bytes);
}

void RecordingEngine::begin(const StepRows &rows, bool decode) {
  std::string prefix = std::to_string(steps) + ".";
  std::vector<int32_t> all;
  for (const std::vector<int32_t> *column : {&rows.tokens, &rows.kinds, &rows.positions, &rows.slots, &rows.starts})
    all.insert(all.end(), column->begin(), column->end());
  int32_t flag = decode;
  writer->add(prefix + "rows", "I32", {5, rows.size()}, std::as_bytes(std::span(all)));
  writer->add(prefix + "decode", "I32", {1}, std::as_bytes(std::span(&flag, 1)));
  if (!resets.empty())
    writer->add(prefix + "reset", "I32", {int64_t(resets.size())}, std::as_bytes(std::span(resets)));
  resets.clear();
}

void RecordingEngine::after(const Dispatch &dispatch, const StepRows &rows) {
  for (size_t made : dispatch.makes)
    if (const std::string &value = manifest().buffers[made].value; !value.empty())
      add("value." + value, package->read(made, rows.size()));
}

void RecordingEngine::end(const StepRows &, bool) {
  for (const StateView &state : package->states())
    add("state." + state.name, {static_cast<const std::byte *>(state.data), bytesOf(state)});
  ++steps;
}

} // namespace cedilla::debug
