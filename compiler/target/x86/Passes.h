//===- Passes.h - from tile to the LLVM dialect for a CPU -------------------------------------===//

#pragma once

#include "dialects/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cedilla {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/target/x86/Passes.h.inc"
} // namespace cedilla
