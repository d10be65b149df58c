//===- SafetensorsWriter.cpp - a file appears complete or not at all
//--------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"
#include "runtime/io/Safetensors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <unistd.h>

namespace cedilla {

namespace {
/// A stream whose file is removed again unless keep() was reached.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &finalPath)
      : finalPath(finalPath), path(finalPath + ".partial-" + std::to_string(::getpid())),
        stream(std::fopen(path.c_str(), "wb")) {
    if (!stream)
      fail(path, ": cannot be written: ", std::strerror(errno));
  }
  ~TemporaryFile() {
    if (!stream)
      return;
    std::fclose(stream);
    std::remove(path.c_str());
  }
  void put(const void *data, uint64_t bytes) {
    if (std::fwrite(data, 1, bytes, stream) != bytes)
      fail(finalPath, ": cannot be written: ", std::strerror(errno));
  }
  void keep() {
    bool closed = std::fclose(stream) == 0;
    stream = nullptr;
    if (closed && std::rename(path.c_str(), finalPath.c_str()) == 0)
      return;
    int reason = errno;
    std::remove(path.c_str());
    fail(finalPath, ": cannot be written: ", std::strerror(reason));
  }

private:
  std::string finalPath, path;
  std::FILE *stream;
};
} // namespace

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
  TemporaryFile file(path);
  unsigned char length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<unsigned char>(text.size() >> (8 * i));
  file.put(length, sizeof length);
  file.put(text.data(), text.size());
  std::vector<std::byte> buffer;
  for (const Entry &entry : entries) {
    buffer.assign(entry.bytes, std::byte{0});
    entry.fill(buffer);
    file.put(buffer.data(), buffer.size());
  }
  file.keep();
}

} // namespace cedilla
