//===- HostValue.cpp - values against types ------------------------------------------------------------===//

#include "dialects/ced/reference/HostValue.h"
#include "runtime/base/Error.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla::reference {

ScaledFormat formatOf(ScaledType type) {
  ScaledFormat format;
  format.element = type.isFP4() ? ScaledFormat::Element::E2M1 : ScaledFormat::Element::E4M3;
  format.blockRows = type.getBlockRows();
  format.blockCols = type.getBlockCols();
  format.scale = isa<Float8E4M3FNType>(type.getScale()) ? ScaledFormat::Scale::E4M3
                                                        : ScaledFormat::Scale::UE8M0;
  return format;
}

//===------------------------------------------------------------------------------------------===//
// Does a value fit a type?
//===------------------------------------------------------------------------------------------===//

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string shapeMismatch(Type type, ArrayRef<int64_t> wanted, const Shape &found) {
  bool fits = wanted.size() == found.size();
  for (size_t i = 0; fits && i < wanted.size(); ++i)
    fits = ShapedType::isDynamic(wanted[i]) || wanted[i] == found[i];
  return fits ? "" : "expected " + textOf(type) + ", got shape " + shapeText(found);
}

/// `wanted` may be a prefix of nothing: state and index sets add their leading dim first.
template <typename T>
static std::string arrayMismatch(Type type, ArrayRef<int64_t> wanted, const HostValue &value) {
  if (const auto *array = std::get_if<Array<T>>(&value))
    return shapeMismatch(type, wanted, array->shape());
  return "expected " + textOf(type) + ", got another kind of value";
}

static std::string elementMismatch(Type type, ArrayRef<int64_t> wanted, Type element,
                                   const HostValue &value) {
  if (element.isF32())
    return arrayMismatch<float>(type, wanted, value);
  if (element.isBF16())
    return arrayMismatch<BF16>(type, wanted, value);
  if (element.isInteger(32))
    return arrayMismatch<int32_t>(type, wanted, value);
  if (element.isInteger(64))
    return arrayMismatch<int64_t>(type, wanted, value);
  return "no value has type " + textOf(type);
}

static SmallVector<int64_t> withLeadingDim(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result = {ShapedType::kDynamic};
  llvm::append_range(result, shape);
  return result;
}

/// Format and shape of a block-scaled value; the placement is how it is stored, not what it is.
static std::string scaledMismatch(ScaledType type, const HostValue &value) {
  const auto *array = std::get_if<ScaledArray>(&value);
  if (!array || !(array->format == formatOf(type)))
    return "expected " + textOf(type) + ", got a value of another format";
  return shapeMismatch(type, type.getShape(), array->shape);
}

template <typename Cache>
static std::string cacheMismatch(Type type, ScaledType row, int64_t rowsEach, const HostValue &value) {
  const auto *cache = std::get_if<Cache>(&value);
  if (!cache || !(cache->format == formatOf(row)))
    return "expected " + textOf(type) + ", got a value of another format";
  return shapeMismatch(type, {ShapedType::kDynamic, rowsEach, row.getBytesPerRow()},
                       cache->bytes.shape());
}

std::string mismatch(Type type, const HostValue &value) {
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case([&](RankedTensorType t) {
        return elementMismatch(t, t.getShape(), t.getElementType(), value);
      })
      .Case([&](StateType t) {
        return elementMismatch(t, withLeadingDim(t.getShape()), t.getElement(), value);
      })
      .Case([&](IndexSetType t) {
        return arrayMismatch<int32_t>(t, {ShapedType::kDynamic, t.getK()}, value);
      })
      .Case([&](ScaledType t) { return scaledMismatch(t, value); })
      .Case([&](WindowType t) {
        return cacheMismatch<WindowCache>(t, t.getRow(), t.getRingRows(), value);
      })
      .Case([&](PagedType t) {
        return cacheMismatch<PagedCache>(t, t.getRow(), t.getEntriesPerPage(), value);
      })
      .Default([](Type t) { return "no value has type " + textOf(t); });
}

//===------------------------------------------------------------------------------------------===//
// Caches and state
//===------------------------------------------------------------------------------------------===//

HostValue zeroState(Type type, int64_t slots, int64_t pages) {
  if (auto window = dyn_cast<WindowType>(type)) {
    ScaledType row = window.getRow();
    return WindowCache{window.getSize(), window.getSlack(), row.getCols(), formatOf(row),
                       Array<uint8_t>({slots, window.getRingRows(), row.getBytesPerRow()})};
  }
  if (auto paged = dyn_cast<PagedType>(type)) {
    ScaledType row = paged.getRow();
    return PagedCache{paged.getRatio(), paged.getPage(), row.getCols(), formatOf(row),
                      Array<uint8_t>({pages, paged.getEntriesPerPage(), row.getBytesPerRow()})};
  }
  auto state = dyn_cast<StateType>(type);
  if (!state)
    fail(Err::Interpreter, "expected a cache or state as a named argument, got ", textOf(type));
  Shape shape = {slots};
  llvm::append_range(shape, state.getShape());
  if (state.getElement().isF32())
    return Array<float>(shape);
  return Array<int32_t>(shape);
}

} // namespace cedilla::reference
