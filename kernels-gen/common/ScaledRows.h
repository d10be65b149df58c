//===- ScaledRows.h - reading rows of codes and scales ---------------------------------------------===//
//
// Block-scaled rows lie planar (codes and scales in two memories) or byte string by byte string in a
// window ring or a paged cache. Kernels name rows by one number that counts the rows of all slots or
// pages, and read them through here; and through here they learn where a cache keeps which row.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/KernelBuilder.h"

namespace cedilla {

/// Codes and scales of some rows as byte tiles.
struct RowBytes {
  mlir::Value codes, scales;
};

class ScaledRows {
public:
  using Value = mlir::Value;

  /// Of a planar block-scaled value, a window or a paged cache.
  ScaledRows(KernelBuilder &k, Value cedValue);

  ced::ScaledType format() const { return type; }
  int64_t cols() const { return type.getCols(); }

  /// `width` columns from `col0` (both whole blocks) of the rows that `index` (Mx1) names, 0 where it is
  /// negative. `left`: how many columns exist from col0 on; null: all.
  RowBytes gather(Value index, Value col0, int64_t width, Value left) const;
  /// Whole rows, in a tile of tileWidth(cols()) columns.
  RowBytes gather(Value index) const;
  /// bf16(code x scale).
  Value decode(RowBytes bytes) const { return k.decode(bytes.codes, bytes.scales, type, k.bf16()); }

private:
  KernelBuilder &k;
  ced::ScaledType type;
  Value codes, scales;      ///< one memory when each row has its scales behind its codes
  int64_t scaleOffset = 0;  ///< bytes of a row before its scales
};

/// An element of one of the step's row tensors, as an index.
mlir::Value rowFact(KernelBuilder &k, mlir::Value cedValue, mlir::Value row);

/// floor((position + 1) / ratio), 0 for a padding row.
mlir::Value visibleEntries(KernelBuilder &k, mlir::Value position, int64_t ratio);

/// Row numbers (i64) of the entries (i32, Mx1) of a slot in a paged cache; -1 for negative entries, whose
/// page is not looked up.
mlir::Value pagedRows(KernelBuilder &k, ced::PagedType cache, mlir::Value pages, mlir::Value slot, mlir::Value entries);

/// The cache's pages are those of the page table; otherwise an error at `op`.
mlir::LogicalResult checkPage(mlir::Operation *op, ced::PagedType cache, const Limits &limits);

} // namespace cedilla
