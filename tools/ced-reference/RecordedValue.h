//===- RecordedValue.h - recorded bytes as the interpreter's values --------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"
#include "runtime/io/Safetensors.h"

#include <functional>
#include <optional>

namespace cedilla {

/// The recorded parts of a value like `own`: bytes, and scales of a block-scaled one (null otherwise). Empty, with the
/// reason, where they are not as many as such a value has.
std::optional<reference::HostValue> valueLike(const reference::HostValue &own, const TensorView &bytes,
                                              const TensorView *scales, std::string &reason);

/// Scores [T, N] from recorded ones [T, M]: `visible` says how many columns of a row mean anything, the others are -inf.
reference::Array<reference::BF16> scoresLike(const reference::Array<reference::BF16> &own, const TensorView &bytes,
                                             const std::function<int64_t(int64_t row)> &visible);

} // namespace cedilla
