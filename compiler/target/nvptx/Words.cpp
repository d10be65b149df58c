//===- Words.cpp - how a thread's neighbouring elements are packed ----------------------------===//
//
// Four i8 are one i32, two bf16 one vector<2xbf16>, where a chunk holds that many; everything else
// is one word per element.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

int64_t Lowering::perWord(Type element, int64_t vec) const {
  if (element.isInteger(8))
    return vec % 4 == 0 ? 4 : 1;
  if (element.isBF16())
    return vec % 2 == 0 ? 2 : 1;
  return 1;
}

Type Lowering::wordType(Type element, int64_t vec) {
  if (perWord(element, vec) == 1)
    return element;
  return element.isInteger(8) ? code.i32() : code.bf16x2();
}

Words Lowering::zeros(Type element, int64_t vec) {
  Value zero = code.zero(wordType(element, vec));
  return Words(vec / perWord(element, vec), zero);
}

SmallVector<Value> Lowering::unpack(const Words &words, Type element, int64_t vec) {
  int64_t per = perWord(element, vec);
  if (per == 1)
    return words;
  SmallVector<Value> result;
  for (Value word : words)
    for (int64_t i = 0; i < per; ++i)
      result.push_back(element.isBF16() ? code.element(word, i)
                                        : arith::TruncIOp::create(b, code.loc, code.i8(),
                                                                  code.shr(word, 8 * i)));
  return result;
}

Words Lowering::pack(ArrayRef<Value> scalars, Type element) {
  int64_t per = perWord(element, scalars.size());
  if (per == 1)
    return Words(scalars);
  Words words;
  for (size_t first = 0; first < scalars.size(); first += per) {
    ArrayRef<Value> part = scalars.slice(first, per);
    if (element.isBF16()) {
      words.push_back(vector::FromElementsOp::create(b, code.loc, code.bf16x2(), part));
      continue;
    }
    Value word = code.unsignedTo32(part[0]);
    for (int64_t i = 1; i < per; ++i)
      word = code.orBits(word, code.shl(code.unsignedTo32(part[i]), 8 * i));
    words.push_back(word);
  }
  return words;
}

/// Words per access of at most 16 bytes, as the alignment allows; 0: not even one.
static int64_t wordsTogether(int64_t words, int64_t alignment) {
  int64_t together = std::min<int64_t>(alignment / 4, 4);
  while (together > 1 && words % together != 0)
    together /= 2;
  return together;
}

Words Lowering::loadWords(Value address, Type element, int64_t vec, int64_t alignment) {
  Type word = wordType(element, vec);
  int64_t bytes = element.getIntOrFloatBitWidth() / 8, count = vec / perWord(element, vec);
  bool wide = bytes * perWord(element, vec) == 4;
  int64_t together = wide ? wordsTogether(count, alignment) : 0;
  Words result;
  if (together == 0) {
    for (int64_t i = 0; i < vec; ++i)
      result.push_back(code.load(element, code.at(address, i * bytes), bytes));
    return pack(result, element);
  }
  for (int64_t first = 0; first < count; first += together) {
    Value from = code.at(address, first * 4);
    if (together == 1) {
      result.push_back(code.bits(word, code.load(code.i32(), from, 4)));
      continue;
    }
    Value loaded = code.load(VectorType::get({together}, code.i32()), from, together * 4);
    for (int64_t i = 0; i < together; ++i)
      result.push_back(code.bits(word, code.element(loaded, i)));
  }
  return result;
}

void Lowering::storeWords(const Words &words, Value address, Type element, int64_t vec,
                          int64_t alignment) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8, count = words.size();
  bool wide = bytes * perWord(element, vec) == 4;
  int64_t together = wide ? wordsTogether(count, alignment) : 0;
  if (together == 0) {
    for (auto [i, value] : llvm::enumerate(unpack(words, element, vec)))
      code.store(value, code.at(address, i * bytes), bytes);
    return;
  }
  for (int64_t first = 0; first < count; first += together) {
    SmallVector<Value> part;
    for (int64_t i = 0; i < together; ++i)
      part.push_back(code.bits(code.i32(), words[first + i]));
    Value value = part[0];
    if (together > 1)
      value = vector::FromElementsOp::create(b, code.loc, VectorType::get({together}, code.i32()),
                                             part);
    code.store(value, code.at(address, first * 4), together * 4);
  }
}
