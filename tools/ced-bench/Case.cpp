//===- Case.cpp - one program of a bench package, and its memory ------------------------------===//

#include "tools/ced-bench/Case.h"

#include "runtime/base/Error.h"

#include <algorithm>

namespace cedilla::bench {

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

std::array<int64_t, 3> Case::grid(int64_t rows) const {
  std::array<int64_t, 3> blocks = {1, 1, 1};
  for (size_t i = 0; i < step->grid.size(); ++i)
    blocks[i] = step->grid[i].blocks(rows);
  return blocks;
}

std::vector<Case> readCases(const Package &package) {
  std::vector<Case> cases;
  for (const ProgramInfo &program : package.manifest().programs) {
    size_t first = program.name.find('/'), second = program.name.find('/', first + 1);
    if (second == std::string::npos || program.steps.size() != 1 ||
        program.steps[0].op != "dispatch")
      fail(Err::NotToMeasure, package.path(), ": program '", program.name,
           "': expected one dispatch and a name like <problem>/<target>/<config>; ced-bench-suite "
           "writes such packages");
    Case found;
    found.problem = program.name.substr(0, first);
    found.target = program.name.substr(first + 1, second - first - 1);
    found.config = program.name.substr(second + 1);
    found.step = &program.steps[0];
    found.kernel = &package.manifest().kernels[found.step->kernel];
    cases.push_back(found);
  }
  return cases;
}

static const BufferInfo &bufferOf(const Package &package, const Case &bench, size_t i) {
  return package.manifest().buffers[bench.step->buffers[i]];
}

bool isResult(const BufferInfo &buffer) {
  return buffer.kind == "workspace" && buffer.dtype.empty();
}

HostBuffers makeBuffers(const Package &package, const Case &bench, InputRange range,
                        uint64_t seed) {
  HostBuffers buffers;
  for (size_t i = 0; i < bench.step->buffers.size(); ++i) {
    const BufferInfo &info = bufferOf(package, bench, i);
    auto &bytes = buffers.bytes.emplace_back(info.bytes, std::byte(0xFF));
    if (!isResult(info))
      fillInput(bytes, info.dtype, range, seed, i);
  }
  return buffers;
}

/// Elements per row, or all of a buffer without rows.
static int64_t elementsPerRow(const BufferInfo &buffer) {
  int64_t elements = 1;
  for (int64_t dim : buffer.shape)
    elements *= dim == -1 ? 1 : dim;
  return elements;
}

static bool hasRows(const BufferInfo &buffer) {
  return !buffer.shape.empty() && buffer.shape[0] == -1;
}

Work workOf(const Package &package, const Case &bench, int64_t rows) {
  Work work;
  for (size_t i = 0; i < bench.step->buffers.size(); ++i) {
    const BufferInfo &buffer = bufferOf(package, bench, i);
    work.bytes +=
        double(elementsPerRow(buffer)) * elementBytes(buffer.type) * (hasRows(buffer) ? rows : 1);
    // Each weight is multiplied once per row; an I8 byte holds two.
    if (buffer.kind == "weight" && buffer.dtype != "F8_E8M0")
      work.flops += 2.0 * rows * elementsPerRow(buffer) * (buffer.dtype == "I8" ? 2 : 1);
  }
  return work;
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

static std::span<const std::byte> imageOf(const Package &package, const Case &bench) {
  return package.object(bench.kernel->object);
}

HostBuffers runOnCpu(const Package &package, const Case &bench, const HostBuffers &inputs,
                     int64_t rows, Device &cpu) {
  HostBuffers result = inputs;
  const ObjectInfo &object = package.manifest().objects[bench.kernel->object];
  cpu.checkChip(object.chip);
  void *module = cpu.loadModule(imageOf(package, bench), object, package.path());
  // Allocations of a device are aligned as kernels expect; those of a vector need not be.
  std::vector<DeviceAddress> addresses;
  for (const auto &bytes : inputs.bytes) {
    addresses.push_back(cpu.allocate(bytes.size(), "bench"));
    cpu.upload(addresses.back(), bytes.data(), bytes.size());
  }
  Launch launch;
  launch.kernel = cpu.getKernel(module, *bench.kernel, package.path());
  launch.buffers = addresses;
  launch.rows = rows;
  launch.grid = bench.grid(rows);
  launch.name = bench.kernel->name;
  cpu.launch(launch);
  cpu.synchronize();
  for (size_t i = 0; i < addresses.size(); ++i) {
    cpu.download(result.bytes[i].data(), addresses[i], result.bytes[i].size());
    cpu.release(addresses[i]);
  }
  cpu.unloadModule(module);
  return result;
}

namespace {
/// Device memory of a case that goes with the object.
struct GpuBuffers {
  GpuBuffers(Gpu &gpu, const HostBuffers &host) : gpu(gpu) {
    for (const auto &bytes : host.bytes) {
      addresses.push_back(gpu.allocate(bytes.size()));
      gpu.upload(addresses.back(), bytes.data(), bytes.size());
    }
  }
  ~GpuBuffers() {
    for (cuda::Address address : addresses)
      gpu.release(address);
  }
  GpuBuffers(const GpuBuffers &) = delete;
  Gpu &gpu;
  std::vector<cuda::Address> addresses;
};
} // namespace

HostBuffers runOnGpu(const Package &package, const Case &bench, const HostBuffers &inputs,
                     int64_t rows, Gpu &gpu) {
  HostBuffers result = inputs;
  GpuBuffers memory(gpu, inputs);
  gpu.launch(gpu.kernel(imageOf(package, bench), *bench.kernel), *bench.kernel, memory.addresses,
             rows, bench.grid(rows));
  gpu.synchronize();
  for (size_t i = 0; i < memory.addresses.size(); ++i)
    gpu.download(result.bytes[i].data(), memory.addresses[i], result.bytes[i].size());
  return result;
}

Comparison compareResults(const Package &package, const Case &bench, const HostBuffers &ours,
                          const HostBuffers &theirs, int64_t rows) {
  for (size_t i = 0; i < bench.step->buffers.size(); ++i) {
    const BufferInfo &buffer = bufferOf(package, bench, i);
    if (isResult(buffer))
      return compareRows(ours.bytes[i], theirs.bytes[i], buffer.type, rows, elementsPerRow(buffer));
  }
  fail(Err::NotToMeasure, package.path(), ": problem '", bench.problem, "' has no result");
}

double timeOnGpu(const Package &package, const Case &bench, const HostBuffers &inputs, int64_t rows,
                 Gpu &gpu) {
  cuda::Function function = gpu.kernel(imageOf(package, bench), *bench.kernel);
  GpuBuffers memory(gpu, inputs);
  uint64_t weightBytes = 1;
  for (size_t i = 0; i < inputs.bytes.size(); ++i)
    if (bufferOf(package, bench, i).kind == "weight")
      weightBytes += inputs.bytes[i].size();
  // Between two uses of one copy several L2s full of others pass by.
  size_t copies = std::max<size_t>(2, 4 * gpu.l2Bytes() / weightBytes + 1);
  std::vector<std::vector<cuda::Address>> sets;
  for (size_t set = 0; set < copies; ++set) {
    std::vector<cuda::Address> &addresses = sets.emplace_back(memory.addresses);
    for (size_t i = 0; i < addresses.size(); ++i)
      if (bufferOf(package, bench, i).kind == "weight") {
        addresses[i] = gpu.allocate(inputs.bytes[i].size());
        gpu.copy(addresses[i], memory.addresses[i], inputs.bytes[i].size());
      }
  }
  gpu.synchronize();
  size_t launches = std::max<size_t>(copies, 20) / copies * copies;
  std::vector<double> seconds = gpu.timeGraph(
      [&] {
        for (size_t i = 0; i < launches; ++i)
          gpu.launch(function, *bench.kernel, sets[i % copies], rows, bench.grid(rows));
      },
      15);
  for (const std::vector<cuda::Address> &addresses : sets)
    for (size_t i = 0; i < addresses.size(); ++i)
      if (addresses[i] != memory.addresses[i])
        gpu.release(addresses[i]);
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2] / launches;
}

} // namespace cedilla::bench
