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

#include <cstddef>
#include <cstring>

namespace cedilla {

uint64_t layout::hash(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

uint64_t layout::tableHash(const Header &header, std::span<const Section> table) {
  std::vector<std::byte> covered;
  auto cover = [&](std::span<const std::byte> bytes) { covered.insert(covered.end(), bytes.begin(), bytes.end()); };
  if (header.version >= hashesHeader)
    cover(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, tableHash)));
  cover(std::as_bytes(table));
  return hash(covered);
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

/// What lies between two sections belongs to neither hash.
static void checkGap(const std::string &path, const MappedFile &file, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; ++i)
    if (file.data()[i] != std::byte(0))
      fail(Err::PackageDamaged, path, ": expected zeros from byte ", begin, " to ", end, ", got ",
           std::to_integer<int>(file.data()[i]), " at ", i, ", the file is damaged");
}

/// `end`: of the section before; moved on.
static SectionInfo readSection(const std::string &path, const MappedFile &file, const layout::Section &section,
                               uint64_t &end) {
  const char *name = layout::sectionName(section.kind);
  if (section.reserved != 0)
    fail(Err::PackageSections, path, ": ", name, " section: expected 0 behind its kind, got ", section.reserved);
  if (section.offset != layout::alignUp(end))
    fail(Err::PackageSections, path, ": ", name, " section: expected an offset of ", layout::alignUp(end), ", got ",
         section.offset);
  if (section.offset > file.size() || section.bytes > file.size() - section.offset)
    fail(Err::PackageSections, path, ": ", name, " section: bytes ", section.offset, " + ", section.bytes,
         " lie outside the file of ", file.size(), " bytes");
  std::span<const std::byte> bytes(file.data() + section.offset, section.bytes);
  if (layout::hash(bytes) != section.hash)
    fail(Err::PackageDamaged, path, ": ", name, " section: hash differs, the file is damaged");
  checkGap(path, file, end, section.offset);
  end = section.offset + section.bytes;
  return {name, section.offset, section.bytes, section.hash};
}

static std::vector<SectionInfo> readSections(const std::string &path, const MappedFile &file,
                                             const layout::Header &header) {
  constexpr size_t count = std::size(layout::sectionKinds);
  if (header.sections != count)
    fail(Err::PackageSections, path, ": expected ", count, " sections, got ", header.sections);
  layout::Section table[count];
  if (file.size() - sizeof(header) < sizeof(table))
    fail(Err::PackageLength, path, ": truncated: the section table does not fit into ", file.size(), " bytes");
  std::memcpy(table, file.data() + sizeof(header), sizeof(table));
  if (layout::tableHash(header, table) != header.tableHash)
    fail(Err::PackageDamaged, path, ": header and section table: hash differs, the file is damaged");

  std::vector<SectionInfo> sections;
  uint64_t end = sizeof(header) + sizeof(table);
  for (size_t i = 0; i < count; ++i) {
    if (table[i].kind != layout::sectionKinds[i])
      fail(Err::PackageSections, path, ": section ", i, ": expected kind ", layout::sectionKinds[i], ", got ",
           table[i].kind);
    sections.push_back(readSection(path, file, table[i], end));
  }
  if (end != file.size())
    fail(Err::PackageLength, path, ": expected the last section to end the file of ", file.size(), " bytes, it ends at ", end);
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

/// Old versions differ in what they can say, and were written where it had to be said: a header that is damaged
/// there, which no hash covers, does not go with what follows.
static uint32_t oldVersionFor(const Manifest &manifest) {
  if (!manifest.engram.tables.empty())
    return 3;
  for (const ProgramInfo &program : manifest.programs)
    if (!program.target.empty())
      return 2;
  return 1;
}

Package::Package(const std::string &path) : filePath(path), file(path) {
  layout::Header header = readHeader(path, file);
  formatVersion = header.version;
  parts = readSections(path, file, header);
  auto part = [&](size_t i) { return bytes().subspan(parts[i].offset, parts[i].bytes); };
  std::string where = path + ": manifest";
  contents = parseManifest(where, part(0));
  if (uint32_t oldest = oldVersionFor(contents); formatVersion < layout::hashesHeader && formatVersion != oldest)
    fail(Err::PackageDamaged, path, ": expected format version ", oldest, " for what it holds, got ", formatVersion);
  objects = part(1), constants = part(2);
  checkManifest(contents, objects.size(), constants.size(), where);
}

std::span<const std::byte> Package::object(size_t index) const {
  const ObjectInfo &info = contents.objects[index];
  return objects.subspan(info.offset, info.bytes);
}

std::span<const std::byte> Package::constant(const BufferInfo &buffer) const {
  return constants.subspan(buffer.offset, buffer.bytes);
}

} // namespace cedilla
