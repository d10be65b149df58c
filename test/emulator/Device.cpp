//===- Device.cpp - the device that runs images of the emulated target ------------------------===//

#include "runtime/base/Error.h"
#include "test/emulator/Block.h"
#include "test/emulator/Code.h"
#include "test/emulator/Emulator.h"

#include <chrono>
#include <cstring>

namespace cedilla::emulator {

namespace {
struct Kernel {
  Code::Entry entry;
  KernelInfo info;
};

struct LoadedModule {
  Code code;
  std::vector<std::unique_ptr<Kernel>> kernels;
};

struct Emulated {
  Memory memory;
  FiberStacks stacks;
  std::chrono::steady_clock::time_point started;
};
} // namespace

static Emulated &emulated(void *self) { return *static_cast<Emulated *>(self); }
static void *pointer(DeviceAddress address) { return reinterpret_cast<void *>(address); }

static void *open(const DeviceOptions &) { return new Emulated; }
static void close(void *self) { delete &emulated(self); }
static std::string describe(void *) { return "emulator, one thread after the other"; }
static void checkChip(void *, const std::string &) {}
static uint64_t freeBytes(void *) { return UINT64_MAX; }

static DeviceAddress allocate(void *self, uint64_t bytes, std::string_view) {
  return emulated(self).memory.allocate(bytes);
}
static void release(void *self, DeviceAddress address) { emulated(self).memory.release(address); }
static void fill(void *, DeviceAddress to, uint8_t byte, uint64_t bytes) {
  std::memset(pointer(to), byte, bytes);
}
static void upload(void *, DeviceAddress to, const void *from, uint64_t bytes) {
  std::memcpy(pointer(to), from, bytes);
}
static void download(void *, void *to, DeviceAddress from, uint64_t bytes) {
  std::memcpy(to, pointer(from), bytes);
}

static void copy(void *, DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  std::memcpy(pointer(to), pointer(from), bytes);
}

static void *loadModule(void *self, std::span<const std::byte> image, const ObjectInfo &,
                        const std::string &where) {
  return new LoadedModule{{image, emulated(self).memory, where}, {}};
}
static void unloadModule(void *, void *module) { delete static_cast<LoadedModule *>(module); }

static void *getKernel(void *, void *module, const KernelInfo &info, const std::string &where) {
  auto &owner = *static_cast<LoadedModule *>(module);
  Code::Entry entry = owner.code.find(info.symbol);
  if (!entry)
    fail(Err::Unnumbered, where, ": kernel '", info.name, "': the image has no symbol '", info.symbol, "'");
  owner.kernels.push_back(std::make_unique<Kernel>(Kernel{entry, info}));
  return owner.kernels.back().get();
}

/// One phase at a time: a block that waits for others would wait forever.
static void runGrid(Emulated &device, const Kernel &kernel, const Launch &launch, int64_t phase,
                    const std::array<int64_t, 3> &blocks) {
  Grid grid;
  grid.kernel = launch.name;
  grid.entry = kernel.entry;
  grid.threads = kernel.info.threads;
  grid.sharedBytes = kernel.info.sharedBytes;
  grid.descending = launch.descending;
  int64_t rows = launch.rows, count = blocks[0] * blocks[1] * blocks[2];
  for (const DeviceAddress &address : launch.buffers)
    grid.parameters.push_back(const_cast<DeviceAddress *>(&address));
  grid.parameters.push_back(&rows);
  for (int dim = 0; dim < 3; ++dim)
    grid.blocks[dim] = blocks[dim];
  std::vector<int32_t> numbers(2 + 3 * kernel.info.phases, 1);
  if (kernel.info.phases) {
    numbers[0] = phase, numbers[1] = phase + 1;
    std::copy(blocks.begin(), blocks.end(), numbers.begin() + 2 + 3 * phase);
    for (int32_t &number : numbers)
      grid.parameters.push_back(&number);
    grid.blocks = {uint32_t(count), 1, 1};
  }
  device.memory.beginLaunch();
  Block block(grid, device.memory, device.stacks);
  for (int64_t i = 0; i < count; ++i) {
    uint32_t at = grid.descending ? count - 1 - i : i;
    block.run({at % grid.blocks[0], at / grid.blocks[0] % grid.blocks[1],
               at / grid.blocks[0] / grid.blocks[1]});
  }
}

static void launch(void *self, const Launch &launch) {
  auto &kernel = *static_cast<Kernel *>(launch.kernel);
  int64_t phase = launch.phase;
  runGrid(emulated(self), kernel, launch, phase, launch.grid);
  for (const std::array<int64_t, 3> &grid : launch.laterGrids)
    runGrid(emulated(self), kernel, launch, ++phase, grid);
}

static void synchronize(void *) {}
static void startTimer(void *self) { emulated(self).started = std::chrono::steady_clock::now(); }
static double stopTimer(void *self) {
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - emulated(self).started;
  return seconds.count();
}

const DeviceTable emulatorDevice = {
    .name = "emulator",
    .target = "nvptx",
    .hostMemory = false, // what is used in place would pass by the checks
    .open = open,
    .close = close,
    .describe = describe,
    .checkChip = checkChip,
    .freeBytes = freeBytes,
    .allocate = allocate,
    .release = release,
    .fill = fill,
    .upload = upload,
    .download = download,
    .copy = copy,
    .loadModule = loadModule,
    .unloadModule = unloadModule,
    .getKernel = getKernel,
    .launch = launch,
    .synchronize = synchronize,
    .startTimer = startTimer,
    .stopTimer = stopTimer,
};

} // namespace cedilla::emulator
