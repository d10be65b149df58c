//===- ValueNames.h - one name for a value, whatever becomes of its op -----------------------------===//
//
// The op that computes a value is called "<layer>.<op>.<n>": the n-th of its kind that the import made for the layer,
// in the function's order. Prefill and decode use the same names for the same values, and so do all schedules. Names
// are made from an imported function alone, so that a compiler and an interpreter find the same ones apart from each
// other; through fusion they travel as locations.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <utility>
#include <vector>

namespace cedilla::ced {

/// The ops of an imported function that compute something, in order, with their names.
std::vector<std::pair<mlir::Operation *, std::string>> nameOps(mlir::func::FuncOp function);

/// Writes the name into the op's location.
void setName(mlir::Operation *op, llvm::StringRef name);

/// The name in the location of an op that computes what the named one did; empty where there is none. An op that was
/// made on the way (a gathered cache, a list of places) has none.
llvm::StringRef getName(mlir::Operation *op);

/// Of a result of a named op: "3.hc_mix.0", "3.hc_mix.0:1".
std::string valueName(llvm::StringRef op, unsigned result);

/// Of the scales of a block-scaled value.
inline constexpr const char *scalesSuffix = "/scales";

} // namespace cedilla::ced
