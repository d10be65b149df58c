//===- Alignment.h - what is known about the divisibility of indices --------------------------===//
//
// Asynchronous copies and vector loads need aligned addresses. Offsets in a kernel are sums and
// products of constants, block coordinates and loop variables, so a divisor can usually be read off
// them.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/tile/Tile.h"

namespace cedilla::nvptx {

/// Buffers begin at a multiple of this (runtime/device/Device.h).
constexpr int64_t bufferAlignment = 64;

/// A power of two that divides `index` for certain; 1 when nothing is known.
int64_t knownDivisor(mlir::Value index);

/// Bytes by which the address of memory[offsets..] is aligned for certain, at most bufferAlignment.
int64_t knownAlignment(mlir::MemRefType memory, mlir::ValueRange offsets);

/// Elements between neighbours along a dim of a row-major memref.
int64_t strideOf(mlir::MemRefType memory, int64_t dim);

} // namespace cedilla::nvptx
