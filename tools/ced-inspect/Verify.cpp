//===- Verify.cpp - everything about a package that can be checked without running it ------------------------===//
//
// Opening it checks lengths, hashes, gaps and the manifest. On top of that: is every image one that its target
// loads, does it define the kernels and import nothing, is the whole file the one whose SHA-256 was given, and do
// a checkpoint's tensors and sources fit. No code of the package runs, no device is asked.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/session/WeightSource.h"
#include "tools/ced-inspect/Commands.h"
#include "tools/ced-inspect/PackageText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SHA256.h"

#include <iostream>
#include <set>

namespace cedilla::inspect {

static llvm::StringRef textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

//===------------------------------------------------------------------------------------------===//
// Images
//===------------------------------------------------------------------------------------------===//

namespace {
/// What an image defines, and what it would need of somebody else.
struct Image {
  std::set<std::string> defined, imported;
};

struct Machine {
  std::string_view target;
  uint16_t machine;
  const char *what;
};
constexpr Machine machines[] = {{"x86", llvm::ELF::EM_X86_64, "an x86-64 shared object"}, {"nvptx", llvm::ELF::EM_CUDA, "a cubin"}};
} // namespace

/// The value, or a failure that names the image.
template <typename T>
static T take(llvm::Expected<T> value, const std::string &where) {
  if (!value)
    fail(Err::Code, where, ": ", llvm::toString(value.takeError()));
  return std::move(*value);
}

static Image readImage(std::span<const std::byte> bytes, const Machine &machine, const std::string &where) {
  using namespace llvm::object;
  auto file = take(ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(textOf(bytes), where)), where);
  auto &elf = llvm::cast<ELFObjectFileBase>(*file);
  if (elf.getEMachine() != machine.machine || elf.getBytesInAddress() != 8)
    fail(Err::Code, where, ": expected ", machine.what, ", got machine ", elf.getEMachine());
  Image image;
  auto add = [&](const ELFSymbolRef &symbol) {
    std::string name = take(symbol.getName(), where).str();
    if (name.empty())
      return;
    bool undefined = take(symbol.getFlags(), where) & SymbolRef::SF_Undefined;
    (undefined ? image.imported : image.defined).insert(name);
  };
  if (machine.target == "x86")
    for (const ELFSymbolRef &symbol : elf.getDynamicSymbolIterators())
      add(symbol);
  else
    for (const ELFSymbolRef &symbol : elf.symbols())
      add(symbol);
  return image;
}

static void checkObject(const Package &package, size_t index) {
  const ObjectInfo &object = package.manifest().objects[index];
  std::string where = package.path() + ": object " + std::to_string(index) + " (" + object.target + " " + object.chip + ")";
  const Machine *machine = nullptr;
  for (const Machine &each : machines)
    if (each.target == object.target)
      machine = &each;
  if (!machine)
    fail(Err::Code, where, ": expected target x86 or nvptx, got '", object.target, "'");
  Image image = readImage(package.object(index), *machine, where);
  if (machine->target == "x86" && !image.imported.empty())
    fail(Err::Code, where, ": expected no imports, got '", *image.imported.begin(), "'");
  for (const KernelInfo &kernel : package.manifest().kernels)
    if (size_t(kernel.object) == index && !image.defined.contains(kernel.symbol))
      fail(Err::Code, where, ": kernel '", kernel.name, "': the object has no symbol '", kernel.symbol, "'");
}

//===------------------------------------------------------------------------------------------===//
// The command
//===------------------------------------------------------------------------------------------===//

static std::string sha256Of(std::span<const std::byte> bytes) {
  llvm::SHA256 hash;
  hash.update(textOf(bytes));
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

void verifyPackage(const Arguments &arguments) {
  Package package(arguments.path);
  std::string hash = sha256Of(package.bytes());
  if (std::string wanted = llvm::StringRef(arguments.text("sha256", hash)).lower(); wanted != hash)
    fail(Err::PackageHash, arguments.path, ": expected SHA-256 ", wanted, ", got ", hash);
  for (size_t i = 0; i < package.manifest().objects.size(); ++i)
    checkObject(package, i);
  if (arguments.has("weights"))
    openWeights(package.manifest(), arguments.text("weights", ""));
  printFile(package);
  const Manifest &m = package.manifest();
  std::cout << "checked: " << m.objects.size() << " objects, " << m.kernels.size() << " kernels, " << m.buffers.size() << " buffers, "
            << m.programs.size() << " programs" << (arguments.has("weights") ? ", weights" : "") << "\n"
            << "sha256: " << hash << "\n";
}

} // namespace cedilla::inspect
