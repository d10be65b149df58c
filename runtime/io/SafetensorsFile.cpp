//===- SafetensorsFile.cpp - one file, completely checked
//-----------------------------------------===//
//
// Layout: 8 bytes of header length (little endian), a JSON object, the tensors' bytes one behind
// the other. The checks go from the outside in: size, header, entries, then that the entries tile
// the data.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/io/Safetensors.h"

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"

#include <algorithm>
#include <tuple>

namespace cedilla {

int64_t dtypeBits(std::string_view dtype) {
  struct Row {
    std::string_view name;
    int64_t bits;
  };
  static constexpr Row rows[] = {
      {"BOOL", 8},    {"U8", 8},   {"I8", 8},   {"F8_E4M3", 8}, {"F8_E5M2", 8},
      {"F8_E8M0", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16},    {"BF16", 16},
      {"I32", 32},    {"U32", 32}, {"F32", 32}, {"I64", 64},    {"U64", 64},
      {"F64", 64},    {"C64", 64}, {"F4", 4},   {"F6_E2M3", 6}, {"F6_E3M2", 6},
  };
  for (const Row &row : rows)
    if (row.name == dtype)
      return row.bits;
  return 0;
}

bool readsAs(std::string_view expected, std::string_view found) {
  if (expected == found)
    return true;
  bool rawBytes = found == "U8" || found == "I8";
  return rawBytes && (expected == "F8_E8M0" || expected == "I8");
}

std::string shapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

//===------------------------------------------------------------------------------------------===//
// Header
//===------------------------------------------------------------------------------------------===//

/// The header's text; says which of "empty", "truncated" and "something else" a bad file is.
static std::string_view headerText(const std::string &path, const MappedFile &file) {
  if (file.size() == 0)
    fail(Err::Safetensors, path, ": expected a safetensors file, got an empty file (0 bytes)");
  if (file.size() < 10) // a length and "{}"
    fail(Err::Safetensors, path, ": not a safetensors file (", file.size(), " bytes)");
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | std::to_integer<uint64_t>(file.data()[i]);
  if (std::to_integer<char>(file.data()[8]) != '{')
    fail(Err::Safetensors, path, ": not a safetensors file");
  if (length > file.size() - 8) {
    // A real header is far below this; a larger claim means that the first 8 bytes are no length.
    if (length > uint64_t(1) << 40)
      fail(Err::Safetensors, path, ": not a safetensors file");
    fail(Err::SafetensorsBytes, path, ": truncated: expected a header of ", length, " bytes, got ", file.size() - 8);
  }
  return {reinterpret_cast<const char *>(file.data()) + 8, length};
}

static int64_t readDim(const std::string &where, const nlohmann::json &value) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > INT64_MAX)
    fail(Err::Safetensors, where, "expected a dim >= 0, got ", value.dump());
  return value.get<int64_t>();
}

static uint64_t checkedBytes(const std::string &where, const TensorView &tensor) {
  uint64_t elements = 1;
  for (int64_t dim : tensor.shape)
    if (__builtin_mul_overflow(elements, static_cast<uint64_t>(dim), &elements))
      fail(Err::Safetensors, where, "shape ", shapeText(tensor.shape), " overflows");
  uint64_t bits = 0;
  int64_t width = dtypeBits(tensor.dtype);
  if (width == 0)
    fail(Err::Safetensors, where, "unknown dtype '", tensor.dtype, "'");
  if (__builtin_mul_overflow(elements, static_cast<uint64_t>(width), &bits))
    fail(Err::Safetensors, where, "shape ", shapeText(tensor.shape), " overflows");
  if (bits % 8)
    fail(Err::Safetensors, where, "expected whole bytes, got ", bits, " bits");
  return bits / 8;
}

/// A tensor whose place in the file is still an offset.
struct Placed {
  TensorView view;
  uint64_t begin = 0, end = 0;
};

