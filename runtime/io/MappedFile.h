//===- MappedFile.h - a whole file, read-only, in memory
//------------------------------------------===//
//
// Maps a file without reading it: pages come in when they are touched, and several processes of one
// host share them. The mapping ends with the object; the file must not shrink while it lives.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace cedilla {

class MappedFile {
public:
  MappedFile() = default;
  /// Fails, naming the file and the system's reason, when it cannot be opened or is not a regular
  /// file.
  explicit MappedFile(const std::string &path);
  ~MappedFile();
  MappedFile(MappedFile &&other) noexcept { swap(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    swap(other);
    return *this;
  }

  const std::byte *data() const { return base; }
  uint64_t size() const { return length; }

private:
  void swap(MappedFile &other) {
    std::swap(base, other.base);
    std::swap(length, other.length);
  }

  const std::byte *base = nullptr;
  uint64_t length = 0;
};

} // namespace cedilla
