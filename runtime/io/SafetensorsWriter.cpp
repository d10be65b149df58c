//===- SafetensorsWriter.cpp - a file appears complete or not at all
//--------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"
#include "runtime/io/OutputFile.h"
#include "runtime/io/Safetensors.h"

#include <algorithm>
#include <exception>
#include <tuple>

namespace cedilla {

void SafetensorsWriter::add(std::string name, std::string dtype, std::vector<int64_t> shape,
                            Fill fill) {
  int64_t bits = dtypeBits(dtype);
  if (bits == 0 || name == "__metadata__")
    failInternal("cannot write tensor '", name, "' of dtype '", dtype, "'");
  for (int64_t dim : shape)
    bits *= dim;
  entries.push_back({std::move(name), std::move(dtype), std::move(shape),
                     static_cast<uint64_t>(bits) / 8, std::move(fill)});
}

void SafetensorsWriter::add(std::string name, std::string dtype, std::vector<int64_t> shape,
                            std::span<const std::byte> data) {
  std::string label = name;
  add(std::move(name), std::move(dtype), std::move(shape),
      [copy = std::vector<std::byte>(data.begin(), data.end())](std::span<std::byte> out) {
        std::copy(copy.begin(), copy.end(), out.begin());
      });
  if (entries.back().bytes != data.size())
    failInternal("tensor '", label, "': expected ", entries.back().bytes, " bytes, got ",
                 data.size());
}

void SafetensorsWriter::addPieces(std::string name, std::string dtype, std::vector<int64_t> shape,
                                  std::vector<std::span<const std::byte>> pieces) {
  std::string label = name;
  uint64_t bytes = 0;
  for (std::span<const std::byte> piece : pieces)
    bytes += piece.size();
  add(std::move(name), std::move(dtype), std::move(shape), Fill());
  if (entries.back().bytes != bytes)
    failInternal("tensor '", label, "': expected ", entries.back().bytes, " bytes, got ", bytes);
  entries.back().pieces = std::move(pieces);
}

std::string SafetensorsWriter::header() const {
  nlohmann::json object = nlohmann::json::object();
  if (!meta.empty())
    object["__metadata__"] = meta;
  uint64_t at = 0;
  for (const Entry &entry : entries) {
    if (object.contains(entry.name))
      failInternal(path, ": tensor '", entry.name, "' added twice");
    object[entry.name] = {
        {"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {at, at + entry.bytes}}};
    at += entry.bytes;
  }
  std::string text = object.dump();
  // Data begins at a multiple of 64, so a mapped file's tensors are aligned.
  text.resize((text.size() + 8 + 63) / 64 * 64 - 8, ' ');
  return text;
}

void SafetensorsWriter::write() {
  // Wide elements first keeps every tensor aligned for its type without padding.
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    int64_t bitsA = dtypeBits(a.dtype), bitsB = dtypeBits(b.dtype);
    return std::tie(bitsB, a.name) < std::tie(bitsA, b.name);
  });
  std::string text = header();
  OutputFile file(path);
  std::byte length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<std::byte>(text.size() >> (8 * i));
  file.write(length);
  file.write(std::as_bytes(std::span(text)));
  std::vector<std::byte> buffer;
  for (const Entry &entry : entries) {
    for (std::span<const std::byte> piece : entry.pieces)
      file.write(piece);
    if (!entry.pieces.empty())
      continue;
    if (!entry.fill) {
      file.skip(entry.bytes);
      continue;
    }
    try {
      buffer.assign(entry.bytes, std::byte{0});
    } catch (const std::exception &) { // bad_alloc or length_error
      fail(Err::OutOfMemory, path, ": tensor '", entry.name, "': expected ", entry.bytes, " bytes of free memory to make it in");
    }
    entry.fill(buffer);
    file.write(buffer);
  }
  file.keep();
}

} // namespace cedilla
