//===- PackageWriter.cpp - writing a package file ---------------------------------------------------===//

#include "runtime/io/OutputFile.h"
#include "runtime/package/Layout.h"
#include "runtime/package/Package.h"

#include <cstring>
#include <iterator>

namespace cedilla {

void writePackage(const std::string &path, const Manifest &manifest,
                  std::span<const std::byte> objects, std::span<const std::byte> constants) {
  checkManifest(manifest, objects.size(), constants.size(), path + ": manifest");
  std::string text = nlohmann::json(manifest).dump();
  std::span<const std::byte> bytes[] = {std::as_bytes(std::span(text)), objects, constants};

  layout::Section table[std::size(bytes)];
  uint64_t end = sizeof(layout::Header) + sizeof(table);
  for (size_t i = 0; i < std::size(bytes); ++i) {
    table[i] = {layout::sectionKinds[i], 0, layout::alignUp(end), bytes[i].size(), layout::hash(bytes[i])};
    end = table[i].offset + table[i].bytes;
  }
  std::span<const std::byte> tableBytes = std::as_bytes(std::span(table));
  layout::Header header = {{}, layout::version, std::size(bytes), end, 0};
  std::memcpy(header.magic, layout::magic, sizeof(header.magic));
  header.tableHash = layout::tableHash(header, table);

  OutputFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(tableBytes);
  uint64_t written = sizeof(header) + sizeof(table);
  static constexpr std::byte zeros[layout::alignment] = {};
  for (size_t i = 0; i < std::size(bytes); ++i) {
    file.write(std::span(zeros).first(table[i].offset - written));
    file.write(bytes[i]);
    written = table[i].offset + table[i].bytes;
  }
  file.keep();
}

} // namespace cedilla
