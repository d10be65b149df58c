//===- OutputFile.cpp - follow links, refuse what is no file, write, rename -------------------------===//

#include "runtime/io/OutputFile.h"

#include "runtime/base/Error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace cedilla {

/// Where a chain of links ends, whether or not there is something.
static fs::path endOfLinks(const std::string &path) {
  constexpr int mostLinks = 40; // as Linux follows
  fs::path place = path;
  std::error_code error;
  for (int i = 0; i < mostLinks; ++i) {
    if (!fs::is_symlink(fs::symlink_status(place, error)))
      return place;
    fs::path target = fs::read_symlink(place, error);
    if (error)
      break;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  fail(Err::WriteFile, path, ": cannot be written: ", error ? error.message() : std::strerror(ELOOP));
}

OutputFile::OutputFile(const std::string &path) : given(path) {
  if (path.empty())
    fail(Err::WriteFile, "expected the name of a file to write, got an empty one");
  place = endOfLinks(path).string();
  std::error_code error;
  fs::file_status status = fs::status(place, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail(Err::WriteFile, path, ": cannot be written: expected a regular file or none, got ",
         fs::is_directory(status) ? "a folder" : "a device, pipe or socket");
  temporary = place + ".partial-" + std::to_string(::getpid());
  stream = std::fopen(temporary.c_str(), "wb");
  if (!stream)
    refuse(errno);
}

OutputFile::~OutputFile() {
  if (!stream)
    return;
  std::fclose(stream);
  std::remove(temporary.c_str());
}

void OutputFile::refuse(int reason) const {
  fail(Err::WriteFile, given, ": cannot be written: ", std::strerror(reason));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), stream) != bytes.size())
    refuse(errno);
}

void OutputFile::skip(uint64_t bytes) {
  if (::fseeko(stream, off_t(bytes), SEEK_CUR) != 0 || std::fflush(stream) != 0 || ::ftruncate(::fileno(stream), ::ftello(stream)) != 0)
    refuse(errno);
}

void OutputFile::keep() {
  bool closed = std::fclose(std::exchange(stream, nullptr)) == 0;
  if (closed && std::rename(temporary.c_str(), place.c_str()) == 0)
    return;
  int reason = errno;
  std::remove(temporary.c_str());
  refuse(reason);
}

void checkWritable(const std::string &path) { OutputFile probe(path); }

} // namespace cedilla
