//===- TraceFile.cpp - a step as a timeline -------------------------------------------------------===//

#include "tools/ced-bench/TraceFile.h"

#include "runtime/base/Error.h"
#include "runtime/io/OutputFile.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>

namespace cedilla::bench {

namespace {
/// One block of one launch; times in nanoseconds.
struct BlockRun {
  uint64_t begin = 0, waited = 0, passed = 0, end = 0; ///< 0: never
  int multiprocessor = 0;
  int64_t block = 0;
};

struct TracedLaunch {
  std::string kernel;
  std::vector<BlockRun> blocks;

  template <typename Pick> uint64_t first(Pick pick) const;
  template <typename Pick> uint64_t last(Pick pick) const;
  uint64_t begin() const { return first([](const BlockRun &run) { return run.begin; }); }
  uint64_t end() const { return last([](const BlockRun &run) { return run.end; }); }
};
} // namespace

template <typename Pick> uint64_t TracedLaunch::first(Pick pick) const {
  uint64_t result = std::numeric_limits<uint64_t>::max();
  for (const BlockRun &run : blocks)
    result = pick(run) ? std::min(result, pick(run)) : result;
  return result;
}

template <typename Pick> uint64_t TracedLaunch::last(Pick pick) const {
  uint64_t result = 0;
  for (const BlockRun &run : blocks)
    result = std::max(result, pick(run));
  return result;
}

/// Runs of one block in order, whole ones.
static std::vector<BlockRun> runsOf(const std::vector<TraceEvent> &events, int64_t block) {
  std::vector<BlockRun> runs;
  BlockRun run;
  for (const TraceEvent &event : events) {
    if (event.point == TracePoint::Begin)
      run = {event.nanoseconds, 0, 0, 0, event.multiprocessor, block};
    else if (event.point == TracePoint::Waited && !run.waited)
      run.waited = event.nanoseconds;
    else if (event.point == TracePoint::Passed)
      run.passed = event.nanoseconds;
    else if (event.point == TracePoint::End && run.begin) {
      run.end = event.nanoseconds;
      runs.push_back(run);
    }
  }
  return runs;
}

/// The n-th run of each block of a kernel belongs to its n-th launch, counted from the last: a ring keeps the latest.
static std::vector<TracedLaunch> launchesOf(const KernelTrace &trace) {
  std::vector<std::vector<BlockRun>> runs;
  size_t most = 0;
  for (size_t block = 0; block < trace.blocks.size(); ++block) {
    runs.push_back(runsOf(trace.blocks[block], int64_t(block)));
    most = std::max(most, runs.back().size());
  }
  std::vector<TracedLaunch> launches(most);
  for (TracedLaunch &launch : launches)
    launch.kernel = trace.kernel;
  for (const std::vector<BlockRun> &ofBlock : runs)
    for (size_t i = 0; i < ofBlock.size(); ++i)
      launches[most - ofBlock.size() + i].blocks.push_back(ofBlock[i]);
  return launches;
}

/// A track of its multiprocessor that is free when the block begins.
static size_t trackOf(std::vector<uint64_t> &busyUntil, const BlockRun &run) {
  auto free = std::find_if(busyUntil.begin(), busyUntil.end(), [&](uint64_t end) { return end <= run.begin; });
  if (free == busyUntil.end())
    free = busyUntil.insert(free, 0);
  *free = run.end;
  return size_t(free - busyUntil.begin());
}

static nlohmann::json slice(const std::string &name, uint64_t from, uint64_t to, uint64_t zero, const BlockRun &run, size_t track) {
  return {{"name", name}, {"ph", "X"}, {"ts", double(from - zero) / 1e3}, {"dur", double(to - from) / 1e3},
          {"pid", run.multiprocessor}, {"tid", track}, {"args", {{"block", run.block}}}};
}

static nlohmann::json timelineOf(const std::vector<TracedLaunch> &launches, uint64_t zero) {
  struct Item {
    const std::string *kernel;
    const BlockRun *run;
  };
  std::vector<Item> items;
  for (const TracedLaunch &launch : launches)
    for (const BlockRun &run : launch.blocks)
      items.push_back({&launch.kernel, &run});
  std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.run->begin < b.run->begin; });
  nlohmann::json events = nlohmann::json::array();
  std::map<int, std::vector<uint64_t>> busyUntil; // tracks of each multiprocessor
  for (const Item &item : items) {
    const BlockRun &run = *item.run;
    size_t track = trackOf(busyUntil[run.multiprocessor], run);
    events.push_back(slice(*item.kernel, run.begin, run.end, zero, run, track));
    if (run.waited)
      events.push_back(slice("waits", run.begin, run.waited, zero, run, track));
  }
  for (const auto &[multiprocessor, tracks] : busyUntil)
    events.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", multiprocessor},
                      {"args", {{"name", "multiprocessor " + std::to_string(multiprocessor)}}}});
  return {{"displayTimeUnit", "ns"}, {"traceEvents", events}};
}

static void print(const std::vector<TracedLaunch> &launches, uint64_t zero) {
  std::printf("timeline in us: first and last block to begin, to have waited for the kernel before, past the last hand-over, first and last "
              "to end\n");
  for (const TracedLaunch &launch : launches) {
    auto us = [&](uint64_t time) { return time < zero || time == std::numeric_limits<uint64_t>::max() ? 0.0 : double(time - zero) / 1e3; };
    auto waited = [](const BlockRun &run) { return run.waited; };
    auto end = [](const BlockRun &run) { return run.end; };
    std::printf("  %-24s %4zu blocks  begin %8.2f %8.2f  waited %8.2f %8.2f  passed %8.2f  end %8.2f %8.2f\n", launch.kernel.c_str(),
                launch.blocks.size(), us(launch.begin()), us(launch.last([](const BlockRun &run) { return run.begin; })),
                us(launch.first(waited)), us(launch.last(waited)), us(launch.last([](const BlockRun &run) { return run.passed; })),
                us(launch.first(end)), us(launch.end()));
  }
}

void writeTrace(PackageEngine &engine, const StepRows &rows, bool decode, const std::string &file, bool quiet) {
  engine.takeTrace(); // of what ran before
  engine.timeStep(rows, decode, 1);
  std::vector<TracedLaunch> launches;
  for (const KernelTrace &trace : engine.takeTrace())
    for (TracedLaunch &launch : launchesOf(trace))
      launches.push_back(std::move(launch));
  if (launches.empty())
    fail(Err::Option, "--trace: expected a package with trace points (ced-compile --trace-points) and a device of target nvptx");
  std::sort(launches.begin(), launches.end(), [](const TracedLaunch &a, const TracedLaunch &b) { return a.end() < b.end(); });
  uint64_t zero = std::numeric_limits<uint64_t>::max();
  for (const TracedLaunch &launch : launches)
    zero = std::min(zero, launch.begin());
  if (!quiet)
    print(launches, zero);
  OutputFile out(file);
  std::string text = timelineOf(launches, zero).dump() + "\n";
  out.write(std::as_bytes(std::span(text)));
  out.keep();
}

} // namespace cedilla::bench
