//===- Codes.h - block-scaled codes to numbers, by arithmetic in registers --------------------===//
//
// No tables in memory; every code and every scale byte is right, NaN and the smallest scale included.
//
// - E4M3 as bf16: the seven bits below the sign moved to bits 4..10 are the value times 2^-120, also for
//   subnormals; one multiplication by 2^120 and the scale finishes it. 0x7F is NaN and needs care.
// - E4M3 as f16: one conversion of a pair, exact.
// - E2M1 as E4M3: an exact byte per nibble, picked from a register by prmt.
// - E2M1 as f16: the nibble's bits in the places of sign, exponent and fraction are the value times 2^-14, also for
//   subnormals; no conversion.
// - E8M0 as float: 2^(e - 127); 0 is the subnormal 2^-127, 255 is NaN.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Code.h"

#include <vector>

namespace cedilla::nvptx {

/// Words of four E4M3 codes from words of eight E2M1 codes, in order.
llvm::SmallVector<mlir::Value> e2m1ToE4M3(Code &code, llvm::ArrayRef<mlir::Value> words);

/// bf16 pairs, code times scale rounded to nearest even, from words of four E4M3 codes and the byte
/// (in an i32) of the one scale they share. `mayBeNaN`: a code may be 0x7F or 0xFF.
llvm::SmallVector<mlir::Value> e4m3TimesScale(Code &code, llvm::ArrayRef<mlir::Value> words,
                                              mlir::Value scale, mlir::Type scaleFormat,
                                              bool mayBeNaN);

/// The same of E8M0 scales in two ways: one multiplication, unless `isRareE4M3` holds, or two, always.
llvm::SmallVector<mlir::Value> e4m3TimesScale(Code &code, llvm::ArrayRef<mlir::Value> words,
                                              mlir::Value scale, bool once, bool mayBeNaN);
mlir::Value isRareE4M3(Code &code, llvm::ArrayRef<mlir::Value> words, mlir::Value scale, bool mayBeNaN);

/// bf16 pairs of the codes alone; exact.
llvm::SmallVector<mlir::Value> e4m3ToBF16(Code &code, llvm::ArrayRef<mlir::Value> words,
                                          bool mayBeNaN);

/// f16 pairs of E4M3 codes; exact, NaN too. For chips that convert them.
llvm::SmallVector<mlir::Value> e4m3ToF16(Code &code, llvm::ArrayRef<mlir::Value> words);

/// f16 pairs that are E2M1 codes times 2^-e2m1Exponent, exactly: of every eight, code i and code i + 4. `fourApart`
/// brings words of four E4M3 codes into the same order. `fewRegisters`: with more instructions that leave nothing lying about, for products
/// whose sums take most registers.
constexpr int64_t e2m1Exponent = 14;
llvm::SmallVector<mlir::Value> e2m1ToSmallF16(Code &code, llvm::ArrayRef<mlir::Value> words, bool fewRegisters);
llvm::SmallVector<mlir::Value> fourApart(Code &code, llvm::ArrayRef<mlir::Value> words);

/// E8M0 scales of two operands, four to a word; their products are taken times 2^exponent.
struct ScaleWords {
  llvm::SmallVector<mlir::Value> a, b;
  int64_t exponent = 0;
};

/// Whether a product of these needs more than adding exponents.
mlir::Value isRemarkable(Code &code, const ScaleWords &scales);

/// f32 products of bytes `first` to `first + count - 1` of each word of `a` and each of `b` (in this
/// order, b fastest). Exact where they are normal numbers, rounded like a multiplication elsewhere; `plain`:
/// cheaper, for scales that are not remarkable.
std::vector<llvm::SmallVector<mlir::Value>> scaleProducts(Code &code, const ScaleWords &scales,
                                                          int first, int count, bool plain);

/// 2^exponent as f32.
mlir::Value powerOfTwo(Code &code, int64_t exponent);

/// The scale as f32; exact.
mlir::Value scaleToF32(Code &code, mlir::Value byte, mlir::Type format);

} // namespace cedilla::nvptx
