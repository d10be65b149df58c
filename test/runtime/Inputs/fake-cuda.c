/* fake-cuda.c - a libcuda.so.1 for machines without a GPU, so that the cuda device is tested everywhere.
 *
 * "Device" memory is kept apart from the host's by an offset, so that an address used as a pointer
 * faults; page-locked host memory keeps its address. A "cubin" is an x86 shared object of toy.c's kernels,
 * called block by block. Work given to a stream that records runs when its graph is launched, with the
 * arguments it had. The environment says what to pretend:
 *   FAKE_CUDA_DEVICES (1), FAKE_CUDA_CAPABILITY (90), FAKE_CUDA_VERSION (13000), FAKE_CUDA_FREE (1 MiB)
 *   FAKE_CUDA_IMAGE_VERSION (0)      CUDA that images need: an older driver refuses to load them
 *   FAKE_CUDA_READ_ONLY (1)          0: mapped files cannot be page-locked
 *   FAKE_CUDA_RESIDENT (2)           blocks per multiprocessor, of which there are two
 *   FAKE_CUDA_FAULT=<kernel>         a fault that later calls report
 *   FAKE_CUDA_LOG=<file>             a line per call that a test may want to see
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
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
static int64_t taken = 0; /* bytes of device memory */

static void *host(Address address) { return (void *)(address >= offset ? address - offset : address); }
static int64_t setting(const char *name, int64_t otherwise) {
  const char *text = getenv(name);
  return text ? atoll(text) : otherwise;
}
static void note(const char *format, ...) {
  const char *path = getenv("FAKE_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fputc('\n', file);
  fclose(file);
}

/*===----------------------------------------------------------------------------------------------===*
 * The driver, its devices
 *===----------------------------------------------------------------------------------------------===*/

int cuInit(unsigned flags) { return setting("FAKE_CUDA_DEVICES", 1) ? ok : noDevice; }
int cuDriverGetVersion(int *version) { return *version = setting("FAKE_CUDA_VERSION", 13000), ok; }
int cuGetErrorName(int result, const char **name) {
  *name = result == illegal    ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : result == noDevice ? "CUDA_ERROR_NO_DEVICE"
          : result == noMemory ? "CUDA_ERROR_OUT_OF_MEMORY"
                               : "CUDA_ERROR";
  return ok;
}
int cuGetErrorString(int result, const char **text) {
  *text = result == illegal    ? "an illegal memory access was encountered"
          : result == noDevice ? "no CUDA-capable device is detected"
          : result == notFound ? "named symbol not found"
          : result == noMemory ? "out of memory"
          : result == badImage ? "device kernel image is invalid"
                               : "pretended error";
  return ok;
}
int cuDeviceGetCount(int *count) { return *count = setting("FAKE_CUDA_DEVICES", 1), ok; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, ok; }
int cuDeviceGetName(char *name, int length, int device) { return snprintf(name, length, "Fake %d", device), ok; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  int capability = setting("FAKE_CUDA_CAPABILITY", 90);
  *value = attribute == 75    ? capability / 10
           : attribute == 76  ? capability % 10
           : attribute == 97  ? 1024
           : attribute == 16  ? 2
           : attribute == 38  ? 1 << 16
           : attribute == 113 ? setting("FAKE_CUDA_READ_ONLY", 1)
                              : -1;
  return ok;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &hasContext, ok; }
int cuDevicePrimaryCtxRelease_v2(int device) { return note("release, %lld bytes left", (long long)taken), ok; }
int cuCtxSetCurrent(void *context) { return hasContext = context != NULL, ok; }
int cuCtxSynchronize(void) { return fault; }

/*===----------------------------------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------------------------------===*/

static int64_t total(void) { return setting("FAKE_CUDA_FREE", 1 << 20); }
int cuMemGetInfo_v2(size_t *free, size_t *all) {
  return *all = total(), *free = total() > taken ? total() - taken : 0, ok;
}
/* The size lies in front of the memory. */
int cuMemAlloc_v2(Address *address, size_t bytes) {
  if (!hasContext)
    return invalid;
  if (taken + (int64_t)bytes > total())
    return noMemory;
  char *memory = aligned_alloc(256, 256 + (bytes + 255) / 256 * 256);
  memcpy(memory, &bytes, sizeof(bytes));
  memset(memory + 256, 0x5A, bytes); /* not zero: clearing is the device's business */
  taken += bytes;
  return *address = (Address)(memory + 256) + offset, ok;
}
int cuMemFree_v2(Address address) {
  char *memory = (char *)host(address) - 256;
  size_t bytes;
  memcpy(&bytes, memory, sizeof(bytes));
  taken -= bytes;
  return free(memory), ok;
}
int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  note("page-lock %zu bytes%s", bytes, flags & 2 ? ", mapped" : "");
  return (*memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096)) ? ok : noMemory;
}
int cuMemFreeHost(void *memory) { return free(memory), ok; }
int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags) {
  if ((uint64_t)memory % 4096 || bytes % 4096 || flags != (2 | 8))
    return invalid;
  return note("register %zu bytes", bytes), ok;
}
int cuMemHostUnregister(void *memory) { return note("unregister"), (uint64_t)memory % 4096 ? invalid : ok; }
int cuMemHostGetDevicePointer_v2(Address *address, void *memory, unsigned flags) {
  return *address = (Address)memory, ok;
}

