//===- Driver.cpp - looking up the CUDA driver ------------------------------------------------------===//

#include "runtime/device/cuda/Driver.h"

#include "runtime/base/Error.h"

#include <dlfcn.h>

namespace cedilla::cuda {

namespace {
struct Loader {
  void *library;
  template <typename F>
  void operator()(F &function, const char *name) const {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function)
      fail(Err::Driver, "cuda: the driver has no '", name, "'; a newer NVIDIA driver is needed");
  }
};
} // namespace

static Driver load() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail(Err::Driver, "cuda: no NVIDIA driver here (", dlerror(), ")");
  Loader get{library};
  Driver d;
  get(d.init, "cuInit");
  get(d.driverVersion, "cuDriverGetVersion");
  get(d.getErrorName, "cuGetErrorName");
  get(d.getErrorString, "cuGetErrorString");
  get(d.deviceGetCount, "cuDeviceGetCount");
  get(d.deviceGet, "cuDeviceGet");
  get(d.deviceGetName, "cuDeviceGetName");
  get(d.deviceGetAttribute, "cuDeviceGetAttribute");
  get(d.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  get(d.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
  get(d.contextSetCurrent, "cuCtxSetCurrent");
  get(d.contextSynchronize, "cuCtxSynchronize");
  get(d.memoryGetInfo, "cuMemGetInfo_v2");
  get(d.memoryAllocate, "cuMemAlloc_v2");
  get(d.memoryFree, "cuMemFree_v2");
  get(d.memorySet, "cuMemsetD8Async");
  get(d.copyToDevice, "cuMemcpyHtoDAsync_v2");
  get(d.copyToHost, "cuMemcpyDtoHAsync_v2");
  get(d.copyOnDevice, "cuMemcpyDtoDAsync_v2");
  get(d.hostAllocate, "cuMemHostAlloc");
  get(d.hostFree, "cuMemFreeHost");
  get(d.hostRegister, "cuMemHostRegister_v2");
  get(d.hostUnregister, "cuMemHostUnregister");
  get(d.hostDeviceAddress, "cuMemHostGetDevicePointer_v2");
  get(d.memoryGranularity, "cuMemGetAllocationGranularity");
  get(d.memoryCreate, "cuMemCreate");
  get(d.memoryRelease, "cuMemRelease");
  get(d.addressReserve, "cuMemAddressReserve");
  get(d.addressFree, "cuMemAddressFree");
  get(d.memoryMap, "cuMemMap");
  get(d.memoryUnmap, "cuMemUnmap");
  get(d.memorySetAccess, "cuMemSetAccess");
  get(d.moduleLoadData, "cuModuleLoadData");
  get(d.moduleUnload, "cuModuleUnload");
  get(d.moduleGetFunction, "cuModuleGetFunction");
  get(d.moduleGetGlobal, "cuModuleGetGlobal_v2");
  get(d.functionGetAttribute, "cuFuncGetAttribute");
  get(d.functionSetAttribute, "cuFuncSetAttribute");
  get(d.residentBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  get(d.launchKernel, "cuLaunchKernelEx");
  get(d.streamCreate, "cuStreamCreate");
  get(d.streamDestroy, "cuStreamDestroy_v2");
  get(d.streamSynchronize, "cuStreamSynchronize");
  get(d.captureBegin, "cuStreamBeginCapture_v2");
  get(d.captureEnd, "cuStreamEndCapture");
  get(d.graphInstantiate, "cuGraphInstantiateWithFlags");
  get(d.graphLaunch, "cuGraphLaunch");
  get(d.graphExecDestroy, "cuGraphExecDestroy");
  get(d.graphDestroy, "cuGraphDestroy");
  get(d.graphNodes, "cuGraphGetNodes");
  get(d.graphNodeType, "cuGraphNodeGetType");
  get(d.eventCreate, "cuEventCreate");
  get(d.eventDestroy, "cuEventDestroy_v2");
  get(d.eventRecord, "cuEventRecord");
  get(d.eventRecordWithFlags, "cuEventRecordWithFlags");
  get(d.eventSynchronize, "cuEventSynchronize");
  get(d.eventElapsedTime, "cuEventElapsedTime");
  d.require(d.init(0), Err::Driver, "cannot start the NVIDIA driver");
  return d;
}

const Driver &driver() {
  static const Driver loaded = load();
  return loaded;
}

static std::string describe(const Driver &driver, Result result, const std::string &what) {
  const char *name = nullptr, *text = nullptr;
  driver.getErrorName(result, &name);
  driver.getErrorString(result, &text);
  return "cuda: " + what + ": " + (text ? text : "unknown error") + " (" + (name ? name : "?") + ")";
}

void Driver::check(Result result, const std::string &what) const {
  if (result != 0)
    failInternal(Err::DeviceFault, describe(*this, result, what));
}

void Driver::require(Result result, Err kind, const std::string &what) const {
  if (result != 0)
    fail(kind, describe(*this, result, what));
}

} // namespace cedilla::cuda
