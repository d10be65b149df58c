//===- MarkRows.h - rows of a mark as numbers --------------------------------------------------------===//

#pragma once

#include "runtime/engine/Engine.h"

#include <vector>

namespace cedilla::check {

/// Fails when a row of the mark has not `width` elements.
void checkWidth(const MarkView &mark, int64_t width);

/// A row of a bf16 or f32 mark. Fails on another type.
std::vector<float> floatRow(const MarkView &mark, int64_t row);

/// A row of an i32 or i64 mark. Fails on another type, and on values beyond 32 bits.
std::vector<int32_t> intRow(const MarkView &mark, int64_t row);

/// Replaces a row of a bf16 or f32 mark.
void writeRow(const MarkView &mark, int64_t row, std::span<const float> values);

} // namespace cedilla::check
