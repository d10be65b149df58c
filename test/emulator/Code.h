//===- Code.h - kernels compiled for this process ---------------------------------------------===//

#pragma once

#include "test/emulator/Memory.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace llvm::orc {
class LLJIT;
}

namespace cedilla::emulator {

class Code {
public:
  /// From bitcode of an image; its constants lie in `memory`, which lives longer. Throws with `where`
  /// in front of the message.
  Code(std::span<const std::byte> bitcode, Memory &memory, const std::string &where);
  ~Code();
  Code(const Code &) = delete;

  using Entry = void (*)(void *const *parameters);
  /// Null when there is no such kernel.
  Entry find(const std::string &kernel);

private:
  Memory &memory;
  std::vector<uint64_t> constants;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace cedilla::emulator
