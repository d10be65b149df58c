//===- OutputFile.h - a file that appears complete or not at all ------------------------------------===//
//
// Written under a temporary name beside its place and renamed when it is whole. The place may be free or a
// regular file. A link stays and what it points to is replaced; anything else (a folder, a device, a pipe) is
// refused: renaming over it would destroy it.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace cedilla {

class OutputFile {
public:
  /// Fails, naming the file, when it cannot be written there.
  explicit OutputFile(const std::string &path);
  /// Removes what was written unless keep() was reached.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void write(std::span<const std::byte> bytes);
  /// As zeros, which take no place where the file system has holes.
  void skip(uint64_t bytes);
  /// The file takes its place.
  void keep();

private:
  [[noreturn]] void refuse(int reason) const;

  std::string given, place, temporary;
  std::FILE *stream = nullptr;
};

/// Fails as writing the file would, as far as that can be known: for programs that work long before they write.
void checkWritable(const std::string &path);

} // namespace cedilla