/* Memory apart from its addresses: a file of memory, mapped where the caller says. */
int cuMemGetAllocationGranularity(size_t *unit, const void *properties, int option) { return *unit = 4096, ok; }
int cuMemCreate(unsigned long long *handle, size_t bytes, const int *properties, unsigned long long flags) {
  if (properties[0] != 1 || properties[2] != 1 || taken + (int64_t)bytes > total())
    return noMemory;
  taken += bytes;
  *handle = memfd_create("fake-memory", 0);
  return ftruncate(*handle, bytes) ? noMemory : ok;
}
int cuMemRelease(unsigned long long handle) {
  taken -= lseek(handle, 0, SEEK_END);
  return close(handle) ? invalid : ok;
}
int cuMemAddressReserve(Address *address, size_t bytes, size_t alignment, Address wish, unsigned long long flags) {
  void *range = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return *address = (Address)range + offset, range == MAP_FAILED ? noMemory : ok;
}
int cuMemAddressFree(Address address, size_t bytes) { return munmap(host(address), bytes) ? invalid : ok; }
int cuMemMap(Address address, size_t bytes, size_t at, unsigned long long handle, unsigned long long flags) {
  note("map %zu bytes", bytes);
  return mmap(host(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, handle, at) == MAP_FAILED ? invalid : ok;
}
int cuMemUnmap(Address address, size_t bytes) {
  void *range = mmap(host(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return range == MAP_FAILED ? invalid : ok;
}
int cuMemSetAccess(Address address, size_t bytes, const int *access, size_t count) {
  return count == 1 && access[0] == 1 && access[2] == 3 ? mprotect(host(address), bytes, PROT_READ | PROT_WRITE) : invalid;
}

/*===----------------------------------------------------------------------------------------------===*
 * Code
 *===----------------------------------------------------------------------------------------------===*/

int cuModuleLoadData(void **module, const void *image) {
  /* The driver finds an image's length in its headers: here where the section table ends. */
  uint64_t table;
  uint16_t size, count;
  if (setting("FAKE_CUDA_VERSION", 13000) < setting("FAKE_CUDA_IMAGE_VERSION", 0))
    return badImage;
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
  int phases; /* 0: a kernel without */
};
int cuModuleGetFunction(void **function, void *module, const char *name) {
  static struct function known[] = {{0, 4, "toy_embed", 0}, {0, 7, "toy_mix", 0},     {0, 3, "toy_head", 0},
                                    {0, 9, "toy_both", 2},  {0, 5, "toy_advance", 0}, {0, 10, "toy_engram", 0}};
  for (int i = 0; i < 6; ++i)
    if (strcmp(name, known[i].name) == 0) {
      *(void **)&known[i].kernel = dlsym(module, name);
      return *function = &known[i], known[i].kernel ? ok : notFound;
    }
  return notFound;
}
/* Only traces are asked for. */
int cuModuleGetGlobal_v2(unsigned long long *address, size_t *bytes, void *module, const char *name) {
  void *found = dlsym(module, name);
  return *address = (unsigned long long)found, *bytes = 2048 * 2048, found ? ok : notFound;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  return *value = attribute == 0 ? 256 : attribute == 1 ? 100 : -1, ok;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
  return *blocks = setting("FAKE_CUDA_RESIDENT", 2), threads == 32 ? ok : invalid;
}
int cuFuncSetAttribute(void *function, int attribute, int value) { return attribute == 8 ? ok : invalid; }

/*===----------------------------------------------------------------------------------------------===*
 * Streams and graphs: a list of nodes
 *===----------------------------------------------------------------------------------------------===*/

struct node {
  int type; /* 0 kernel, 7 event */
  struct function *function;
  Address buffers[12];
  int64_t rows, grid[3];
  int32_t phases[8]; /* first, end, three numbers of blocks for each of two */
  struct timespec *event;
};
struct graph {
  struct node nodes[64];
  int count;
};
struct stream {
  struct graph *recording;
};

static void runPhase(const struct node *node, void *const *buffers, const int64_t *grid, int64_t phase) {
  float arena[64];
  for (int64_t i = 0; i < grid[0] * grid[1] * grid[2]; ++i) {
    int64_t block[4] = {i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1], phase};
    node->function->kernel(buffers, node->rows, block, arena);
  }
}
static void run(const struct node *node) {
  void *buffers[12];
  if (node->type == 7) {
    clock_gettime(CLOCK_MONOTONIC, node->event);
    return;
  }
  for (int i = 0; i < node->function->buffers; ++i)
    buffers[i] = host(node->buffers[i]);
  if (!node->function->phases)
    runPhase(node, buffers, node->grid, 0);
  for (int phase = node->phases[0]; node->function->phases && phase < node->phases[1]; ++phase) {
    const int32_t *blocks = node->phases + 2 + 3 * phase;
    runPhase(node, buffers, (int64_t[3]){blocks[0], blocks[1], blocks[2]}, phase);
  }
  const char *bad = getenv("FAKE_CUDA_FAULT");
  if (bad && strcmp(bad, node->function->name) == 0)
    fault = illegal;
}
static int enqueue(struct stream *stream, struct node node) {
  if (!stream->recording)
    return run(&node), ok;
  if (stream->recording->count == 64)
    return noMemory;
  return stream->recording->nodes[stream->recording->count++] = node, ok;
}
/* What the real driver refuses while a stream records. */
static int busy(void *opaque) {
  struct stream *stream = opaque;
  return !stream || stream->recording ? invalid : fault;
}

int cuStreamCreate(void **stream, unsigned flags) {
  return *stream = calloc(1, sizeof(struct stream)), flags == 1 ? ok : invalid;
}
int cuStreamDestroy_v2(void *stream) { return free(stream), ok; }
int cuStreamSynchronize(void *stream) { return busy(stream); }
int cuMemsetD8Async(Address to, unsigned char byte, size_t bytes, void *stream) {
  return memset(host(to), byte, bytes), busy(stream);
}
int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, void *stream) {
  return memcpy(host(to), from, bytes), busy(stream);
}
int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *stream) {
  if (getenv("FAKE_CUDA_LOG_READS"))
    note("read %zu bytes", bytes);
  return memcpy(to, host(from), bytes), busy(stream);
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void *stream) {
  return memcpy(host(to), host(from), bytes), busy(stream);
}

