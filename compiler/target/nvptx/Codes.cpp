//===- Codes.cpp - block-scaled codes to numbers, by arithmetic in registers ------------------===//

#include "compiler/target/nvptx/Codes.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

using Words = SmallVector<Value>;

// bf16 constants, twice in a word.
static constexpr uint32_t twoTo120 = 0x7B807B80, minusZero = 0x80008000;
// The exponent of 2^120 with bf16's bias; scales up to 2^7 keep 2^120 * scale finite.
static constexpr int64_t codeExponent = 120, largestFastScale = 134;

static Value pair(Code &code, Value word) { return code.bits(code.bf16x2(), word); }
static Value pairConstant(Code &code, uint32_t value) { return pair(code, code.constant(value)); }

/// x * y rounded once; -0 as addend keeps the sign of a zero product.
static Value product(Code &code, Value x, Value y) {
  return code.fma(x, y, pairConstant(code, minusZero));
}

/// `half` (16 bits in an i32) in both halves.
static Value twice(Code &code, Value half) { return pair(code, code.mul(half, 0x00010001)); }

//===------------------------------------------------------------------------------------------===//
// Codes
//===------------------------------------------------------------------------------------------===//

/// Two neighbouring codes, times 2^-120, as the bits of a bf16 pair: byte 2 `half` and the next.
static Value spread(Code &code, Value word, int half) {
  // Each code as the high byte of its half; bytes 4.. of prmt are the zero.
  Value high = code.permute(word, code.constant(0), code.constant(half == 0 ? 0x1404 : 0x3424));
  Value magnitude = code.andBits(code.shr(high, 4), 0x07F007F0);
  return code.orBits(magnitude, code.andBits(high, minusZero));
}

/// All ones below the sign in each half that holds NaN's code, 0 elsewhere.
static Value nanBits(Code &code, Value bits) {
  Value carried = code.add(code.andBits(bits, 0x07F007F0), 0x00100010);
  return code.mul(code.shr(code.andBits(carried, 0x08000800), 11), 0x7FFF);
}

static Value exact(Code &code, Value bits, bool mayBeNaN) {
  Value value = product(code, pair(code, bits), pairConstant(code, twoTo120));
  if (!mayBeNaN)
    return value;
  return pair(code, code.orBits(code.bits(code.i32(), value), nanBits(code, bits)));
}

/// Whether any of the codes is NaN.
static Value anyNaN(Code &code, ArrayRef<Value> words) {
  Value seen;
  for (Value word : words) {
    Value carried = code.add(code.andBits(word, 0x7F7F7F7F), 0x01010101);
    seen = seen ? code.orBits(seen, carried) : carried;
  }
  return code.compare(arith::CmpIPredicate::ne, code.andBits(seen, 0x80808080), code.constant(0));
}

Words nvptx::e4m3ToBF16(Code &code, ArrayRef<Value> words, bool mayBeNaN) {
  Words result;
  for (Value word : words)
    for (int half : {0, 1})
      result.push_back(exact(code, spread(code, word, half), mayBeNaN));
  return result;
}

Words nvptx::e2m1ToE4M3(Code &code, ArrayRef<Value> words) {
  // E4M3 of 0, 0.5, 1, 1.5 and 2, 3, 4, 6. The second prmt gives 0x80 for a plus and, as prmt
  // repeats a byte's sign where the selector's fourth bit is set, 0xFF for a minus.
  Value low = code.constant(0x3C383000), high = code.constant(0x4C484440);
  Value sign = code.constant(0x80808080);
  Words result;
  for (Value word : words)
    for (int half : {0, 1}) {
      Value nibbles = code.shr(word, 16 * half);
      Value magnitude = code.permute(low, high, code.andBits(nibbles, 0x7777));
      Value signs = code.shl(code.permute(sign, sign, nibbles), 1);
      result.push_back(code.orBits(magnitude, code.andBits(signs, 0x80808080)));
    }
  return result;
}

