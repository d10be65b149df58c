//===- safetensors.cpp - files, an index with shards, and a whole model directory -----------------===//
//
// An input is a folder as text. A line `=== <name> <n>` begins a file. Of a `.safetensors` the text behind it is the
// header, before which its length is put and behind which n bytes of data; with `raw` in place of n, and of any
// other name, the text is the file. With a config.json the checkpoint is checked against it.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/TensorNames.h"
#include "test/fuzz/Fuzz.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <vector>

using namespace cedilla;
using namespace cedilla::fuzz;

namespace {
struct Part {
  std::string_view title, body; ///< title with the newline at its end
};
} // namespace

static constexpr std::string_view mark = "=== ";

static std::vector<Part> partsOf(std::string_view text) {
  std::vector<Part> parts;
  while (text.starts_with(mark)) {
    size_t body = std::min(text.find('\n'), text.size() - 1) + 1, next = text.find("\n=== ", body - 1);
    size_t end = next == text.npos ? text.size() : next + 1;
    parts.push_back({text.substr(0, body), text.substr(body, end - body)});
    text.remove_prefix(end);
  }
  return parts;
}

/// Numbers 0, 1, 2, … as i32: a token map is one.
static std::string numbers(size_t bytes) {
  std::string data(bytes, '\0');
  for (size_t i = 0; i < bytes; i += 4)
    data[i] = char(i / 4);
  return data;
}

static void writePart(const Scratch &scratch, const Part &part) {
  std::string_view title = part.title.substr(mark.size());
  size_t space = std::min(title.find_first_of(" \n"), title.size());
  std::string name(title.substr(0, space)), file(part.body);
  if (name.empty() || name[0] == '.' || name.size() > 100 || name.find_first_of(std::string_view("/\0", 2)) != name.npos)
    return;
  std::string_view amount = title.substr(std::min(space + 1, title.size()));
  if (name.ends_with(".safetensors") && !amount.starts_with("raw")) {
    uint64_t length = file.size(), bytes = 0;
    std::from_chars(amount.data(), amount.data() + amount.size(), bytes);
    file.insert(0, reinterpret_cast<const char *>(&length), sizeof length);
    file += numbers(std::min<uint64_t>(bytes, 1 << 18));
  }
  scratch.write(name, file);
}

static unsigned touched; ///< keeps what is read below from being left out

static void readAll(const TensorMap &tensors) {
  for (const auto &[name, view] : tensors)
    for (uint64_t i = 0; i < view.bytes; ++i)
      touched += std::to_integer<unsigned>(view.data[i]);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Scratch scratch;
  scratch.clear();
  std::vector<Part> parts = partsOf(textOf(data, size));
  for (const Part &part : parts)
    writePart(scratch, part);
  isAccepted([&] {
    Checkpoint checkpoint(scratch.directory());
    readAll(checkpoint.tensors());
    if (const TensorView *map = checkpoint.find(kTokenMapName))
      touched += map->bytes;
    if (std::filesystem::exists(scratch.path("config.json")))
      checkCheckpoint(readModelConfig(scratch.directory()), checkpoint);
  });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  std::vector<Part> parts = partsOf(textOf(data, size));
  if (seed % 4 == 0 || parts.empty())
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text;
  size_t chosen = seed / 4 % parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    text += parts[i].title;
    text += i == chosen ? mutateJson(parts[i].body, seed) + "\n" : std::string(parts[i].body);
  }
  if (text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
