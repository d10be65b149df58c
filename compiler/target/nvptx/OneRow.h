//===- OneRow.h - second operands of products of which one row exists ------------------------------===//

#pragma once

#include "compiler/target/nvptx/Passes.h"

#include "mlir/IR/Matchers.h"

namespace cedilla::nvptx {

/// Whether only the first of the tile's rows exists, and products of codes alone read it, as their second operand: the others' columns of
/// the sum stay what they were. Such a row is kept once, and all lanes read it.
inline bool isOneRow(tile::LoadOp load) {
  if (!load || !load.getRowCount() || !mlir::matchPattern(load.getRowCount(), mlir::m_One()))
    return false;
  auto readsSecond = [](mlir::Operation *decode) {
    return mlir::isa<tile::DecodeOp>(decode) && llvm::all_of(decode->getUsers(), [&](mlir::Operation *user) {
      auto mma = mlir::dyn_cast<tile::MmaOp>(user);
      auto name = user->getAttrOfType<mlir::StringAttr>(instructionAttr);
      return mma && name && name == "f16" && mma.getB() == decode->getResult(0) && mma.getA() != mma.getB() &&
             mma.getAcc().getType().getCols() == 8;
    });
  };
  return llvm::all_of(load->getUsers(), readsSecond);
}

/// Rows of the tile that a slot of its ring holds: scales are read at any row.
inline int64_t stagedRows(tile::LoadOp load) {
  tile::LayoutAttr layout = getLayout(load.getResult());
  bool fragments = layout && layout.getKind() != tile::LayoutKind::Memory;
  return fragments && isOneRow(load) ? 1 : load.getResult().getType().getRows();
}

} // namespace cedilla::nvptx
