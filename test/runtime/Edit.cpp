//===- Edit.cpp - ced-test-edit: makes and changes safetensors files for tests --------------------===//
//
//   ced-test-edit new <out> <name>=<shape> ...     F32; element i of tensor t is ((7i + 3t) mod 17 - 8)/8
//   ced-test-edit <in> <out> <edit> ...
//     drop:<name>           leaves the tensor out
//     dtype:<name>=<dtype>  the same bytes under another dtype
//     shape:<name>=2,3      the same bytes under another shape
//     add:<name>=<x>        adds x to every element (F32, BF16, I32)
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Safetensors.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <sstream>

using namespace cedilla;

namespace {
struct Tensor {
  std::string name, dtype;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
};
using Tensors = std::vector<Tensor>;
} // namespace

static std::vector<int64_t> parseShape(const std::string &text) {
  std::vector<int64_t> shape;
  std::stringstream stream(text);
  for (std::string dim; std::getline(stream, dim, ',');)
    shape.push_back(std::stoll(dim));
  return shape;
}

static Tensor makeTensor(const std::string &text, int number) {
  size_t equals = text.find('=');
  Tensor tensor{text.substr(0, equals), "F32", parseShape(text.substr(equals + 1)), {}};
  size_t count = 1;
  for (int64_t dim : tensor.shape)
    count *= dim;
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = (int((7 * i + 3 * number) % 17) - 8) / 8.0f;
  tensor.bytes.resize(count * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

template <typename T>
static void addTo(Tensor &tensor, T (*add)(T, double), double x) {
  for (size_t at = 0; at < tensor.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, &tensor.bytes[at], sizeof(T));
    value = add(value, x);
    std::memcpy(&tensor.bytes[at], &value, sizeof(T));
  }
}

static void add(Tensor &tensor, double x) {
  if (tensor.dtype == "F32")
    addTo<float>(tensor, [](float v, double x) { return float(v + x); }, x);
  else if (tensor.dtype == "I32")
    addTo<int32_t>(tensor, [](int32_t v, double x) { return int32_t(v + x); }, x);
  else if (tensor.dtype == "BF16") // truncated: a test wants it changed, not rounded well
    addTo<uint16_t>(
        tensor,
        [](uint16_t v, double x) {
          float value = std::bit_cast<float>(uint32_t(v) << 16) + float(x);
          return uint16_t(std::bit_cast<uint32_t>(value) >> 16);
        },
        x);
  else
    fail(Err::Unnumbered, "add: '", tensor.name, "' is ", tensor.dtype);
}

static void edit(Tensors &tensors, const std::string &text) {
  size_t colon = text.find(':'), equals = text.find('=');
  std::string what = text.substr(0, colon), name = text.substr(colon + 1, equals - colon - 1);
  std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name != name)
      continue;
    if (what == "drop")
      tensors.erase(tensors.begin() + i);
    else if (what == "dtype")
      tensors[i].dtype = value;
    else if (what == "shape")
      tensors[i].shape = parseShape(value);
    else if (what == "add")
      add(tensors[i], std::stod(value));
    else
      fail(Err::Unnumbered, "unknown edit '", text, "'");
    return;
  }
  fail(Err::Unnumbered, "no tensor '", name, "'");
}

static Tensors readAll(const std::string &path) {
  Tensors tensors;
  SafetensorsFile file(path);
  for (const auto &[name, view] : file.tensors())
    tensors.push_back({name, view.dtype, view.shape, {view.data, view.data + view.bytes}});
  return tensors;
}

static void run(int argc, char **argv) {
  if (argc < 3)
    fail(Err::Unnumbered, "expected new <out> <name>=<shape> ... or <in> <out> <edit> ...");
  bool isNew = std::strcmp(argv[1], "new") == 0;
  Tensors tensors = isNew ? Tensors() : readAll(argv[1]);
  for (int i = 3; i < argc; ++i) {
    if (isNew)
      tensors.push_back(makeTensor(argv[i], i - 3));
    else
      edit(tensors, argv[i]);
  }
  SafetensorsWriter writer(argv[2]);
  for (const Tensor &tensor : tensors)
    writer.add(tensor.name, tensor.dtype, tensor.shape, tensor.bytes);
  writer.write();
}

int main(int argc, char **argv) {
  try {
    run(argc, argv);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