/// Nibble i of each half of a word, i = 0 .. 3, from the word alone.
static Words pairsOfNibbles(Code &code, Value word) {
  // The sign goes to bit 15 of the half, the others to bits 11 to 9.
  auto moved = [&](int64_t by) { return by < 0 ? code.shr(word, -by) : code.shl(word, by); };
  Words pairs;
  for (int64_t i = 0; i < 4; ++i)
    pairs.push_back(code.orBits(code.andBits(moved(12 - 4 * i), 0x80008000), code.andBits(moved(9 - 4 * i), 0x0E000E00)));
  return pairs;
}

/// The same in 11 instructions in place of 16: low and high nibbles of the four bytes as high bytes of f16 first, each in a word.
static Words pairsByBytes(Code &code, Value word) {
  auto fields = [&](Value magnitude, Value sign) {
    return code.orBits(code.andBits(magnitude, 0x0E0E0E0E), code.andBits(sign, 0x80808080));
  };
  Value low = fields(code.shl(word, 1), code.shl(word, 4)), high = fields(code.shr(word, 3), word);
  // Bytes 0 and 2 of a word, then 1 and 3; bytes 4.. of prmt are the zero.
  auto even = [&](Value bytes) { return code.permute(bytes, code.constant(0), code.constant(0x2404)); };
  auto odd = [&](Value bytes) { return code.andBits(bytes, 0xFF00FF00); };
  return {even(low), even(high), odd(low), odd(high)};
}

Words nvptx::e2m1ToSmallF16(Code &code, ArrayRef<Value> words, bool fewRegisters) {
  Type pairType = VectorType::get({2}, code.b.getF16Type());
  Words result;
  for (Value word : words)
    for (Value pair : fewRegisters ? pairsOfNibbles(code, word) : pairsByBytes(code, word))
      result.push_back(code.bits(pairType, pair));
  return result;
}

Words nvptx::fourApart(Code &code, ArrayRef<Value> words) {
  Words result;
  for (size_t i = 0; i < words.size(); i += 2)
    for (uint32_t selector : {0x5140u, 0x7362u})
      result.push_back(code.permute(words[i], words[i + 1], code.constant(selector)));
  return result;
}

