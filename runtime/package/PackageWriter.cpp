//===- PackageWriter.cpp - writing a package file ---------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/package/Layout.h"
#include "runtime/package/Package.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace cedilla {

namespace {
/// A file under a temporary name: removed unless it is kept, so a failed write leaves nothing.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &finalPath)
      : finalPath(finalPath), path(finalPath + ".tmp." + std::to_string(getpid())),
        file(std::fopen(path.c_str(), "wb")) {
    if (!file)
      fail(path, ": cannot write: ", std::strerror(errno));
  }
  ~TemporaryFile() {
    if (file)
      std::fclose(file);
    if (!kept)
      std::remove(path.c_str());
  }

  void write(std::span<const std::byte> bytes) {
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
      fail(path, ": cannot write: ", std::strerror(errno));
    written += bytes.size();
  }
  void padTo(uint64_t offset) {
    static constexpr std::byte zeros[layout::alignment] = {};
    write(std::span(zeros).first(offset - written));
  }
  void keep() {
    std::FILE *closing = std::exchange(file, nullptr);
    if (std::fclose(closing) != 0)
      fail(path, ": cannot write: ", std::strerror(errno));
    if (std::rename(path.c_str(), finalPath.c_str()) != 0)
      fail(finalPath, ": cannot write: ", std::strerror(errno));
    kept = true;
  }

private:
  std::string finalPath, path;
  std::FILE *file;
  uint64_t written = 0;
  bool kept = false;
};
} // namespace

static uint64_t alignUp(uint64_t offset) {
  return (offset + layout::alignment - 1) / layout::alignment * layout::alignment;
}

static uint32_t versionFor(const Manifest &manifest) {
  for (const ProgramInfo &program : manifest.programs)
    if (!program.target.empty())
      return 2;
  return 1;
}

void writePackage(const std::string &path, const Manifest &manifest,
                  std::span<const std::byte> objects, std::span<const std::byte> constants) {
  checkManifest(manifest, objects.size(), constants.size(), path + ": manifest");
  std::string text = nlohmann::json(manifest).dump();
  std::span<const std::byte> bytes[] = {std::as_bytes(std::span(text)), objects, constants};

  layout::Section table[std::size(bytes)];
  uint64_t end = sizeof(layout::Header) + sizeof(table);
  for (size_t i = 0; i < std::size(bytes); ++i) {
    table[i] = {layout::sectionKinds[i], 0, alignUp(end), bytes[i].size(), layout::hash(bytes[i])};
    end = table[i].offset + table[i].bytes;
  }
  std::span<const std::byte> tableBytes = std::as_bytes(std::span(table));
  layout::Header header = {{}, versionFor(manifest), std::size(bytes), end,
                           layout::hash(tableBytes)};
  std::memcpy(header.magic, layout::magic, sizeof(header.magic));

  TemporaryFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(tableBytes);
  for (size_t i = 0; i < std::size(bytes); ++i) {
    file.padTo(table[i].offset);
    file.write(bytes[i]);
  }
  file.keep();
}

} // namespace cedilla
