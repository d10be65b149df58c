//===- Harness.cpp - compile a kernel from text, run it, compare ------------------------------===//

#include "Harness.h"

#include "compiler/target/Target.h"
#include "dialects/ced/reference/Numbers.h"
#include "dialects/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace x86test;

std::string x86test::goldenDirectory;

std::vector<Case> &x86test::cases() {
  static std::vector<Case> list;
  return list;
}

void x86test::note(const std::string &line) { printf("    %s\n", line.c_str()); }

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

Guarded::Guarded(size_t bytes) : bytes(bytes) {
  size_t page = sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page;
  mapped = (pages + 1) * page;
  mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  check(mapping != MAP_FAILED, "cannot map ", mapped, " bytes");
  check(mprotect(static_cast<char *>(mapping) + pages * page, page, PROT_NONE) == 0,
        "cannot guard a page");
  begin = static_cast<char *>(mapping) + pages * page - bytes;
  std::memset(mapping, 0xFF, pages * page);
}

Guarded::Guarded(Guarded &&other) noexcept
    : mapping(other.mapping), mapped(other.mapped), begin(other.begin), bytes(other.bytes) {
  other.mapping = nullptr;
}

Guarded::~Guarded() {
  if (mapping)
    munmap(mapping, mapped);
}

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

std::string x86test::fill(std::string text,
                          const std::vector<std::pair<std::string, std::string>> &values) {
  for (const auto &[name, value] : values)
    for (size_t at; (at = text.find("$" + name)) != std::string::npos;)
      text.replace(at, name.size() + 1, value);
  return text;
}

Image::Image(const std::string &text) {
  mlir::DialectRegistry registry;
  registry.insert<cedilla::tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  check(bool(module), "the kernel does not parse:\n", text);
  mlir::FailureOr<cedilla::CompiledImage> result =
      cedilla::findTarget("x86")->emit(*module, "avx2");
  check(mlir::succeeded(result), "the kernel does not compile:\n", text);
  image = std::move(result->bytes);
  for (const cedilla::CompiledKernel &kernel : result->kernels)
    kernels[kernel.name] = {kernel.symbol, kernel.codeBytes, kernel.arenaBytes};

  int file = memfd_create("kernels", MFD_CLOEXEC);
  check(file >= 0 && write(file, image.data(), image.size()) == ssize_t(image.size()),
        "cannot write the image");
  library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
  close(file);
  check(library, "cannot load the image: ", library ? "" : dlerror());
}

Image::~Image() {
  if (library)
    dlclose(library);
}

const KernelSizes &Image::info(const std::string &kernel) const {
  auto found = kernels.find(kernel);
  check(found != kernels.end(), "no kernel ", kernel);
  return found->second;
}

void Image::run(const std::string &kernel, const std::vector<void *> &buffers, int64_t rows,
                const std::vector<int64_t> &grid) const {
  using Entry = void (*)(void *const *, int64_t, const int64_t *, void *);
  auto entry = reinterpret_cast<Entry>(dlsym(library, info(kernel).symbol.c_str()));
  check(entry, "no symbol ", info(kernel).symbol);
  Guarded arena(info(kernel).arenaBytes);
  int64_t sizes[3] = {1, 1, 1}, block[3];
  std::copy(grid.begin(), grid.end(), sizes);
  for (block[2] = 0; block[2] < sizes[2]; ++block[2])
    for (block[1] = 0; block[1] < sizes[1]; ++block[1])
      for (block[0] = 0; block[0] < sizes[0]; ++block[0]) {
        arena.poison();
        entry(buffers.data(), rows, block, arena.data());
      }
}

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

uint64_t x86test::hash(uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

float x86test::uniform(uint64_t counter) { return float(int64_t(hash(counter)) >> 40) * 0x1p-23f; }

float x86test::normal(uint64_t counter) {
  float sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += uniform(counter * 12 + i);
  return sum * 0.5f;
}

uint16_t x86test::bf16Of(float x) { return cedilla::reference::toBF16(x).bits; }
float x86test::floatOf(uint16_t x) { return cedilla::reference::toFloat({x}); }

double x86test::ulps(float x, double exact) {
  if (std::isnan(exact) || std::isnan(x))
    return std::isnan(exact) && std::isnan(x) ? 0 : INFINITY;
  float nearest = float(exact); // the exact value may itself round to infinity
  if (x == nearest)
    return std::isinf(x)
               ? 0
               : std::fabs(double(x) - exact) /
                     std::ldexp(1.0, std::max(std::ilogb(std::fabs(x) + 0x1p-149f), -126) - 23);
  if (std::isinf(x) || std::isinf(nearest))
    return INFINITY;
  int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  return std::fabs(double(x) - exact) / std::ldexp(1.0, exponent - 23);
}
