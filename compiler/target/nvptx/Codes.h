//===- Codes.h - block-scaled codes to numbers, by arithmetic in registers --------------------===//
//
// No tables in memory; every code and every scale byte is right, NaN and the smallest scale
// included.
//
//   E4M3 as bf16: the seven bits below the sign moved to bits 4..10 are the value times 2^-120,
//   also for subnormals; one multiplication by 2^120 and the scale finishes it. 0x7F is NaN and
//   needs care. E2M1 as E4M3: an exact byte per nibble, picked from a register by prmt. E8M0 as
//   float: 2^(e - 127); 0 is the subnormal 2^-127, 255 is NaN.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Code.h"

namespace cedilla::nvptx {

/// Words of four E4M3 codes from words of eight E2M1 codes, in order.
llvm::SmallVector<mlir::Value> e2m1ToE4M3(Code &code, llvm::ArrayRef<mlir::Value> words);

/// bf16 pairs, code times scale rounded to nearest even, from words of four E4M3 codes and the byte
/// (in an i32) of the one scale they share. `mayBeNaN`: a code may be 0x7F or 0xFF.
llvm::SmallVector<mlir::Value> e4m3TimesScale(Code &code, llvm::ArrayRef<mlir::Value> words,
                                              mlir::Value scale, mlir::Type scaleFormat,
                                              bool mayBeNaN);

/// bf16 pairs of the codes alone; exact.
llvm::SmallVector<mlir::Value> e4m3ToBF16(Code &code, llvm::ArrayRef<mlir::Value> words,
                                          bool mayBeNaN);

/// The scale as f32; exact.
mlir::Value scaleToF32(Code &code, mlir::Value byte, mlir::Type format);

} // namespace cedilla::nvptx