Words nvptx::e4m3ToF16(Code &code, ArrayRef<Value> words) {
  Type pairType = VectorType::get({2}, code.b.getF16Type());
  Words result;
  for (Value word : words)
    for (int half : {0, 1}) {
      Value two =
          arith::TruncIOp::create(code.b, code.loc, code.b.getI16Type(), code.shr(word, 16 * half));
      result.push_back(
          LLVM::CallIntrinsicOp::create(code.b, code.loc, pairType,
                                        code.b.getStringAttr("llvm.nvvm.e4m3x2.to.f16x2.rn"), two)
              .getResult(0));
    }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Scales
//===------------------------------------------------------------------------------------------===//

/// 1 where an E8M0 byte is 0 or 255, the two that are no plain exponent.
static Value isSpecial(Code &code, Value byte) {
  Value next = code.andBits(code.add(byte, 1), 0xFF);
  return code.compare(arith::CmpIPredicate::ule, next, code.constant(1));
}

/// bf16 bits of a scale. An E8M0 byte is an exponent field; with the top fraction bit 0 is 2^-127,
/// 255 NaN.
static Value scaleToBF16(Code &code, Value byte, Type format) {
  if (isa<Float8E8M0FNUType>(format)) {
    Value fraction = code.select(isSpecial(code, byte), code.constant(0x40), code.constant(0));
    return twice(code, code.orBits(code.shl(byte, 7), fraction));
  }
  Value both = code.mul(byte, 0x0101);
  return exact(code, spread(code, both, 0), true);
}

Value nvptx::scaleToF32(Code &code, Value byte, Type format) {
  if (isa<Float8E8M0FNUType>(format)) {
    Value fraction = code.select(isSpecial(code, byte), code.constant(0x400000), code.constant(0));
    return code.bits(code.f32(), code.orBits(code.shl(byte, 23), fraction));
  }
  Value half = code.andBits(code.bits(code.i32(), scaleToBF16(code, byte, format)), 0xFFFF);
  return code.bits(code.f32(), code.shl(half, 16));
}

/// Exponents of `a` with the extra one added. A byte that runs over becomes small, and so
/// remarkable.
static Value raised(Code &code, Value word, int64_t exponent) {
  return code.add(word, exponent * 0x01010101);
}

Value nvptx::isRemarkable(Code &code, const ScaleWords &scales) {
  // A byte is 64 to 191 when its two top bits differ.
  Value tops = code.constant(0x80808080);
  auto see = [&](Value word) {
    Value differ = code.xorBits(word, code.shl(word, 1));
    tops = arith::AndIOp::create(code.b, code.loc, tops, differ);
  };
  for (Value word : scales.a)
    see(raised(code, word, scales.exponent));
  llvm::for_each(scales.b, see);
  return code.compare(arith::CmpIPredicate::ne, tops, code.constant(0x80808080));
}

/// The sum of two bytes of 64 to 191, less 127, is the product's exponent field and fits a byte, so
/// the four sums of a word do not disturb each other.
static void addExponents(Code &code, Value x, Value y, int first, int count, Words &products) {
  Value sums = code.add(code.add(x, y), int64_t(-0x7F7F7F7F));
  for (int i = first; i < first + count; ++i) {
    Value field = i == 3 ? code.shr(sums, 1) : code.shl(sums, 23 - 8 * i);
    products.push_back(code.bits(code.f32(), code.andBits(field, 0x7F800000)));
  }
}

static void multiplyScales(Code &code, Value x, Value y, int64_t exponent, int first, int count,
                           Words &products) {
  Type format = Float8E8M0FNUType::get(code.b.getContext());
  auto factor = [&](Value word, int i) {
    return scaleToF32(code, code.andBits(code.shr(word, 8 * i), 0xFF), format);
  };
  for (int i = first; i < first + count; ++i) {
    Value product = code.mulf(factor(x, i), factor(y, i));
    products.push_back(exponent ? code.mulf(product, powerOfTwo(code, exponent)) : product);
  }
}

Value nvptx::powerOfTwo(Code &code, int64_t exponent) {
  return code.bits(code.f32(), code.constant((127 + exponent) << 23));
}

std::vector<Words> nvptx::scaleProducts(Code &code, const ScaleWords &scales, int first, int count,
                                        bool plain) {
  std::vector<Words> result;
  for (Value x : scales.a)
    for (Value y : scales.b) {
      Words &products = result.emplace_back();
      if (plain)
        addExponents(code, raised(code, x, scales.exponent), y, first, count, products);
      else
        multiplyScales(code, x, y, scales.exponent, first, count, products);
    }
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Products
//===------------------------------------------------------------------------------------------===//

static Words twoProducts(Code &code, ArrayRef<Value> words, Value scale, Type format, bool mayBeNaN) {
  Value factor = scaleToBF16(code, scale, format);
  Words result = e4m3ToBF16(code, words, mayBeNaN);
  for (Value &value : result)
    value = product(code, value, factor);
  return result;
}

Words nvptx::e4m3TimesScale(Code &code, ArrayRef<Value> words, Value scale, bool once, bool mayBeNaN) {
  if (!once)
    return twoProducts(code, words, scale, Float8E8M0FNUType::get(code.b.getContext()), mayBeNaN);
  Value factor = twice(code, code.shl(code.add(scale, codeExponent), 7));
  Words result;
  for (Value word : words)
    for (int half : {0, 1})
      result.push_back(product(code, pair(code, spread(code, word, half)), factor));
  return result;
}

Value nvptx::isRareE4M3(Code &code, ArrayRef<Value> words, Value scale, bool mayBeNaN) {
  // 2^120 * scale is too large, or a code is NaN.
  Value rare = code.compare(arith::CmpIPredicate::ugt, scale, code.constant(largestFastScale));
  if (mayBeNaN)
    rare = arith::OrIOp::create(code.b, code.loc, rare, anyNaN(code, words));
  return rare;
}

Words nvptx::e4m3TimesScale(Code &code, ArrayRef<Value> words, Value scale, Type format,
                            bool mayBeNaN) {
  if (!isa<Float8E8M0FNUType>(format))
    return twoProducts(code, words, scale, format, mayBeNaN);
  auto with = [&](bool once) { return [&, once]() -> Words { return e4m3TimesScale(code, words, scale, once, mayBeNaN); }; };
  return code.choose(isRareE4M3(code, words, scale, mayBeNaN), with(false), with(true));
}
