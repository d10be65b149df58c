//===- Watch.cpp - what --check and --record make of a package -------------------------------------===//

#include "runtime/debug/Watch.h"

#include "runtime/base/Program.h"

#include <cinttypes>
#include <cstdio>

namespace cedilla::debug {

std::unique_ptr<Engine> Watch::around(std::unique_ptr<PackageEngine> engine, bool check, const std::string &record) {
  if (!record.empty()) {
    writer = std::make_shared<SafetensorsWriter>(record);
    return std::make_unique<RecordingEngine>(std::move(engine), writer);
  }
  if (!check)
    return engine;
  counts = std::make_shared<CheckCounts>();
  return std::make_unique<CheckedEngine>(std::move(engine), counts);
}

int Watch::finish(int status) {
  if (status != 0)
    return status;
  if (writer)
    return runProgram([&] { return writer->write(), 0; });
  if (counts)
    std::printf("check passed: %" PRId64 " steps, %" PRId64 " dispatches, %" PRId64 " lists, %" PRId64 " cache rows\n",
                counts->steps, counts->dispatches, counts->lists, counts->cacheRows);
  return status;
}

} // namespace cedilla::debug
