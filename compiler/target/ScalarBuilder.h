//===- ScalarBuilder.h - short spelling for arithmetic on scalars and vectors
//------------------===//
//
// One expression serves scalars and vectors: constants take the shape of the value they meet, and
// `add` is a float or an integer addition by type. Integers wrap; nothing is fast-math.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace cedilla {

class ScalarBuilder {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}
  mlir::OpBuilder &b;
  mlir::Location loc;

  /// `element` with the shape of `like`: itself, or a vector of it.
  static Type typeLike(Value like, Type element);
  /// A constant of any scalar or vector type; the attribute is the element's.
  Value constant(Type type, mlir::TypedAttr element);
  Value f32(double value, Value like);
  Value f32Bits(uint32_t bits, Value like);
  Value i32(int64_t value, Value like);
  /// A scalar.
  Value i64(int64_t value);
  /// An integer constant of exactly the type of `like`.
  Value same(int64_t value, Value like);

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y); ///< floats
  Value fma(Value x, Value y, Value z);
  Value sqrt(Value x);
  Value bitAnd(Value x, Value y);
  Value bitOr(Value x, Value y);
  Value bitXor(Value x, Value y);
  Value shl(Value x, int64_t amount);
  Value shru(Value x, int64_t amount);
  Value shrs(Value x, int64_t amount);
  Value max(Value x, Value y); ///< integers: signed; floats: of numbers, `y` where unordered
  Value min(Value x, Value y);

  Value cmp(mlir::arith::CmpFPredicate predicate, Value x, Value y);
  Value cmp(mlir::arith::CmpIPredicate predicate, Value x, Value y);
  Value lt(Value x, Value y); ///< ordered / signed
  Value gt(Value x, Value y);
  Value eq(Value x, Value y);
  Value select(Value condition, Value yes, Value no);

  Value asI32(Value f32);             ///< the bits
  Value asF32(Value i32);             ///< the bits
  Value extU(Value x, Type element);  ///< to a wider integer
  Value extS(Value x, Type element);  ///< to a wider integer
  Value trunc(Value x, Type element); ///< to a narrower integer
  Value toF32(Value i32);             ///< the nearest number, signed

  /// x * (.. (c[n-1] * x + c[n-2]) ..) + c[0], each step fused; c in ascending order.
  Value horner(Value x, mlir::ArrayRef<double> coefficients);
};

} // namespace cedilla
