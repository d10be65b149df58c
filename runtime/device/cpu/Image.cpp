//===- Image.cpp - native code loaded from memory ---------------------------------------------------===//

#include "runtime/device/cpu/Image.h"

#include "runtime/base/Error.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC // Linux 6.3; older kernels refuse the flag and need none
#define MFD_EXEC 0x0010U
#endif

namespace cedilla::cpu {

/// The dynamic loader's own words for a damaged image are poor, and for some it crashes.
static void checkElf(std::span<const std::byte> bytes, const std::string &where) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof(header) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    fail(Err::Code, where, ": expected an ELF shared object");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_X86_64 || header.e_type != ET_DYN)
    fail(Err::Code, where, ": expected a 64-bit x86-64 shared object, got machine ", header.e_machine,
         " type ", header.e_type);
  uint64_t size = bytes.size();
  uint64_t table = uint64_t(header.e_phnum) * sizeof(Elf64_Phdr);
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > size ||
      table > size - header.e_phoff)
    fail(Err::Code, where, ": its program headers lie outside its ", size, " bytes");
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
      fail(Err::Code, where, ": its segment ", i, " lies outside its ", size, " bytes");
  }
}

static int sealedMemory(std::span<const std::byte> bytes, const std::string &where) {
  unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int fd = memfd_create("cedilla", flags | MFD_EXEC);
  if (fd < 0 && errno == EINVAL)
    fd = memfd_create("cedilla", flags);
  if (fd < 0)
    failInternal(where, ": memfd_create: ", std::strerror(errno));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      int error = errno;
      ::close(fd);
      failInternal(where, ": cannot fill a memfd: ", std::strerror(error));
    }
    done += n;
  }
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    int error = errno;
    ::close(fd);
    failInternal(where, ": cannot seal a memfd: ", std::strerror(error));
  }
  return fd;
}

// The loader recognises objects by name. The descriptor therefore stays open as long as the image is
// loaded: a second image would otherwise get the same number, and with it the first one's code.
Image::Image(std::span<const std::byte> bytes, const std::string &where) {
  checkElf(bytes, where);
  fd = sealedMemory(bytes, where);
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return;
  const char *reason = dlerror();
  std::string message = reason ? reason : "unknown reason";
  ::close(fd);
  fail(Err::Code, where, ": cannot load: ", message);
}

Image::~Image() {
  dlclose(handle);
  ::close(fd);
}

void *Image::find(const std::string &symbol) const { return dlsym(handle, symbol.c_str()); }

} // namespace cedilla::cpu
