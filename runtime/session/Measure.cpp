//===- Measure.cpp - times of a package's steps and dispatches --------------------------------------===//

#include "runtime/session/PackageEngine.h"

#include "runtime/package/LayerKernels.h"

#include <algorithm>

namespace cedilla {

void PackageEngine::repeatOver(size_t index, std::span<const std::byte> bytes) {
  uint64_t size = package->manifest().buffers[index].bytes;
  uint64_t done = std::min<uint64_t>(bytes.size(), size);
  DeviceAddress to = (*buffers)[index];
  device.upload(to, bytes.data(), done);
  for (uint64_t more; done > 0 && done < size; done += more) {
    more = std::min(done, size - done);
    device.copy(to + done, to, more);
  }
}

std::vector<double> PackageEngine::timeStep(const StepRows &rows, bool wantsDecode, int repeats) {
  check.check(rows, wantsDecode);
  uploadRows(rows);
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    device.synchronize();
    device.startTimer();
    runAll(wantsDecode, rows.size(), {});
    seconds.push_back(device.stopTimer());
  }
  return seconds;
}

std::vector<double> PackageEngine::timeDispatches(const StepRows &rows, bool wantsDecode,
                                                  int repeats) {
  check.check(rows, wantsDecode);
  uploadRows(rows);
  std::vector<Launch> launches;
  for (const ReadyStep &step : programFor(wantsDecode).steps)
    if (step.kernel)
      launches.push_back(launchOf(step, rows.size()));
  return device.timeEach(launches, repeats);
}

/// Reads as many rows of 4096 bytes as its result has.
double PackageEngine::measureReadRate(int repeats) {
  ReadyProgram program;
  prepare(program, "read");
  if (!program.info || program.steps.empty() || !program.steps[0].kernel || program.steps[0].buffers.size() != 2)
    return 0;
  const std::vector<int64_t> &shape = package->manifest().buffers[program.steps[0].info->buffers[1]].shape;
  int64_t rows = shape.empty() ? 0 : shape[0];
  if (rows < 1)
    return 0;
  Launch launch = launchOf(program.steps[0], rows);
  std::vector<double> seconds = device.timeEach({&launch, 1}, repeats);
  return 4096.0 * rows / (seconds[1] - seconds[0]);
}

std::vector<LayerKernels> PackageEngine::countKernels(bool wantsDecode) {
  const ReadyProgram &program = programFor(wantsDecode);
  std::vector<LayerKernels> result;
  for (size_t layer = 0; layer < facts().layers.size(); ++layer) {
    std::vector<size_t> kernels = kernelsOfLayer(*program.info, facts().layers, layer);
    LayerKernels count{int64_t(layer), int64_t(kernels.size()), -1, promisedKernels(*program.info, facts().layers, layer)};
    if (replays()) {
      void *recording = device.record([&] {
        for (size_t i : kernels)
          device.launch(launchOf(program.steps[i], 1));
      });
      RecordedWork work = device.countWork(recording);
      device.forget(recording);
      count.recorded = work.kernels + work.copies + work.fills + work.others;
    }
    result.push_back(count);
  }
  return result;
}

std::vector<KernelTrace> PackageEngine::takeTrace() {
  std::vector<KernelTrace> traces;
  for (size_t i = 0; i < manifest().kernels.size(); ++i) {
    const KernelInfo &kernel = manifest().kernels[i];
    if (void *module = code.module(kernel.object); module && code.kernel(i))
      if (auto blocks = device.takeTrace(module, kernel.symbol); !blocks.empty())
        traces.push_back({kernel.name, std::move(blocks)});
  }
  return traces;
}

RecordedWork PackageEngine::countWork(int64_t rows, bool wantsDecode) {
  if (!device.records())
    return {};
  return device.countWork(recordingOf(wantsDecode ? StepKind::Decode : StepKind::Prefill, rows));
}

} // namespace cedilla
