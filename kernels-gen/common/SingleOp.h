//===- SingleOp.h - bodies that hold one op -------------------------------------------------------===//

#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace cedilla {

/// The op of a body that holds one of `Ops` and nothing else; null, with the reason, otherwise.
template <typename... Ops>
mlir::Operation *findSingleOp(mlir::Block &body, std::string &reason) {
  mlir::Operation &op = body.front();
  if (!mlir::isa<Ops...>(op)) {
    reason = "expected ";
    size_t left = sizeof...(Ops);
    ((reason += (Ops::getOperationName() + (--left == 0 ? "" : left == 1 ? " or " : ", ")).str()), ...);
    reason += ", got " + op.getName().getStringRef().str();
    return nullptr;
  }
  if (&op != body.getTerminator()->getPrevNode()) {
    reason = "expected nothing fused to " + op.getName().getStringRef().str();
    return nullptr;
  }
  return &op;
}

} // namespace cedilla
