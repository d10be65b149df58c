//===- Device.h - where a package runs: a table of functions ---------------------------------------===//
//
// A device is a folder that fills one DeviceTable; device/Devices.cpp lists them. Whoever runs a program
// uses the Device below and never asks which one it is, except through the facts of its table. Copy
// device/null to begin a new one.
//
// Addresses are numbers: host pointers where `hostMemory` is true, the driver's otherwise. Work is in
// order: a launch sees what earlier uploads, fills and launches wrote; a download waits for them. All
// functions throw cedilla::Error; a device is used by one thread at a time.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/package/Trace.h"
#include "runtime/package/Manifest.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla {

using DeviceAddress = uint64_t;

struct DeviceOptions {
  int ordinal = 0; ///< the 0 of "cuda:0"
  int threads = 0; ///< cpu: worker threads; 0 = one per processor the process may use
  bool poison = false; ///< fill scratch that no kernel may read before writing with NaN bytes
  std::string chip;    ///< cpu: the only level to run, the avx2 of "cpu:avx2"; empty: the best of those the package has
  std::vector<std::string_view> features; ///< cpu: stand for what the processor has, for tests that run nothing
  bool dependent = true; ///< cuda: start kernels that wait themselves before their predecessor ends
};

/// One dispatch, resolved.
struct Launch {
  void *kernel = nullptr; ///< from DeviceTable::getKernel
  std::span<const DeviceAddress> buffers;
  int64_t rows = 0;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::vector<std::array<int64_t, 3>> laterGrids; ///< of the phases to run behind the first
  int64_t phase = 0; ///< which of the kernel's phases `grid` belongs to
  std::string_view name; ///< for people
  bool descending = false; ///< cpu: begin with the last block; a check that blocks do not rely on each other
};

/// Host memory of the device's making that its kernels can read.
struct HostBlock {
  void *memory = nullptr;
  DeviceAddress address = 0;
};

/// What a recording holds.
struct RecordedWork {
  int64_t kernels = 0, copies = 0, fills = 0, others = 0;
};

struct DeviceTable {
  const char *name;   ///< what people type: "cpu", "cuda"
  const char *target; ///< the ObjectInfo::target it runs; empty: all
  bool hostMemory;    ///< addresses are host pointers: mapped weights are used in place

  /// Fails in one line when there is no such device here.
  void *(*open)(const DeviceOptions &options);
  void (*close)(void *self);
  /// One line: what was found.
  std::string (*describe)(void *self);
  /// Fails with found and required when code for `chip` cannot run here. Called before weights load.
  void (*checkChip)(void *self, const std::string &chip);
  /// Bytes that an allocation may hope for.
  uint64_t (*freeBytes)(void *self);

  /// Zeroed and aligned to at least 64 bytes.
  DeviceAddress (*allocate)(void *self, uint64_t bytes, std::string_view what);
  void (*release)(void *self, DeviceAddress address);
  void (*fill)(void *self, DeviceAddress to, uint8_t byte, uint64_t bytes);
  void (*upload)(void *self, DeviceAddress to, const void *from, uint64_t bytes);
  void (*download)(void *self, void *to, DeviceAddress from, uint64_t bytes);
  /// From one place of the device to another; they do not overlap.
  void (*copy)(void *self, DeviceAddress to, DeviceAddress from, uint64_t bytes);

  /// The image may go away after the call. `where` opens the message of a failure.
  void *(*loadModule)(void *self, std::span<const std::byte> image, const ObjectInfo &info,
                      const std::string &where);
  void (*unloadModule)(void *self, void *module);
  /// Lives as long as the module; fails when the symbol is missing or asks for too much.
  void *(*getKernel)(void *self, void *module, const KernelInfo &kernel, const std::string &where);
  void (*launch)(void *self, const Launch &launch);
  /// Waits for all work and reports its faults.
  void (*synchronize)(void *self);

  /// Seconds of the device's own clock between the two, for the work in between.
  void (*startTimer)(void *self);
  double (*stopTimer)(void *self);

  // Everything below may be null, each group as a whole, where a device has no such thing.

  /// Of chips that the device can run, the one with the largest number is taken; the package's first where they are equal.
  int (*rankChip)(const std::string &chip) = nullptr;

  /// `bytes` of addresses behind which the same `*distinct` bytes (rounded up) lie over and over, zero or
  /// not. For tables whose contents do not matter.
  DeviceAddress (*allocateRepeated)(void *self, uint64_t bytes, uint64_t *distinct,
                                    std::string_view what) = nullptr;
  void (*releaseRepeated)(void *self, DeviceAddress address) = nullptr;

  /// Host memory that kernels read where it lies, for tables that need not be on the device. `mapHost`
  /// lends the caller's memory (read-only, until unmapHost) and is false where that cannot be done; then
  /// memory from allocateHost can be filled instead. Addresses keep their alignment.
  bool (*mapHost)(void *self, const void *memory, uint64_t bytes, DeviceAddress *address) = nullptr;
  void (*unmapHost)(void *self, const void *memory) = nullptr;
  HostBlock (*allocateHost)(void *self, uint64_t bytes, std::string_view what) = nullptr;
  void (*releaseHost)(void *self, const HostBlock &block) = nullptr;

