//===- Values.h - values as the bytes that kernels see ----------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::bench {

/// The bytes of a value's parts, in the order of kernels-gen/common/Signature.h.
std::vector<std::vector<uint8_t>> partsOf(const reference::HostValue &value);
std::vector<reference::Shape> shapesOf(const reference::HostValue &value);

/// A value of the kind of `like` with these parts.
reference::HostValue withParts(const reference::HostValue &like,
                               const std::vector<std::vector<uint8_t>> &parts,
                               const std::vector<reference::Shape> &shapes);

} // namespace cedilla::bench
