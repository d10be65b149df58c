//===- Fuzz.h - what the fuzz targets share -------------------------------------------------------===//
//
// An input ends in success or in a user's error. Anything else (another exception, an internal error, an
// assertion, what a sanitizer reports) ends the program, and libFuzzer keeps the input.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/base/Error.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace cedilla::fuzz {

/// Runs what reads the input; false when it was refused. Other exceptions leave it and end the program.
template <typename Body>
bool isAccepted(Body body) {
  try {
    body();
    return true;
  } catch (const Error &error) {
    if (std::getenv("CEDILLA_FUZZ_SAY"))
      std::fprintf(stderr, "refused: %.300s\n", error.what());
    if (error.status() == Status::InvalidInput && *error.what())
      return false;
    std::fprintf(stderr, "expected a user's error with a message, got status %d: '%s'\n", int(error.status()), error.what());
    std::abort();
  }
}

inline std::string_view textOf(const uint8_t *data, size_t size) { return {reinterpret_cast<const char *>(data), size}; }

/// A folder of this process for the files of one input; gone with the program.
class Scratch {
public:
  Scratch();
  ~Scratch();
  std::string path(std::string_view name) const { return folder + "/" + std::string(name); }
  const std::string &directory() const { return folder; }
  void write(std::string_view name, std::string_view bytes) const;
  void clear() const;

private:
  std::string folder;
};

/// Changes one place of a JSON text: a value, a key, an entry more or less. Text that is no JSON is returned as it is.
std::string mutateJson(std::string_view text, unsigned seed);

} // namespace cedilla::fuzz

/// libFuzzer's own changes of bytes.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
