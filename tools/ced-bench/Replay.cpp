//===- Replay.cpp - cases with right results, run on a device ---------------------------------===//

#include "tools/ced-bench/Replay.h"

#include "runtime/base/Error.h"
#include "runtime/device/Device.h"
#include "tools/ced-bench/Inputs.h"
#include "tools/ced-bench/ReplayList.h"
#include "tools/ced-bench/Values.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace cedilla::bench {

using Bytes = std::vector<uint8_t>;
using Contents = std::map<int64_t, Bytes>; ///< by buffer of the package

static constexpr uint64_t guardBytes = 256;
static constexpr uint8_t guardByte = 0xA5, poison = 0xFF;

namespace {
/// Device memory for the buffers of a case, between guards.
class Buffers {
public:
  Buffers(Device &device, const Contents &contents) : device(device) {
    for (const auto &[index, bytes] : contents) {
      DeviceAddress base = device.allocate(bytes.size() + 2 * guardBytes, "a buffer of a case");
      places[index] = {base, bytes.size()};
      device.fill(base, guardByte, bytes.size() + 2 * guardBytes);
      device.upload(base + guardBytes, bytes.data(), bytes.size());
    }
  }
  ~Buffers() {
    for (const auto &[index, place] : places)
      device.release(place.base);
  }
  Buffers(const Buffers &) = delete;

  DeviceAddress address(int64_t index) const { return places.at(index).base + guardBytes; }
  /// Fails when a guard was written.
  Contents read() const;

private:
  struct Place {
    DeviceAddress base;
    uint64_t bytes;
  };
  Device &device;
  std::map<int64_t, Place> places;
};

/// The package on the device; every image is loaded once.
class Replayer {
public:
  Replayer(const Package &package, Device &device) : package(package), device(device) {}
  ~Replayer() {
    for (auto &[object, module] : modules)
      device.unloadModule(module);
  }
  bool run(const ReplayCase &each, const ProgramInfo &program);

private:
  Contents initial(const ReplayCase &each) const;
  Contents launch(const ReplayCase &each, const ProgramInfo &program, const Contents &inputs);
  void *kernel(int64_t index);
  std::string judge(const ReplayCase &each, const Contents &found, std::string &summary) const;

  const Package &package;
  Device &device;
  std::map<int64_t, void *> modules, kernels;
};
} // namespace

Contents Buffers::read() const {
  Contents contents;
  for (const auto &[index, place] : places) {
    Bytes bytes(place.bytes + 2 * guardBytes);
    device.download(bytes.data(), place.base, bytes.size());
    auto begin = bytes.begin() + guardBytes, end = bytes.end() - guardBytes;
    auto isGuard = [](uint8_t byte) { return byte == guardByte; };
    if (!std::all_of(bytes.begin(), begin, isGuard) || !std::all_of(end, bytes.end(), isGuard))
      failInternal("wrote outside of buffer ", index);
    contents[index] = Bytes(begin, end);
  }
  return contents;
}

Contents Replayer::initial(const ReplayCase &each) const {
  Contents contents;
  for (int64_t index : each.buffers) {
    const BufferInfo &buffer = package.manifest().buffers[index];
    Bytes &bytes = contents[index];
    bytes.assign(buffer.bytes, poison);
    if (buffer.kind != "constant")
      continue;
    std::span<const std::byte> constant = package.constant(buffer);
    std::copy_n(reinterpret_cast<const uint8_t *>(constant.data()), bytes.size(), bytes.begin());
  }
  for (const ReplayInput &input : each.generated)
    fillInput(std::as_writable_bytes(std::span(contents.at(input.buffer))), input.dtype,
              InputRange::Usual, input.seed, input.stream);
  return contents;
}

void *Replayer::kernel(int64_t index) {
  void *&found = kernels[index];
  if (found)
    return found;
  const KernelInfo &info = package.manifest().kernels[index];
  void *&module = modules[info.object];
  if (!module) {
    device.checkChip(package.manifest().objects[info.object].chip);
    module = device.loadModule(package.object(info.object), package.manifest().objects[info.object], package.path());
  }
  return found = device.getKernel(module, info, package.path());
}

Contents Replayer::launch(const ReplayCase &each, const ProgramInfo &program, const Contents &inputs) {
  Buffers buffers(device, inputs);
  for (const StepInfo &step : program.steps) {
    std::vector<DeviceAddress> addresses;
    for (int64_t index : step.buffers)
      addresses.push_back(buffers.address(index));
    Launch launch;
    launch.kernel = kernel(step.kernel);
    launch.buffers = addresses;
    launch.rows = each.rows;
    auto blocksOf = [&](const std::vector<GridDim> &grid) {
      std::array<int64_t, 3> blocks = {1, 1, 1};
      for (size_t dim = 0; dim < grid.size(); ++dim)
        blocks[dim] = grid[dim].blocks(each.rows);
      return blocks;
    };
    launch.grid = blocksOf(step.grid);
    for (const std::vector<GridDim> &grid : step.laterGrids)
      launch.laterGrids.push_back(blocksOf(grid));
    launch.name = package.manifest().kernels[step.kernel].name;
    device.launch(launch);
    device.synchronize();
  }
  return buffers.read();
}

