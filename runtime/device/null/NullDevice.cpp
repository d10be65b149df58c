//===- NullDevice.cpp - the null device: says what it would do -------------------------------------===//
//
// The skeleton to copy for a new device, and a way to see a package's list without running it. It takes
// objects of every target, hands out addresses that nobody may touch, and answers downloads with zeros.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/device/Device.h"

#include <cstdio>
#include <cstring>

namespace cedilla {

namespace {
struct NullDevice {
  DeviceAddress next = 64;
};
} // namespace

static void *open(const DeviceOptions &) { return new NullDevice; }
static void close(void *self) { delete static_cast<NullDevice *>(self); }
static std::string describe(void *) { return "null, runs nothing"; }
static void checkChip(void *, const std::string &) {}
static uint64_t freeBytes(void *) { return UINT64_MAX; }

static DeviceAddress allocate(void *self, uint64_t bytes, std::string_view what) {
  DeviceAddress &next = static_cast<NullDevice *>(self)->next;
  DeviceAddress address = next;
  next += (bytes + 63) / 64 * 64;
  std::fprintf(stderr, "null: allocate %llu bytes for %.*s\n",
               static_cast<unsigned long long>(bytes), static_cast<int>(what.size()), what.data());
  return address;
}

static void release(void *, DeviceAddress) {}
static void fill(void *, DeviceAddress, uint8_t, uint64_t) {}
static void upload(void *, DeviceAddress, const void *, uint64_t) {}
static void download(void *, void *to, DeviceAddress, uint64_t bytes) { std::memset(to, 0, bytes); }
static void copy(void *, DeviceAddress, DeviceAddress, uint64_t) {}

// Modules and kernels are only told apart from null.
static char token;
static void *loadModule(void *, std::span<const std::byte> image, const ObjectInfo &,
                        const std::string &where) {
  std::fprintf(stderr, "null: load %zu bytes of code, %s\n", image.size(), where.c_str());
  return &token;
}
static void unloadModule(void *, void *) {}
static void *getKernel(void *, void *, const KernelInfo &, const std::string &) { return &token; }

static void launch(void *, const Launch &launch) {
  std::fprintf(stderr, "null: launch %.*s over %lld x %lld x %lld blocks, %lld rows, %zu buffers\n",
               static_cast<int>(launch.name.size()), launch.name.data(),
               static_cast<long long>(launch.grid[0]), static_cast<long long>(launch.grid[1]),
               static_cast<long long>(launch.grid[2]), static_cast<long long>(launch.rows),
               launch.buffers.size());
  for (const auto &grid : launch.laterGrids)
    std::fprintf(stderr, "null:   and a phase over %lld x %lld x %lld blocks\n", static_cast<long long>(grid[0]),
                 static_cast<long long>(grid[1]), static_cast<long long>(grid[2]));
}

static void synchronize(void *) {}
static void startTimer(void *) {}
static double stopTimer(void *) { return 0; }

const DeviceTable nullDevice = {
    .name = "null",
    .target = "",
    .hostMemory = false,
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

} // namespace cedilla
