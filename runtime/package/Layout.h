//===- Layout.h - the fixed part of a package file -------------------------------------------------===//
//
// The numbers that reader and writer share; compiler/package/Format.md explains them. Everything is
// little-endian, and so are the hosts this is built for: the structures are read and written as bytes.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cedilla::layout {

static_assert(std::endian::native == std::endian::little,
              "package files are little-endian; a big-endian host needs swaps in Package*.cpp");

inline constexpr char magic[8] = {'C', 'E', 'D', 'I', 'L', 'L', 'A', '\0'};
/// The version that is written, and the newest that is read; Format.md has their history.
inline constexpr uint32_t version = 4;
/// The first whose table hash covers the header, too.
inline constexpr uint32_t hashesHeader = 4;
/// Sections begin at multiples of this, so that constants can be used where they are mapped.
inline constexpr uint64_t alignment = 64;

constexpr uint64_t alignUp(uint64_t offset) { return (offset + alignment - 1) / alignment * alignment; }

enum SectionKind : uint32_t { Manifest = 1, Objects = 2, Constants = 3 };
inline constexpr SectionKind sectionKinds[] = {Manifest, Objects, Constants};
constexpr const char *sectionName(uint32_t kind) {
  return kind == Manifest ? "manifest" : kind == Objects ? "objects" : "constants";
}

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t sections;
  uint64_t fileBytes;
  uint64_t tableHash; ///< tableHash() below
};
static_assert(sizeof(Header) == 32);

struct Section {
  uint32_t kind;
  uint32_t reserved; ///< 0
  uint64_t offset, bytes;
  uint64_t hash; ///< XXH3-64 of the section's bytes
};
static_assert(sizeof(Section) == 32);

/// XXH3-64 with seed 0 (Package.cpp).
uint64_t hash(std::span<const std::byte> bytes);

/// Of the header's bytes in front of the hash and the table behind it; of the table alone in older versions.
uint64_t tableHash(const Header &header, std::span<const Section> table);

} // namespace cedilla::layout
