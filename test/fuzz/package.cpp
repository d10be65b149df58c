//===- package.cpp - opening a package, as far as no code runs ------------------------------------===//
//
// An input that begins with the magic is a file. Any other is a manifest, and the file around it is right: a
// hash that differs would keep everything else from being reached.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/package/Layout.h"
#include "runtime/package/LayerKernels.h"
#include "runtime/package/Package.h"
#include "test/fuzz/Fuzz.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

using namespace cedilla;
using namespace cedilla::fuzz;

static std::string fileAround(std::string_view manifest) {
  std::string objects(256, '\7'), constants(256, '\11');
  std::string_view parts[] = {manifest, objects, constants};
  layout::Section table[std::size(parts)];
  layout::Header header = {{}, layout::version, std::size(parts), 0, 0};
  std::string file(sizeof header + sizeof table, '\0');
  for (size_t i = 0; i < std::size(parts); ++i) {
    file.resize((file.size() + layout::alignment - 1) / layout::alignment * layout::alignment);
    table[i] = {layout::sectionKinds[i], 0, file.size(), parts[i].size(), layout::hash(std::as_bytes(std::span(parts[i])))};
    file += parts[i];
  }
  std::memcpy(header.magic, layout::magic, sizeof header.magic);
  header.fileBytes = file.size();
  header.tableHash = layout::tableHash(header, table);
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, table, sizeof table);
  return file;
}

static unsigned touched; ///< keeps what is read below from being left out

/// Everything that a checked package hands out may be read.
static void readAll(const Package &package) {
  const Manifest &m = package.manifest();
  auto touch = [](std::span<const std::byte> bytes) {
    for (std::byte byte : bytes)
      touched += std::to_integer<unsigned>(byte);
  };
  for (size_t i = 0; i < m.objects.size(); ++i)
    touch(package.object(i));
  for (const BufferInfo &buffer : m.buffers)
    if (buffer.kind == "constant")
      touch(package.constant(buffer));
  for (const ProgramInfo &program : m.programs) {
    codeOf(m, program);
    for (const StepInfo &step : program.steps)
      touched += step.cost.bytes().at({m.facts.maxRows, m.facts.maxBatch, m.facts.maxContext}) > 0;
    for (size_t layer = 0; layer < m.facts.layers.size(); ++layer)
      kernelsOfLayer(program, m.facts.layers, layer), promisedKernels(program, m.facts.layers, layer);
  }
  // What was accepted can be written, and read again.
  checkManifest(nlohmann::json(m).get<Manifest>(), 256, 256, "again");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Scratch scratch;
  std::string_view text = textOf(data, size);
  bool isFile = text.starts_with("CEDILLA");
  scratch.write("input.ced", isFile ? std::string(text) : fileAround(text));
  isAccepted([&] { readAll(Package(scratch.path("input.ced"))); });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  if (seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text = mutateJson(textOf(data, size), seed);
  if (text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
