//===- DecodeAhead.cpp - decode steps that follow each other without the host -------------------------===//
//
// The program `advance` makes the rows of the next step on the device and notes the chosen tokens in a list
// per slot. The host launches decode and advance as often as asked, waits once, and reads the lists.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/session/PackageEngine.h"

#include "runtime/base/Error.h"

#include <bit>

namespace cedilla {

size_t PackageEngine::findState(std::string_view name) const {
  const auto &infos = package->manifest().buffers;
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].kind == "state" && infos[i].name == name)
      return i;
  failInternal("no state '", name, "'"); // checkManifest has looked
}

/// Rows that the host gathers must be known before a step.
int64_t PackageEngine::stepsAhead() const {
  if (!advance.info || !decode.info || gather)
    return 0;
  return package->manifest().buffers[findState("chosen")].shape[1];
}

void PackageEngine::uploadSampling(const StepRows &rows, std::span<const RowSampling> sampling) {
  std::vector<int32_t> settings(2 * facts().maxBatch);
  for (int64_t row = 0; row < rows.size(); ++row) {
    settings[2 * rows.slots[row]] = std::bit_cast<int32_t>(sampling[row].temperature);
    settings[2 * rows.slots[row] + 1] = static_cast<int32_t>(sampling[row].key);
  }
  device.upload((*buffers)[findState("sampling")], settings.data(), settings.size() * sizeof(int32_t));
}

void PackageEngine::runAhead(int64_t rows) {
  poisonScratch();
  if (replays())
    return device.replay(recordingOf(StepKind::DecodeAhead, rows));
  runAll(/*wantsDecode=*/true, rows, {});
  for (const ReadyStep &step : advance.steps)
    run(step, rows, 0, phasesOf(*step.info));
}

void PackageEngine::decodeAhead(const StepRows &rows, std::span<const RowSampling> sampling, int64_t steps,
                                std::span<int32_t> chosen) {
  int64_t count = rows.size(), size = stepsAhead();
  if (steps < 1 || steps > size)
    fail(Err::StepRows, "steps ahead: expected 1 to ", size, ", got ", steps);
  if (int64_t(sampling.size()) != count || int64_t(chosen.size()) != count * steps)
    failInternal("steps ahead: ", count, " rows, but ", sampling.size(), " ways to sample and room for ", chosen.size());
  check.checkAhead(rows, steps);
  uploadRows(rows);
  uploadSampling(rows, sampling);
  for (int64_t i = 0; i < steps; ++i)
    runAhead(count);

  std::vector<int32_t> list(facts().maxBatch * size);
  device.download(list.data(), (*buffers)[findState("chosen")], list.size() * sizeof(int32_t));
  StepRows last = rows;
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t i = 0; i < steps; ++i)
      chosen[row * steps + i] = list[rows.slots[row] * size + (rows.positions[row] + 1 + i) % size];
    last.positions[row] += static_cast<int32_t>(steps - 1);
  }
  finishStep(last);
}

} // namespace cedilla
