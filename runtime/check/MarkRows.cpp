//===- MarkRows.cpp - rows of a mark as numbers ------------------------------------------------------===//

#include "runtime/check/MarkRows.h"

#include "runtime/base/Error.h"
#include "runtime/check/Numbers.h"

#include <cstring>

namespace cedilla::check {

static int64_t widthOf(const MarkView &mark) {
  int64_t width = 1;
  for (size_t i = 1; i < mark.shape.size(); ++i)
    width *= mark.shape[i];
  return width;
}

template <typename T>
static T *rowOf(const MarkView &mark, int64_t row) {
  return static_cast<T *>(mark.data) + row * widthOf(mark);
}

[[noreturn]] static void wrongType(const MarkView &mark) {
  failInternal("mark '", mark.name, "' of layer ", mark.layer, " has an unexpected element type");
}

void checkWidth(const MarkView &mark, int64_t width) {
  if (widthOf(mark) != width)
    failInternal("mark '", mark.name, "' of layer ", mark.layer, ": expected rows of ", width,
                 " elements, got ", widthOf(mark));
}

std::vector<float> floatRow(const MarkView &mark, int64_t row) {
  int64_t width = widthOf(mark);
  if (mark.type == DType::F32)
    return {rowOf<float>(mark, row), rowOf<float>(mark, row) + width};
  if (mark.type != DType::BF16)
    wrongType(mark);
  std::vector<float> values(width);
  for (int64_t i = 0; i < width; ++i)
    values[i] = bf16ToFloat(rowOf<uint16_t>(mark, row)[i]);
  return values;
}

std::vector<int32_t> intRow(const MarkView &mark, int64_t row) {
  int64_t width = widthOf(mark);
  if (mark.type == DType::I32)
    return {rowOf<int32_t>(mark, row), rowOf<int32_t>(mark, row) + width};
  if (mark.type != DType::I64)
    wrongType(mark);
  std::vector<int32_t> values(width);
  for (int64_t i = 0; i < width; ++i) {
    int64_t value = rowOf<int64_t>(mark, row)[i];
    values[i] = static_cast<int32_t>(value);
    if (values[i] != value)
      failInternal("mark '", mark.name, "': value ", value, " does not fit 32 bits");
  }
  return values;
}

void writeRow(const MarkView &mark, int64_t row, std::span<const float> values) {
  if (mark.type == DType::F32) {
    std::memcpy(rowOf<float>(mark, row), values.data(), values.size_bytes());
    return;
  }
  if (mark.type != DType::BF16)
    wrongType(mark);
  for (size_t i = 0; i < values.size(); ++i)
    rowOf<uint16_t>(mark, row)[i] = floatToBf16(values[i]);
}

} // namespace cedilla::check
