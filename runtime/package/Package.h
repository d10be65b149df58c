//===- Package.h - one deployable file: manifest, native objects, constants -----------------------===//
//
// The compiler writes it, the runtime reads it. A Package that could be opened is sound: versions,
// lengths, hashes, gaps and every index, offset and name in the manifest have been checked, so whoever uses it
// checks nothing again. What it holds is code: Format.md says whom to trust. Format page: compiler/package/Format.md.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/io/MappedFile.h"
#include "runtime/package/Manifest.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cedilla {

/// A part of the file; its hash is that of its bytes.
struct SectionInfo {
  const char *name;
  uint64_t offset, bytes, hash;
};

class Package {
public:
  /// Maps and checks the file. Fails, naming it, when it is not a whole and undamaged package of a
  /// version this code reads.
  explicit Package(const std::string &path);

  const std::string &path() const { return filePath; }
  const Manifest &manifest() const { return contents; }
  uint32_t version() const { return formatVersion; }
  const std::vector<SectionInfo> &sections() const { return parts; }
  /// The whole file.
  std::span<const std::byte> bytes() const { return {file.data(), file.size()}; }
  /// The native image of Manifest::objects[index].
  std::span<const std::byte> object(size_t index) const;
  /// The bytes of a "constant" buffer; 64-byte aligned, read-only, as long-lived as the package.
  std::span<const std::byte> constant(const BufferInfo &buffer) const;

private:
  std::string filePath;
  MappedFile file;
  uint32_t formatVersion = 0;
  std::vector<SectionInfo> parts;
  Manifest contents;
  std::span<const std::byte> objects, constants;
};

/// A back end and one of its chips.
struct CodeKind {
  std::string target, chip;
  bool operator==(const CodeKind &) const = default;
};

/// What a program of a checked manifest is for: what it says, else what its kernels are for; empty for a
/// program without kernels.
CodeKind codeOf(const Manifest &manifest, const ProgramInfo &program);

/// Checks everything a program list can get wrong: indices, offsets, names, sizes, grids, programs.
/// Fails with a line that starts with `where` and names the entry.
void checkManifest(const Manifest &manifest, uint64_t objectsBytes, uint64_t constantsBytes,
                   std::string_view where);

/// Writes a package under a temporary name beside `path` and renames it when it is complete. The
/// manifest is checked first, so what was written can be opened.
void writePackage(const std::string &path, const Manifest &manifest,
                  std::span<const std::byte> objects, std::span<const std::byte> constants);

/// Bytes of one element of a BufferInfo::type; 0 for an unknown one.
uint64_t elementBytes(std::string_view type);

} // namespace cedilla
