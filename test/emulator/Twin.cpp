//===- Twin.cpp - tile kernels on the emulator beside their x86 twins -------------------------===//

#include "test/emulator/Twin.h"

#include "compiler/target/x86/X86Target.h"
#include "dialects/tile/Tile.h"
#include "runtime/base/Error.h"
#include "runtime/package/Package.h"
#include "test/emulator/Emulator.h"
#include "tools/ced-bench-suite/Buffers.h"
#include "tools/ced-bench/Compare.h"
#include "tools/ced-bench/Inputs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cedilla::bench;

namespace cedilla::emulator {

namespace {
/// The kernels of a file on one device.
class Side {
public:
  Side(const Target &target, Device device, ModuleOp module) : device(std::move(device)) {
    FailureOr<CompiledImage> emitted = target.emit(module, target.defaultChip());
    if (failed(emitted))
      fail(Err::Unnumbered, "cannot build the kernels for ", target.name().str());
    image = std::move(*emitted);
    loaded = this->device.loadModule(std::as_bytes(std::span(image.bytes)), {}, "the kernels");
  }
  ~Side() { device.unloadModule(loaded); }

  /// The buffers after a run.
  std::vector<std::vector<std::byte>> run(tile::KernelOp kernel,
                                          std::vector<std::vector<std::byte>> buffers, int64_t rows);

private:
  Device device;
  CompiledImage image;
  void *loaded = nullptr;
};
} // namespace

static KernelInfo infoOf(const CompiledImage &image, StringRef name) {
  KernelInfo info;
  for (const CompiledKernel &kernel : image.kernels)
    if (kernel.name == name) {
      info.name = kernel.name, info.symbol = kernel.symbol, info.arenaBytes = kernel.arenaBytes;
      info.threads = kernel.threads, info.sharedBytes = kernel.sharedBytes;
    }
  return info;
}

std::vector<std::vector<std::byte>> Side::run(tile::KernelOp kernel,
                                              std::vector<std::vector<std::byte>> buffers,
                                              int64_t rows) {
  std::vector<DeviceAddress> addresses;
  for (const auto &bytes : buffers) {
    addresses.push_back(device.allocate(bytes.size(), "a buffer"));
    device.upload(addresses.back(), bytes.data(), bytes.size());
  }
  std::string name = kernel.getSymName().str();
  Launch launch;
  launch.kernel = device.getKernel(loaded, infoOf(image, name), name);
  launch.buffers = addresses;
  launch.rows = rows;
  launch.name = name;
  for (auto [i, dim] : llvm::enumerate(kernel.getGrid().getAsRange<tile::GridAttr>()))
    launch.grid[i] = dim.getRowsPer() ? (rows + dim.getRowsPer() - 1) / dim.getRowsPer() : dim.getValue();
  device.launch(launch);
  device.synchronize();
  for (auto [bytes, address] : llvm::zip(buffers, addresses)) {
    device.download(bytes.data(), address, bytes.size());
    device.release(address);
  }
  return buffers;
}

static int64_t elementsOf(const BufferInfo &buffer, int64_t rows) {
  int64_t elements = 1;
  for (int64_t dim : buffer.shape)
    elements *= dim == -1 ? rows : dim;
  return elements;
}

static bool checkKernel(tile::KernelOp kernel, Side &ours, Side &theirs, int64_t rows) {
  std::vector<BufferInfo> infos = describeBuffers(kernel, kernel.getSymName().str());
  std::vector<std::vector<std::byte>> buffers;
  for (auto [i, info] : llvm::enumerate(infos)) {
    auto &bytes = buffers.emplace_back(elementsOf(info, rows) * elementBytes(info.type), std::byte(0xFF));
    if (!info.dtype.empty())
      fillInput(bytes, info.dtype, InputRange::Usual, /*seed=*/rows, i);
  }
  auto found = ours.run(kernel, buffers, rows), right = theirs.run(kernel, buffers, rows);
  bool good = true;
  for (auto [i, info] : llvm::enumerate(infos)) {
    if (!info.dtype.empty())
      continue;
    int64_t height = info.shape[0] == -1 ? rows : info.shape[0];
    Comparison result = compareRows(found[i], right[i], info.type, height, elementsOf(info, rows) / height);
    llvm::outs() << kernel.getSymName() << " rows " << rows << ": " << result.describe() << "\n";
    good &= result.good();
  }
  return good;
}

bool checkTwins(const std::string &file, const std::vector<int64_t> &rowCounts) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
  MLIRContext context(registry);
  auto module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    fail(Err::Unnumbered, file, ": cannot be parsed");
  Side ours(emulatedNvptx(), Device(emulatorDevice, {}), *module);
  Side theirs(x86Target(), openDevice("cpu"), *module);
  bool good = true;
  for (auto kernel : module->getOps<tile::KernelOp>())
    for (int64_t rows : rowCounts)
      good &= checkKernel(kernel, ours, theirs, rows);
  return good;
}

} // namespace cedilla::emulator