  /// Runs `work`, whose launches are kept and not run; a replay runs them all, in order, with the buffers,
  /// grids and rows they had. `work` may do nothing else on the device.
  void *(*record)(void *self, const std::function<void()> &work) = nullptr;
  void (*replay)(void *self, void *recording) = nullptr;
  void (*forget)(void *self, void *recording) = nullptr;
  RecordedWork (*countWork)(void *self, void *recording) = nullptr;

  /// Runs the launches in order, `repeats` times. Median seconds: first of nothing (what taking a time
  /// costs), then of each launch.
  std::vector<double> (*timeEach)(void *self, std::span<const Launch> launches,
                                  int repeats) = nullptr;

  /// By block, what a kernel with trace points has written down since the last call (runtime/package/Trace.h); empty where it has none.
  std::vector<std::vector<TraceEvent>> (*takeTrace)(void *self, void *module, const std::string &symbol) = nullptr;
};

/// A table with its opened state; closes it when it goes.
class Device {
public:
  Device(const DeviceTable &table, const DeviceOptions &options)
      : table(&table), self(table.open(options), table.close) {}

  const char *name() const { return table->name; }
  bool runs(const std::string &target) const { return !*table->target || target == table->target; }
  const char *target() const { return table->target; }
  bool hostMemory() const { return table->hostMemory; }
  std::string describe() const { return table->describe(self.get()); }
  int rankChip(const std::string &chip) const { return table->rankChip ? table->rankChip(chip) : 0; }
  void checkChip(const std::string &chip) const { table->checkChip(self.get(), chip); }
  uint64_t freeBytes() const { return table->freeBytes(self.get()); }

  DeviceAddress allocate(uint64_t bytes, std::string_view what) {
    return table->allocate(self.get(), bytes, what);
  }
  void release(DeviceAddress address) { table->release(self.get(), address); }
  void fill(DeviceAddress to, uint8_t byte, uint64_t n) { table->fill(self.get(), to, byte, n); }
  void upload(DeviceAddress to, const void *from, uint64_t bytes) {
    table->upload(self.get(), to, from, bytes);
  }
  void download(void *to, DeviceAddress from, uint64_t bytes) {
    table->download(self.get(), to, from, bytes);
  }
  void copy(DeviceAddress to, DeviceAddress from, uint64_t n) { table->copy(self.get(), to, from, n); }
  void *loadModule(std::span<const std::byte> image, const ObjectInfo &info,
                   const std::string &where) {
    return table->loadModule(self.get(), image, info, where);
  }
  void unloadModule(void *module) { table->unloadModule(self.get(), module); }
  void *getKernel(void *module, const KernelInfo &kernel, const std::string &where) {
    return table->getKernel(self.get(), module, kernel, where);
  }
  void launch(const Launch &launch) { table->launch(self.get(), launch); }
  void synchronize() { table->synchronize(self.get()); }
  void startTimer() { table->startTimer(self.get()); }
  double stopTimer() { return table->stopTimer(self.get()); }

  bool repeatsMemory() const { return table->allocateRepeated; }
  DeviceAddress allocateRepeated(uint64_t bytes, uint64_t *distinct, std::string_view what) {
    return table->allocateRepeated(self.get(), bytes, distinct, what);
  }
  void releaseRepeated(DeviceAddress address) { table->releaseRepeated(self.get(), address); }

  bool readsHostMemory() const { return table->mapHost; }
  bool mapHost(const void *memory, uint64_t bytes, DeviceAddress *address) {
    return table->mapHost(self.get(), memory, bytes, address);
  }
  void unmapHost(const void *memory) { table->unmapHost(self.get(), memory); }
  HostBlock allocateHost(uint64_t bytes, std::string_view what) {
    return table->allocateHost(self.get(), bytes, what);
  }
  void releaseHost(const HostBlock &block) { table->releaseHost(self.get(), block); }

  bool records() const { return table->record; }
  void *record(const std::function<void()> &work) { return table->record(self.get(), work); }
  void replay(void *recording) { table->replay(self.get(), recording); }
  void forget(void *recording) { table->forget(self.get(), recording); }
  RecordedWork countWork(void *recording) { return table->countWork(self.get(), recording); }

  std::vector<std::vector<TraceEvent>> takeTrace(void *module, const std::string &symbol) {
    return table->takeTrace ? table->takeTrace(self.get(), module, symbol) : std::vector<std::vector<TraceEvent>>();
  }

  /// The device's way, or its timer around one launch after the other.
  std::vector<double> timeEach(std::span<const Launch> launches, int repeats);

private:
  const DeviceTable *table;
  std::unique_ptr<void, void (*)(void *)> self;
};

extern const DeviceTable cpuDevice, cudaDevice, nullDevice;

/// Opens "cpu", "null", "cuda", "cuda:1". Fails on an unknown name.
Device openDevice(std::string_view name, DeviceOptions options = {});

} // namespace cedilla
