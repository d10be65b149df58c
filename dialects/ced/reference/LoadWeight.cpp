//===- LoadWeight.cpp - ced.weight from a checkpoint ----------------------------------------------------===//
//
// The type says what is expected; the checkpoint must agree in dtype and shape. Tensors in a file may be
// unaligned, so they are copied.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/Stacked.h"
#include "dialects/ced/reference/HostValue.h"
#include "runtime/base/Error.h"

#include <cstring>

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla::reference {

/// Scales and FP4 pairs are bytes, whatever the exporter called them; they are decoded as the type says.
static bool readsAs(StringRef wanted, StringRef found) {
  bool isByteFormat = wanted == "F8_E8M0" || wanted == "I8";
  return wanted == found || (isByteFormat && (found == "U8" || found == "I8"));
}

static const TensorView &findTensor(const Checkpoint &checkpoint, const std::string &name,
                                    StringRef dtype, const Shape &shape) {
  const TensorView &tensor = checkpoint.get(name);
  if (!readsAs(dtype, tensor.dtype))
    fail(Err::TensorType, checkpoint.directory(), ": tensor '", name, "': expected ", dtype.str(), ", got ",
         tensor.dtype);
  if (tensor.shape != shape)
    fail(Err::TensorShape, checkpoint.directory(), ": tensor '", name, "': expected shape ", shapeText(shape),
         ", got ", shapeText(tensor.shape));
  return tensor;
}

/// All of `names` one behind the other; `shape` is that of the result.
template <typename T>
static Array<T> loadStacked(const Checkpoint &checkpoint, const std::vector<std::string> &names, bool stacked,
                            StringRef dtype, const Shape &shape) {
  Shape each = shape;
  if (stacked)
    each.erase(each.begin());
  Array<T> result(shape);
  auto *out = reinterpret_cast<std::byte *>(result.mutableData());
  for (const std::string &name : names) {
    const TensorView &tensor = findTensor(checkpoint, name, dtype, each);
    std::memcpy(out, tensor.data, tensor.bytes);
    out += tensor.bytes;
  }
  return result;
}

static std::vector<std::string> namesOf(WeightOp op, const char *suffix) {
  std::vector<std::string> names;
  for (StringRef name : op.getNames().getAsValueRange<StringAttr>())
    names.push_back(name.str() + suffix);
  return names;
}

static HostValue loadScaled(WeightOp op, ScaledType type, const Checkpoint &checkpoint) {
  ScaledArray value(formatOf(type), Shape(type.getShape()));
  value.codes = loadStacked<uint8_t>(checkpoint, namesOf(op, ".weight"), isStacked(op),
                                     type.isFP4() ? "I8" : "F8_E4M3", value.codes.shape());
  value.scales =
      loadStacked<uint8_t>(checkpoint, namesOf(op, ".scale"), isStacked(op),
                           value.format.scale == ScaledFormat::Scale::E4M3 ? "F8_E4M3" : "F8_E8M0",
                           value.scales.shape());
  return value;
}

HostValue loadWeight(WeightOp op, const Checkpoint &checkpoint) {
  if (auto scaled = dyn_cast<ScaledType>(op.getType()))
    return loadScaled(op, scaled, checkpoint);
  auto tensor = cast<RankedTensorType>(op.getType());
  Type element = tensor.getElementType();
  Shape shape(tensor.getShape());
  std::vector<std::string> names = namesOf(op, "");
  if (element.isBF16())
    return loadStacked<BF16>(checkpoint, names, isStacked(op), "BF16", shape);
  if (element.isF32())
    return loadStacked<float>(checkpoint, names, isStacked(op), "F32", shape);
  if (element.isInteger(32))
    return loadStacked<int32_t>(checkpoint, names, isStacked(op), "I32", shape);
  if (element.isInteger(64))
    return loadStacked<int64_t>(checkpoint, names, isStacked(op), "I64", shape);
  fail(Err::TensorType, "tensor '", names.front(), "': expected a weight of bf16, f32, i32 or i64");
}

} // namespace cedilla::reference