/// What is wrong; empty: nothing. `summary` says how far each result is from the right one.
std::string Replayer::judge(const ReplayCase &each, const Contents &found, std::string &summary) const {
  std::string wrong;
  for (size_t i = 0; i < each.results.size(); ++i) {
    const ReplayResult &result = each.results[i];
    std::vector<Bytes> ours, right;
    for (int64_t index : result.found)
      ours.push_back(found.at(index));
    for (size_t part = 0; part < result.expected.size(); ++part) {
      std::span<const std::byte> bytes = package.constant(package.manifest().buffers[result.expected[part]]);
      auto *begin = reinterpret_cast<const uint8_t *>(bytes.data());
      right.emplace_back(begin, begin + bytes.size());
    }
    Difference difference = compare(withParts(result.like(), right, result.expectedShapes),
                                    withParts(result.like(), ours, result.foundShapes),
                                    {result.ulp, result.absolute, result.codes}, result.counted);
    char text[64];
    std::snprintf(text, sizeof text, "%s%g %s", i ? "; " : "", difference.worst, difference.unit);
    summary += text;
    if (!difference.where.empty() && wrong.empty())
      wrong = "result " + std::to_string(i) + ": " + difference.where;
  }
  return wrong;
}

/// Throws when the device or a guard reports a fault.
bool Replayer::run(const ReplayCase &each, const ProgramInfo &program) {
  Contents inputs = initial(each), first = launch(each, program, inputs);
  std::string summary, wrong = judge(each, first, summary);
  for (const auto &[index, bytes] : inputs)
    if (std::find(each.written.begin(), each.written.end(), index) == each.written.end() &&
        bytes != first[index])
      wrong += " changed buffer " + std::to_string(index) + ", which it may only read";
  Contents second = launch(each, program, inputs);
  for (const ReplayResult &result : each.results)
    for (int64_t index : result.found)
      if (wrong.empty() && first[index] != second[index])
        wrong = "two runs have different bits";
  std::printf("%s %s: %s%s%s\n", wrong.empty() ? "ok   " : "WRONG", each.program.c_str(),
              summary.c_str(), wrong.empty() ? "" : "; ", wrong.c_str());
  return wrong.empty();
}

//===------------------------------------------------------------------------------------------===//
// Processes
//===------------------------------------------------------------------------------------------===//

namespace {
struct Work {
  const ReplayCase *each;
  const ProgramInfo *program;
};
} // namespace

static constexpr char good = '+', bad = '-';
static constexpr unsigned patience = 60; ///< seconds

static const char *targetOf(const std::string &device) { return device == "cpu" ? "x86" : "nvptx"; }

static std::vector<Work> select(const Package &package, const std::vector<ReplayCase> &cases,
                                const std::string &target, const std::string &filter) {
  const Manifest &m = package.manifest();
  std::map<std::string_view, const ProgramInfo *> programs;
  for (const ProgramInfo &program : m.programs)
    programs[program.name] = &program;
  std::vector<Work> work;
  for (const ReplayCase &each : cases) {
    auto program = programs.find(each.program);
    if (program == programs.end() || program->second->steps.empty())
      fail(Err::NotToMeasure, package.path(), ": replay list: no program '", each.program, "'");
    const KernelInfo &kernel = m.kernels[program->second->steps[0].kernel];
    if (m.objects[kernel.object].target == target && each.program.find(filter) != std::string::npos)
      work.push_back({&each, program->second});
  }
  if (work.empty())
    fail(Err::NotToMeasure, package.path(), ": no case for target '", target, "' matches '", filter, "'");
  return work;
}

/// In the child: one byte per case, until the first fault.
static void runUntilFault(const Package &package, const std::string &deviceName,
                          std::span<const Work> work, int answers) {
  auto answer = [&](char byte) {
    std::fflush(stdout);
    if (write(answers, &byte, 1) != 1)
      _exit(1);
  };
  Device device = openDevice(deviceName);
  Replayer replayer(package, device);
  for (const Work &each : work) {
    alarm(patience);
    try {
      answer(replayer.run(*each.each, *each.program) ? good : bad);
    } catch (const Error &error) {
      std::printf("WRONG %s: %s\n", each.each->program.c_str(), error.what());
      answer(bad);
      _exit(0); // without asking the device for anything more
    }
  }
}

/// The child's bytes; fewer than cases after a fault.
static std::string runInChild(const Package &package, const std::string &device,
                              std::span<const Work> work) {
  int ends[2];
  std::fflush(stdout);
  if (pipe(ends) != 0)
    failInternal("replay: no pipe");
  pid_t child = fork();
  if (child < 0)
    failInternal("replay: no process");
  if (child == 0) {
    close(ends[0]);
    try {
      runUntilFault(package, device, work, ends[1]);
    } catch (const Error &error) {
      std::fprintf(stderr, "error: %s\n", error.line().c_str());
      _exit(2);
    }
    std::fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  std::string bytes;
  for (char byte; read(ends[0], &byte, 1) == 1;)
    bytes += byte;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
    fail(Err::DeviceName, "no device to replay on"); // the child has said why
  if (WIFSIGNALED(status) && bytes.size() < work.size()) {
    std::printf("WRONG %s: no answer%s\n", work[bytes.size()].each->program.c_str(),
                WTERMSIG(status) == SIGALRM ? " within a minute" : ", the process crashed");
    bytes += bad;
  }
  return bytes;
}

bool replay(const Package &package, const std::string &device, const std::string &filter) {
  std::vector<ReplayCase> cases = readReplayList(package);
  std::vector<Work> work = select(package, cases, targetOf(device), filter);
  std::string answers;
  while (answers.size() < work.size()) {
    std::string more = runInChild(package, device, std::span(work).subspan(answers.size()));
    if (more.empty())
      failInternal("replay: a process ended without an answer");
    answers += more;
  }
  size_t wrong = std::count(answers.begin(), answers.end(), bad);
  std::printf("%zu cases ok, %zu wrong\n", answers.size() - wrong, wrong);
  return wrong == 0;
}

} // namespace cedilla::bench
