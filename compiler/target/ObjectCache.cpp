//===- ObjectCache.cpp - code of kernels that was made before ----------------------------------===//
//
// A file: the SHA-256 of what follows it, in hexadecimal digits. Of an object a JSON text that describes the image, a NUL, the
// image; of a module its bytecode.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/ObjectCache.h"

#include "runtime/base/Error.h"
#include "runtime/io/OutputFile.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>

using namespace mlir;
using namespace cedilla;
namespace fs = std::filesystem;

static constexpr StringLiteral kObject = ".object", kModule = ".module";

//===------------------------------------------------------------------------------------------===//
// Names
//===------------------------------------------------------------------------------------------===//

static std::string digest(StringRef bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)), /*LowerCase=*/true);
}

/// The library that holds `symbol`, as its path, size and age: reading all of it would take as long as a small compile.
static std::string libraryOf(const void *symbol) {
  Dl_info info;
  std::error_code error;
  if (!dladdr(symbol, &info) || !info.dli_fname)
    return "";
  fs::path path = fs::canonical(info.dli_fname, error);
  auto size = fs::file_size(path, error);
  auto age = fs::last_write_time(path, error).time_since_epoch().count();
  return path.string() + " " + std::to_string(size) + " " + std::to_string(age);
}

/// This compiler: its program byte for byte, and the libraries it runs with.
static const std::string &compiler() {
  static const std::string identity = [] {
    auto program = llvm::MemoryBuffer::getFile("/proc/self/exe", /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!program)
      failInternal("--cache: cannot read this program: ", program.getError().message());
    return digest((*program)->getBuffer()) + " " LLVM_VERSION_STRING " " +
           libraryOf(reinterpret_cast<const void *>(&llvm::MemoryBuffer::getFile)) + " " +
           libraryOf(reinterpret_cast<const void *>(static_cast<InFlightDiagnostic (*)(Location)>(&mlir::emitError)));
  }();
  return identity;
}

std::string ObjectCache::keyOf(ArrayRef<StringRef> texts) {
  llvm::SHA256 hash;
  auto add = [&](StringRef text) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  };
  add(compiler());
  for (StringRef text : texts)
    add(text);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

ObjectCache::ObjectCache(std::string given, uint64_t limitBytes) : folder(std::move(given)), limitBytes(limitBytes) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    fail(Err::WriteFile, "--cache: cannot make the folder '", folder, "': ", error.message());
  checkWritable(folder + "/write" + kObject.str());
}

/// Folders of a few hundred files each.
std::string ObjectCache::pathOf(const std::string &key, StringRef suffix) const {
  return folder + "/" + key.substr(0, 2) + "/" + key.substr(2) + suffix.str();
}

//===------------------------------------------------------------------------------------------===//
// Images as bytes
//===------------------------------------------------------------------------------------------===//

static std::string toBytes(const CompiledImage &image) {
  nlohmann::json kernels = nlohmann::json::array();
  for (const CompiledKernel &k : image.kernels)
    kernels.push_back({k.name, k.symbol, k.codeBytes, k.arenaBytes, k.threads, k.sharedBytes, k.dependent, k.registers, k.spillBytes});
  nlohmann::json about = {{"target", image.target}, {"chip", image.chip}, {"toolkit", image.toolkit}, {"kernels", kernels}};
  std::string text = about.dump();
  text.push_back('\0');
  text.append(image.bytes.begin(), image.bytes.end());
  return text;
}

/// Only of bytes whose digest is right, hence of what `toBytes` has written.
static CompiledImage fromBytes(StringRef bytes) {
  auto [text, code] = bytes.split('\0');
  nlohmann::json about = nlohmann::json::parse(text.str());
  CompiledImage image{about["target"], about["chip"], std::vector<char>(code.begin(), code.end()), {}, about["toolkit"]};
  for (const nlohmann::json &k : about["kernels"])
    image.kernels.push_back({k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7], k[8]});
  return image;
}

//===------------------------------------------------------------------------------------------===//
// Files
//===------------------------------------------------------------------------------------------===//

FailureOr<std::string> ObjectCache::read(const std::string &key, StringRef suffix) const {
  std::string path = pathOf(key, suffix);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return failure();
  StringRef bytes = (*file)->getBuffer();
  constexpr size_t digits = 64;
  if (bytes.size() < digits || digest(bytes.drop_front(digits)) != bytes.take_front(digits))
    return failure();
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored); // used: it stays
  return bytes.drop_front(digits).str();
}

void ObjectCache::write(const std::string &key, StringRef suffix, std::string bytes) const {
  std::string path = pathOf(key, suffix);
  bytes.insert(0, digest(bytes));
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  try {
    OutputFile file(path);
    file.write(std::as_bytes(std::span(bytes)));
    file.keep();
  } catch (const Error &) {
    // Full, or taken away meanwhile.
  }
}

FailureOr<CompiledImage> ObjectCache::find(const std::string &key) const {
  FailureOr<std::string> bytes = read(key, kObject);
  if (failed(bytes))
    return failure();
  return fromBytes(*bytes);
}

void ObjectCache::add(const std::string &key, const CompiledImage &image) const { write(key, kObject, toBytes(image)); }

FailureOr<std::string> ObjectCache::findModule(const std::string &key) const { return read(key, kModule); }

void ObjectCache::addModule(const std::string &key, std::string bytecode) const { write(key, kModule, std::move(bytecode)); }

//===------------------------------------------------------------------------------------------===//
// Size
//===------------------------------------------------------------------------------------------===//

void ObjectCache::trim() const {
  struct Entry {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (!it->is_regular_file(ignored) || (it->path().extension() != kObject.str() && it->path().extension() != kModule.str()))
      continue;
    Entry entry{it->last_write_time(ignored), it->file_size(ignored), it->path()};
    if (ignored) // another compile has deleted it
      continue;
    total += entry.bytes;
    entries.push_back(entry);
  }
  if (total <= limitBytes)
    return;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.used < b.used; });
  for (const Entry &entry : entries) {
    if (total <= limitBytes)
      break;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}
