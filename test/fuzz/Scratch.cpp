//===- Scratch.cpp - files for one input ----------------------------------------------------------===//

#include "test/fuzz/Fuzz.h"

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace cedilla::fuzz {

Scratch::Scratch() {
  folder = (fs::temp_directory_path() / "cedilla-fuzz.XXXXXX").string();
  if (!::mkdtemp(folder.data()))
    std::perror(folder.c_str()), std::abort();
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

void Scratch::write(std::string_view name, std::string_view bytes) const {
  std::ofstream(path(name), std::ios::binary).write(bytes.data(), bytes.size());
}

void Scratch::clear() const {
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    fs::remove_all(entry.path());
}

} // namespace cedilla::fuzz
