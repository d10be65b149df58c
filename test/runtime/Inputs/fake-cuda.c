/* fake-cuda.c - a libcuda.so.1 for machines without a GPU, so that the cuda device is tested everywhere.
 *
 * "Device" memory is kept apart from the host's by an offset, so that an address used as a pointer
 * faults. A "cubin" is an x86 shared object of toy.c's kernels, called block by block. The environment
 * says what to pretend: FAKE_CUDA_DEVICES (1), FAKE_CUDA_CAPABILITY (90), FAKE_CUDA_FAULT=<kernel>: a
 * fault that later calls report.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ok = 0, invalid = 1, noMemory = 2, noDevice = 100, badImage = 200, notFound = 500, illegal = 700 };
typedef uint64_t Address;
static const Address offset = UINT64_C(1) << 60;
static int fault = ok, hasContext = 0;

static void *host(Address address) { return (void *)(address - offset); }
static int setting(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

int cuInit(unsigned flags) { return setting("FAKE_CUDA_DEVICES", 1) ? ok : noDevice; }
int cuGetErrorName(int result, const char **name) {
  *name = result == illegal ? "CUDA_ERROR_ILLEGAL_ADDRESS" : result == noDevice ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR";
  return ok;
}
int cuGetErrorString(int result, const char **text) {
  *text = result == illegal ? "an illegal memory access was encountered"
          : result == noDevice ? "no CUDA-capable device is detected"
          : result == notFound ? "named symbol not found" : "pretended error";
  return ok;
}
int cuDeviceGetCount(int *count) { return *count = setting("FAKE_CUDA_DEVICES", 1), ok; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, ok; }
int cuDeviceGetName(char *name, int length, int device) { return snprintf(name, length, "Fake %d", device), ok; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int capability = setting("FAKE_CUDA_CAPABILITY", 90);
  *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : attribute == 97 ? 1024 : -1;
  return ok;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &hasContext, ok; }
int cuDevicePrimaryCtxRelease_v2(int device) { return ok; }
int cuCtxSetCurrent(void *context) { return hasContext = context != NULL, ok; }
int cuCtxSynchronize(void) { return fault; }

int cuMemGetInfo_v2(size_t *free, size_t *total) { return *free = *total = 1 << 20, ok; }
int cuMemAlloc_v2(Address *address, size_t bytes) {
  if (!hasContext)
    return invalid;
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  memset(memory, 0x5A, bytes); /* not zero: clearing is the device's business */
  return *address = (Address)memory + offset, ok;
}
int cuMemFree_v2(Address address) { return free(host(address)), ok; }
int cuMemsetD8_v2(Address to, unsigned char byte, size_t bytes) { return memset(host(to), byte, bytes), fault; }
int cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) { return memcpy(host(to), from, bytes), fault; }
int cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) { return memcpy(to, host(from), bytes), fault; }

int cuModuleLoadData(void **module, const void *image) {
  /* The driver finds an image's length in its headers: here where the section table ends. */
  uint64_t table;
  uint16_t size, count;
  memcpy(&table, (const char *)image + 40, 8);
  memcpy(&size, (const char *)image + 58, 2);
  memcpy(&count, (const char *)image + 60, 2);
  int fd = memfd_create("fake-cubin", 0);
  if (write(fd, image, table + (uint64_t)size * count) < 0)
    return badImage;
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  return (*module = dlopen(path, RTLD_NOW)) ? ok : badImage;
}
int cuModuleUnload(void *module) { return dlclose(module), ok; }

typedef void (*Kernel)(void *const *, int64_t, const int64_t *, void *);
struct function {
  Kernel kernel;
  int buffers;
  const char *name;
};
int cuModuleGetFunction(void **function, void *module, const char *name) {
  static struct function known[] = {{0, 4, "toy_embed"}, {0, 7, "toy_mix"}, {0, 3, "toy_head"}};
  for (int i = 0; i < 3; ++i)
    if (strcmp(name, known[i].name) == 0) {
      *(void **)&known[i].kernel = dlsym(module, name);
      return *function = &known[i], known[i].kernel ? ok : notFound;
    }
  return notFound;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  return *value = attribute == 0 ? 256 : attribute == 1 ? 100 : -1, ok;
}
int cuFuncSetAttribute(void *function, int attribute, int value) { return attribute == 8 ? ok : invalid; }
int cuLaunchKernel(void *opaque, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned y1,
                   unsigned z1, unsigned shared, void *stream, void **parameters, void **extra) {
  struct function *function = opaque;
  float arena[64];
  void *buffers[8];
  for (int i = 0; i < function->buffers; ++i)
    buffers[i] = host(*(Address *)parameters[i]);
  int64_t rows = *(int64_t *)parameters[function->buffers];
  for (int64_t i = 0; i < (int64_t)x * y * z; ++i) {
    int64_t block[3] = {i % x, i / x % y, i / x / y};
    function->kernel(buffers, rows, block, arena);
  }
  const char *bad = getenv("FAKE_CUDA_FAULT");
  if (bad && strcmp(bad, function->name) == 0)
    fault = illegal;
  return threads == 32 ? ok : invalid;
}

int cuEventCreate(void **event, unsigned flags) { return *event = calloc(1, sizeof(struct timespec)), ok; }
int cuEventDestroy_v2(void *event) { return free(event), ok; }
int cuEventRecord(void *event, void *stream) { return clock_gettime(CLOCK_MONOTONIC, event), fault; }
int cuEventSynchronize(void *event) { return fault; }
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  struct timespec *a = from, *b = to;
  *milliseconds = (b->tv_sec - a->tv_sec) * 1e3f + (b->tv_nsec - a->tv_nsec) * 1e-6f;
  return ok;
}
