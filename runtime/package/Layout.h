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
/// The newest version this code reads. 1: first; 2: programs for several chips; 3: the input
/// `engram_gathered`. Written is the oldest one
/// that can say what is in the package.
inline constexpr uint32_t version = 3;
/// Sections begin at multiples of this, so that constants can be used where they are mapped.
inline constexpr uint64_t alignment = 64;

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
  uint64_t tableHash; ///< XXH3-64 of the section table
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

} // namespace cedilla::layout