static Placed readEntry(const std::string &path, const std::string &name,
                        const nlohmann::json &entry) {
  std::string where = path + ": tensor '" + name + "': ";
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets"))
    fail(Err::Safetensors, where, "expected an object with dtype, shape and data_offsets");
  const nlohmann::json &dtype = entry["dtype"], &shape = entry["shape"],
                       &offsets = entry["data_offsets"];
  if (!dtype.is_string())
    fail(Err::Safetensors, where, "expected a dtype string, got ", dtype.dump());
  if (!shape.is_array())
    fail(Err::Safetensors, where, "expected a shape list, got ", shape.dump());
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned())
    fail(Err::Safetensors, where, "expected two data_offsets >= 0, got ", offsets.dump());
  Placed placed;
  placed.view.name = name;
  placed.view.dtype = dtype.get<std::string>();
  for (const nlohmann::json &dim : shape)
    placed.view.shape.push_back(readDim(where, dim));
  placed.view.bytes = checkedBytes(where, placed.view);
  placed.begin = offsets[0].get<uint64_t>();
  placed.end = offsets[1].get<uint64_t>();
  if (placed.end < placed.begin || placed.end - placed.begin != placed.view.bytes)
    fail(Err::SafetensorsBytes, where, "expected ", placed.view.bytes, " bytes for ", placed.view.dtype, " ",
         shapeText(placed.view.shape), ", got offsets [", placed.begin, ", ", placed.end, "]");
  return placed;
}

/// The tensors must tile [0, size) without gap or overlap; what is behind them is an error, too.
static void checkTiling(const std::string &path, std::vector<Placed> &placed, uint64_t size) {
  std::sort(placed.begin(), placed.end(), [](const Placed &a, const Placed &b) {
    return std::tie(a.begin, a.end, a.view.name) < std::tie(b.begin, b.end, b.view.name);
  });
  uint64_t at = 0;
  for (const Placed &tensor : placed) {
    if (tensor.begin != at)
      fail(Err::SafetensorsBytes, path, ": tensor '", tensor.view.name, "': expected data to begin at ", at, ", got ",
           tensor.begin, tensor.begin < at ? " (overlaps another tensor)" : " (leaves a gap)");
    if (tensor.end > size)
      fail(Err::SafetensorsBytes, path, ": truncated: tensor '", tensor.view.name, "' ends at byte ", tensor.end,
           ", the data has ", size);
    at = tensor.end;
  }
  if (at != size)
    fail(Err::SafetensorsBytes, path, ": expected ", at, " bytes of data, got ", size, ": ", size - at,
         " trailing bytes that belong to no tensor");
}

//===------------------------------------------------------------------------------------------===//
// SafetensorsFile
//===------------------------------------------------------------------------------------------===//

SafetensorsFile::SafetensorsFile(const std::string &path) : filePath(path), file(path) {
  std::string_view text = headerText(path, file);
  nlohmann::json header = parseJson(path + ": header", text);
  if (!header.is_object())
    fail(Err::Safetensors, path, ": not a safetensors file");
  std::vector<Placed> placed;
  for (const auto &[name, entry] : header.items()) {
    if (name != "__metadata__") {
      placed.push_back(readEntry(path, name, entry));
      continue;
    }
    if (!entry.is_object())
      fail(Err::Safetensors, path, ": __metadata__: expected an object, got ", entry.dump());
    for (const auto &[key, value] : entry.items()) {
      if (!value.is_string())
        fail(Err::Safetensors, path, ": __metadata__: '", key, "': expected a string, got ", value.dump());
      meta[key] = value.get<std::string>();
    }
  }
  uint64_t dataAt = 8 + text.size();
  checkTiling(path, placed, file.size() - dataAt);
  for (Placed &tensor : placed) {
    tensor.view.data = file.data() + dataAt + tensor.begin;
    std::string name = tensor.view.name;
    byName.emplace(std::move(name), std::move(tensor.view));
  }
}

const TensorView *SafetensorsFile::find(std::string_view name) const {
  auto it = byName.find(name);
  return it == byName.end() ? nullptr : &it->second;
}

} // namespace cedilla
