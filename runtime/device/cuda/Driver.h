//===- Driver.h - the part of the CUDA driver API that is used --------------------------------------===//
//
// Declared here and looked up in libcuda.so.1 when a device is opened: building needs no CUDA, and a
// program that never opens the device runs where there is none. Names and values are those of the
// driver's documented interface; `_v2` is part of the exported symbols.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/base/Error.h"

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
using Graph = struct GraphOpaque *;
using GraphExec = struct GraphExecOpaque *;
using GraphNode = struct GraphNodeOpaque *;
using Address = uint64_t;

enum DeviceAttribute : int {
  MultiprocessorCount = 16,
  L2CacheBytes = 38,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  MaxSharedPerBlockOptIn = 97,
  ReadOnlyHostRegister = 113,
};
enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  RegistersPerThread = 4,
  MaxDynamicSharedBytes = 8,
};

// Flags and modes of the functions below.
inline constexpr unsigned streamNonBlocking = 1, eventDefault = 0, eventRecordExternal = 1;
inline constexpr unsigned hostAllocDeviceMap = 2;
inline constexpr unsigned hostRegisterDeviceMap = 2, hostRegisterReadOnly = 8;
inline constexpr int captureThreadLocal = 1;
enum GraphNodeType : int { KernelNode = 0, CopyNode = 1, FillNode = 2 };

/// One attribute of a launch: an id and 64 bytes of value.
struct LaunchAttribute {
  /// The kernel waits for its predecessor itself and may be started before that has ended.
  static constexpr int programmaticSerialization = 6;
  int id;
  char unused[4];
  union {
    char bytes[64];
    int allowed;
  } value;
};
/// What cuMemCreate is asked for, and who may use what is mapped.
struct MemoryLocation {
  static constexpr int device = 1;
  int type, id;
};
struct AllocationProperties {
  static constexpr int pinned = 1;
  int type, handleTypes;
  MemoryLocation location;
  void *metaData;
  unsigned char flags[8];
};
struct AccessDescription {
  static constexpr int readWrite = 3;
  MemoryLocation location;
  int flags;
};
using MemoryHandle = unsigned long long;

struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

struct Driver {
  Result (*init)(unsigned flags);
  Result (*driverVersion)(int *); ///< 1000 * major + 10 * minor of the newest CUDA it runs
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
  Result (*memorySet)(Address, unsigned char, size_t bytes, Stream);
  Result (*copyToDevice)(Address, const void *, size_t bytes, Stream);
  Result (*copyToHost)(void *, Address, size_t bytes, Stream);
  Result (*copyOnDevice)(Address to, Address from, size_t bytes, Stream);
  Result (*hostAllocate)(void **, size_t bytes, unsigned flags);
  Result (*hostFree)(void *);
  Result (*hostRegister)(void *, size_t bytes, unsigned flags);
  Result (*hostUnregister)(void *);
  Result (*hostDeviceAddress)(Address *, void *, unsigned flags);
  Result (*memoryGranularity)(size_t *, const AllocationProperties *, int option);
  Result (*memoryCreate)(MemoryHandle *, size_t bytes, const AllocationProperties *,
                         unsigned long long flags);
  Result (*memoryRelease)(MemoryHandle);
  Result (*addressReserve)(Address *, size_t bytes, size_t alignment, Address wish,
                           unsigned long long flags);
  Result (*addressFree)(Address, size_t bytes);
  Result (*memoryMap)(Address, size_t bytes, size_t offset, MemoryHandle, unsigned long long flags);
  Result (*memoryUnmap)(Address, size_t bytes);
  Result (*memorySetAccess)(Address, size_t bytes, const AccessDescription *, size_t count);
  Result (*moduleLoadData)(Module *, const void *image);
  Result (*moduleUnload)(Module);
  Result (*moduleGetFunction)(Function *, Module, const char *name);
  Result (*moduleGetGlobal)(Address *, size_t *bytes, Module, const char *name);
  Result (*functionGetAttribute)(int *, FunctionAttribute, Function);
  Result (*functionSetAttribute)(Function, FunctionAttribute, int value);
  Result (*residentBlocks)(int *perMultiprocessor, Function, int threads, size_t sharedBytes);
  Result (*launchKernel)(const LaunchConfig *, Function, void **parameters, void **extra);
  Result (*streamCreate)(Stream *, unsigned flags);
  Result (*streamDestroy)(Stream);
  Result (*streamSynchronize)(Stream);
  Result (*captureBegin)(Stream, int mode);
  Result (*captureEnd)(Stream, Graph *);
  Result (*graphInstantiate)(GraphExec *, Graph, unsigned long long flags);
  Result (*graphLaunch)(GraphExec, Stream);
  Result (*graphExecDestroy)(GraphExec);
  Result (*graphDestroy)(Graph);
  Result (*graphNodes)(Graph, GraphNode *, size_t *count);
  Result (*graphNodeType)(GraphNode, int *);
  Result (*eventCreate)(Event *, unsigned flags);
  Result (*eventDestroy)(Event);
  Result (*eventRecord)(Event, Stream);
  Result (*eventRecordWithFlags)(Event, Stream, unsigned flags);
  Result (*eventSynchronize)(Event);
  Result (*eventElapsedTime)(float *milliseconds, Event from, Event to);

  /// Fail with "cuda: <what>: <the driver's words>" unless the result is success: `check` where only a
  /// fault of ours or of the machine can be the cause, `require` where it is what the user asked for.
  void check(Result result, const std::string &what) const;
  void require(Result result, Err kind, const std::string &what) const;
};

/// Opens the driver library once. Fails in one line when there is none, or it is too old.
const Driver &driver();

} // namespace cedilla::cuda