int cuStreamBeginCapture_v2(void *opaque, int mode) {
  struct stream *stream = opaque;
  if (mode != 1 || busy(stream) == invalid)
    return invalid;
  note("record");
  return stream->recording = calloc(1, sizeof(struct graph)), ok;
}
int cuStreamEndCapture(void *opaque, void **graph) {
  struct stream *stream = opaque;
  *graph = stream->recording;
  stream->recording = NULL;
  return *graph ? ok : invalid;
}
int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
  *executable = malloc(sizeof(struct graph));
  return memcpy(*executable, graph, sizeof(struct graph)), ok;
}
int cuGraphLaunch(void *executable, void *stream) {
  const struct graph *graph = executable;
  if (busy(stream) == invalid)
    return invalid;
  note("replay %d", graph->count);
  for (int i = 0; i < graph->count; ++i)
    run(&graph->nodes[i]);
  return ok;
}
int cuGraphExecDestroy(void *executable) { return note("forget"), free(executable), ok; }
int cuGraphDestroy(void *graph) { return free(graph), ok; }
int cuGraphGetNodes(void *opaque, void **nodes, size_t *count) {
  struct graph *graph = opaque;
  for (int i = 0; nodes && i < graph->count; ++i)
    nodes[i] = &graph->nodes[i];
  return *count = graph->count, ok;
}
int cuGraphNodeGetType(void *node, int *type) { return *type = ((struct node *)node)->type, ok; }

struct config {
  unsigned grid[3], block[3], shared;
  struct stream *stream;
  struct {
    int id;
    char unused[4];
    union {
      char bytes[64];
      int allowed;
    } value;
  } *attributes;
  unsigned count;
};
int cuLaunchKernelEx(const struct config *config, void *opaque, void **parameters, void **extra) {
  struct function *function = opaque;
  struct node node = {0, function, {0}, *(int64_t *)parameters[function->buffers], {0}, {0}, NULL};
  for (int i = 0; i < function->buffers; ++i)
    node.buffers[i] = *(Address *)parameters[i];
  for (int i = 0; i < 3; ++i)
    node.grid[i] = config->grid[i];
  int early = config->count == 1 && config->attributes->id == 6 && config->attributes->value.allowed == 1;
  if (config->block[0] != 32 || (config->count && !early))
    return invalid;
  for (int i = 0; function->phases && i < 2 + 3 * function->phases; ++i)
    node.phases[i] = *(int32_t *)parameters[function->buffers + 1 + i];
  note("launch %s rows %lld%s", function->name, (long long)node.rows, early ? " early" : "");
  if (function->phases)
    note("phases %d to %d on %u blocks", node.phases[0], node.phases[1], config->grid[0]);
  return enqueue(config->stream, node);
}

int cuEventCreate(void **event, unsigned flags) { return *event = calloc(1, sizeof(struct timespec)), ok; }
int cuEventDestroy_v2(void *event) { return free(event), ok; }
int cuEventRecord(void *event, void *stream) { return clock_gettime(CLOCK_MONOTONIC, event), busy(stream); }
int cuEventRecordWithFlags(void *event, void *stream, unsigned flags) {
  struct node node = {7, NULL, {0}, 0, {0}, {0}, event};
  return flags == 1 ? enqueue(stream, node) : invalid;
}
int cuEventSynchronize(void *event) { return fault; }
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  struct timespec *a = from, *b = to;
  *milliseconds = (b->tv_sec - a->tv_sec) * 1e3f + (b->tv_nsec - a->tv_nsec) * 1e-6f;
  return ok;
}
