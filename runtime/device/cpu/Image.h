//===- Image.h - native code loaded from memory -----------------------------------------------------===//
//
// The image goes into a sealed memfd and is opened from there: no file is written, and nobody can
// change it after it was checked.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cedilla::cpu {

class Image {
public:
  /// `where` opens the message of a failure.
  Image(std::span<const std::byte> bytes, const std::string &where);
  ~Image();
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  /// Null when the image has no such symbol.
  void *find(const std::string &symbol) const;

private:
  int fd = -1;
  void *handle = nullptr;
};

} // namespace cedilla::cpu
