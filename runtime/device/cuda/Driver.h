//===- Driver.h - the part of the CUDA driver API that is used --------------------------------------===//
//
// Declared here and looked up in libcuda.so.1 when a device is opened: building needs no CUDA, and a
// program that never opens the device runs where there is none. Names and values are those of the
// driver's documented interface; `_v2` is part of the exported symbols.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cedilla::cuda {

using Result = int; ///< 0: success
using DeviceId = int;
using Context = struct ContextOpaque *;
using Module = struct ModuleOpaque *;
using Function = struct FunctionOpaque *;
using Stream = struct StreamOpaque *;
using Event = struct EventOpaque *;
using Address = uint64_t;

enum DeviceAttribute : int {
  MaxSharedPerBlockOptIn = 97,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
};
enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  MaxDynamicSharedBytes = 8,
};

struct Driver {
  Result (*init)(unsigned flags);
  Result (*getErrorName)(Result, const char **);
  Result (*getErrorString)(Result, const char **);
  Result (*deviceGetCount)(int *);
  Result (*deviceGet)(DeviceId *, int ordinal);
  Result (*deviceGetName)(char *, int length, DeviceId);
  Result (*deviceGetAttribute)(int *, DeviceAttribute, DeviceId);
  Result (*primaryContextRetain)(Context *, DeviceId);
  Result (*primaryContextRelease)(DeviceId);
  Result (*contextSetCurrent)(Context);
  Result (*contextSynchronize)();
  Result (*memoryGetInfo)(size_t *free, size_t *total);
  Result (*memoryAllocate)(Address *, size_t bytes);
  Result (*memoryFree)(Address);
  Result (*memorySet)(Address, unsigned char, size_t bytes);
  Result (*copyToDevice)(Address, const void *, size_t bytes);
  Result (*copyToHost)(void *, Address, size_t bytes);
  Result (*moduleLoadData)(Module *, const void *image);
  Result (*moduleUnload)(Module);
  Result (*moduleGetFunction)(Function *, Module, const char *name);
  Result (*functionGetAttribute)(int *, FunctionAttribute, Function);
  Result (*functionSetAttribute)(Function, FunctionAttribute, int value);
  Result (*launchKernel)(Function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                         unsigned blockY, unsigned blockZ, unsigned sharedBytes, Stream,
                         void **parameters, void **extra);
  Result (*eventCreate)(Event *, unsigned flags);
  Result (*eventDestroy)(Event);
  Result (*eventRecord)(Event, Stream);
  Result (*eventSynchronize)(Event);
  Result (*eventElapsedTime)(float *milliseconds, Event from, Event to);

  /// Fail with "cuda: <what>: <the driver's words>" unless the result is success: `check` where only a
  /// fault of ours or of the machine can be the cause, `require` where it is what the user asked for.
  void check(Result result, const std::string &what) const;
  void require(Result result, const std::string &what) const;
};

/// Opens the driver library once. Fails in one line when there is none, or it is too old.
const Driver &driver();

} // namespace cedilla::cuda
