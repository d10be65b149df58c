//===- Emitter.h - short spelling for memory, vectors and loops -------------------------------===//
//
// What ScalarBuilder is for arithmetic: loads and stores through pointers, 8-lane vectors, scf
// loops over i64. Loops that run once are not loops.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/ScalarBuilder.h"
#include "compiler/target/x86/TileLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

namespace cedilla::x86 {

class Emitter : public ScalarBuilder {
public:
  using Values = llvm::SmallVector<Value>;
  using ScalarBuilder::ScalarBuilder;

  Type i8() { return b.getI8Type(); }
  Type i16() { return b.getI16Type(); }
  Type i32Type() { return b.getI32Type(); }
  Type i64Type() { return b.getI64Type(); }
  Type f32Type() { return b.getF32Type(); }
  /// `element` itself for n = 1, else a vector of n.
  Type vector(Type element, int64_t n = lanes);

  // Memory. Nothing is known of its alignment.
  Value address(Value base, Type element, Value index);
  Value address(Value base, Type element, int64_t index);
  Value load(Type type, Value pointer);
  void store(Value value, Value pointer);

  // Vectors.
  Value splat(Value scalar, int64_t n = lanes);
  /// begin, begin + 1, .. in the type of `begin`.
  Value iota(Value begin);
  Value shuffle(Value x, Value y, llvm::ArrayRef<int64_t> mask);
  Value extractLane(Value vector, int64_t lane);
  Value zero(Type type);
  /// Lanes below `count`, as a mask (i1).
  Value firstLanes(int64_t count);

  // Index arithmetic on i64; constants are folded.
  Value mulAdd(Value x, int64_t factor, Value y);
  /// Between 0 and `limit`; `count` may be null: all.
  Value clampCount(Value count, int64_t limit);

  // Control.
  void loop(int64_t n, int64_t step, llvm::function_ref<void(Value)> body);
  void loop(Value from, Value to, int64_t step, llvm::function_ref<void(Value)> body);
  Values loop(Value from, Value to, int64_t step, mlir::ValueRange init,
              llvm::function_ref<Values(Value, mlir::ValueRange)> body);
  void ifElse(Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no = nullptr);
  Values ifElse(Value condition, mlir::TypeRange types, llvm::function_ref<Values()> yes,
                llvm::function_ref<Values()> no);
};

} // namespace cedilla::x86
