//===- Package.cpp - opening a package file ---------------------------------------------------------===//
//
// Checks from the outside in: header, section table, section bytes, manifest text, manifest contents.
// Nothing is used before the check that makes it safe to use.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/package/Package.h"

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"
#include "runtime/package/Layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstring>

namespace cedilla {

uint64_t layout::hash(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

static layout::Header readHeader(const std::string &path, const MappedFile &file) {
  layout::Header header;
  if (file.size() < sizeof(header.magic) ||
      std::memcmp(file.data(), layout::magic, sizeof(layout::magic)) != 0)
    fail(Err::NotAPackage, path, ": not a cedilla package");
  if (file.size() < sizeof(header))
    fail(Err::PackageLength, path, ": truncated: expected a header of ", sizeof(header), " bytes, got ", file.size());
  std::memcpy(&header, file.data(), sizeof(header));
  if (header.version == 0 || header.version > layout::version)
    fail(Err::PackageVersion, path, ": package format version ", header.version, ", this program reads versions 1 to ",
         layout::version, header.version ? "; a newer cedilla is needed" : "");
  if (header.fileBytes != file.size())
    fail(Err::PackageLength, path, ": truncated or extended: expected ", header.fileBytes, " bytes, got ", file.size());
  return header;
}

/// The bytes of each kind of section, in the order of layout::sectionKinds.
using Sections = std::array<std::span<const std::byte>, std::size(layout::sectionKinds)>;

static std::span<const std::byte> readSection(const std::string &path, const MappedFile &file,
                                              const layout::Section &section) {
  const char *name = layout::sectionName(section.kind);
  if (section.offset % layout::alignment)
    fail(Err::PackageSections, path, ": ", name, " section: expected an offset that is a multiple of ",
         layout::alignment, ", got ", section.offset);
  if (section.offset > file.size() || section.bytes > file.size() - section.offset)
    fail(Err::PackageSections, path, ": ", name, " section: bytes ", section.offset, " + ", section.bytes,
         " lie outside the file of ", file.size(), " bytes");
  std::span<const std::byte> bytes(file.data() + section.offset, section.bytes);
  if (layout::hash(bytes) != section.hash)
    fail(Err::PackageDamaged, path, ": ", name, " section: hash differs, the file is damaged");
  return bytes;
}

static Sections readSections(const std::string &path, const MappedFile &file) {
  layout::Header header = readHeader(path, file);
  constexpr size_t count = std::size(layout::sectionKinds);
  if (header.sections != count)
    fail(Err::PackageSections, path, ": expected ", count, " sections, got ", header.sections);
  layout::Section table[count];
  if (file.size() - sizeof(header) < sizeof(table))
    fail(Err::PackageLength, path, ": truncated: the section table does not fit into ", file.size(), " bytes");
  std::memcpy(table, file.data() + sizeof(header), sizeof(table));
  if (layout::hash(std::as_bytes(std::span(table))) != header.tableHash)
    fail(Err::PackageDamaged, path, ": section table: hash differs, the file is damaged");

  Sections sections;
  for (size_t i = 0; i < count; ++i) {
    if (table[i].kind != layout::sectionKinds[i])
      fail(Err::PackageSections, path, ": section ", i, ": expected kind ", layout::sectionKinds[i], ", got ",
           table[i].kind);
    sections[i] = readSection(path, file, table[i]);
  }
  return sections;
}

static Manifest parseManifest(const std::string &where, std::span<const std::byte> text) {
  nlohmann::json json;
  try {
    json = parseJson(where, {reinterpret_cast<const char *>(text.data()), text.size()});
    checkWholeNumbers(where, json, "predicted"); // seconds
  } catch (const Error &error) {
    throw Error(Err::Manifest, error.status(), error.what());
  }
  try {
    return json.get<Manifest>();
  } catch (const nlohmann::json::exception &error) {
    fail(Err::Manifest, where, ": ", error.what());
  } catch (const Error &error) { // an amount that is none
    fail(Err::Manifest, where, ": ", error.what());
  }
}

CodeKind codeOf(const Manifest &manifest, const ProgramInfo &program) {
  if (!program.target.empty())
    return {program.target, program.chip};
  for (const StepInfo &step : program.steps)
    if (step.op == "dispatch") {
      const ObjectInfo &object = manifest.objects[manifest.kernels[step.kernel].object];
      return {object.target, object.chip};
    }
  return {};
}

Package::Package(const std::string &path) : filePath(path), file(path) {
  auto [manifestText, objectBytes, constantBytes] = readSections(path, file);
  std::string where = path + ": manifest";
  contents = parseManifest(where, manifestText);
  checkManifest(contents, objectBytes.size(), constantBytes.size(), where);
  objects = objectBytes, constants = constantBytes;
}

std::span<const std::byte> Package::object(size_t index) const {
  const ObjectInfo &info = contents.objects[index];
  return objects.subspan(info.offset, info.bytes);
}

std::span<const std::byte> Package::constant(const BufferInfo &buffer) const {
  return constants.subspan(buffer.offset, buffer.bytes);
}

} // namespace cedilla
