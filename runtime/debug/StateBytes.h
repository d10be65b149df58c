//===- StateBytes.h - how many bytes a cache or state has ------------------------------------------===//

#pragma once

#include "runtime/engine/Engine.h"

namespace cedilla::debug {

inline size_t bytesOf(const StateView &state) {
  size_t bytes = state.type == DType::Bytes ? 1 : state.type == DType::BF16 ? 2 : state.type == DType::I64 ? 8 : 4;
  for (int64_t dim : state.shape)
    bytes *= dim;
  return bytes;
}

} // namespace cedilla::debug
