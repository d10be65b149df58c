//===- MappedFile.cpp - mmap with an owner
//----------------------------------------------------------===//

#include "runtime/io/MappedFile.h"

#include "runtime/base/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cedilla {

MappedFile::MappedFile(const std::string &path) {
  // Without O_NONBLOCK opening a pipe waits for somebody to write.
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    fail(Err::ReadFile, path, ": cannot be opened: ", std::strerror(errno));
  struct stat info;
  bool known = ::fstat(fd, &info) == 0;
  if (!known || !S_ISREG(info.st_mode)) {
    ::close(fd);
    fail(Err::ReadFile, path, ": expected a regular file");
  }
  length = static_cast<uint64_t>(info.st_size);
  // An empty file cannot be mapped, and needs no mapping.
  void *address = length ? ::mmap(nullptr, length, PROT_READ, MAP_SHARED, fd, 0) : nullptr;
  int reason = errno;
  ::close(fd);
  if (address == MAP_FAILED)
    fail(Err::ReadFile, path, ": cannot be mapped: ", std::strerror(reason));
  base = static_cast<const std::byte *>(address);
}

MappedFile::~MappedFile() {
  if (base)
    ::munmap(const_cast<std::byte *>(base), length);
}

} // namespace cedilla
