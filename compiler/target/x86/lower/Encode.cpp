//===- Encode.cpp - numbers to block-scaled codes: Q8, Q4i, Q4m -------------------------------===//
//
// Group by group: the largest magnitude (as integers: the bits of magnitudes order like the
// numbers, and a NaN is the largest), the scale by the rule's table row, then x / scale as codes, 8
// at a time. The last group of a row may be cut; its missing elements count as 0 and their codes
// fall into padding.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Lowering.h"
#include "compiler/target/Numbers.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

namespace {
struct Encode {
  Stored x, codes, scales;
  GroupEncoding rule;
  int64_t rows, cols, group;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// One group
//===------------------------------------------------------------------------------------------===//

/// n elements from `col` as magnitude bits; those at and behind `cols` are 0.
static Value magnitudeAt(Lowering &l, const Encode &e, Value row, Value col, int64_t n) {
  Value bits = l.asI32(l.load(l.vector(l.f32Type(), n), l.element(e.x, row, col)));
  Value magnitude = l.bitAnd(bits, l.i32(0x7FFFFFFF, bits));
  if (n == 1 || e.cols % lanes == 0)
    return magnitude;
  Value left = l.trunc(l.sub(l.i64(e.cols), col), l.i32Type());
  return l.select(l.lt(l.iota(l.i32(0, left)), l.splat(left)), magnitude, l.i32(0, magnitude));
}

static Value largestMagnitude(Lowering &l, const Encode &e, Value row, Value begin, Value end,
                              int64_t step) {
  Value largest = l.asI32(l.f32(e.rule.smallest, l.splat(l.i64(0), step)));
  largest = l.loop(begin, end, step, largest, [&](Value col, ValueRange so) {
    return Emitter::Values{l.max(so[0], magnitudeAt(l, e, row, col, step))};
  })[0];
  if (step == 1)
    return l.asF32(largest);
  Value x =
      l.max(l.shuffle(largest, largest, {0, 1, 2, 3}), l.shuffle(largest, largest, {4, 5, 6, 7}));
  x = l.max(l.shuffle(x, x, {0, 1}), l.shuffle(x, x, {2, 3}));
  return l.asF32(l.max(l.extractLane(x, 0), l.extractLane(x, 1)));
}

/// Writes the scale's code and returns its number.
static Value encodeScale(Lowering &l, const Encode &e, Value row, Value group, Value largest) {
  Value limit = l.f32(e.rule.element.largest, largest);
  Value code, scale;
  if (e.rule.e8m0) {
    Value reciprocal = l.f32(1.0f / float(e.rule.element.largest), largest);
    code = encodeCeilE8M0(l, l.mul(largest, reciprocal));
    scale = decodeE8M0(l, code);
  } else {
    code = encodeMinifloat(l, e4m3, l.div(largest, limit));
    scale = decodeMinifloat(l, e4m3, code);
  }
  l.store(l.trunc(code, l.i8()), l.element(e.scales, row, group));
  return scale;
}

static Value codesAt(Lowering &l, const Encode &e, Value row, Value col, int64_t n, Value scale) {
  Value x = l.load(l.vector(l.f32Type(), n), l.element(e.x, row, col));
  return encodeMinifloat(l, e.rule.element, l.div(x, l.splat(scale, n)));
}

/// 8 nibbles to an i32, lane 0 lowest.
static Value packNibbles(Lowering &l, Value codes) {
  Value x = arith::ShLIOp::create(l.b, l.loc, codes, l.shl(l.iota(l.i32(0, l.i64(0))), 2));
  x = l.bitOr(l.shuffle(x, x, {0, 1, 2, 3}), l.shuffle(x, x, {4, 5, 6, 7}));
  x = l.bitOr(l.shuffle(x, x, {0, 1}), l.shuffle(x, x, {2, 3}));
  return l.bitOr(l.extractLane(x, 0), l.extractLane(x, 1));
}

static void encodeVector(Lowering &l, const Encode &e, Value row, Value col, Value scale) {
  Value codes = codesAt(l, e, row, col, lanes, scale);
  if (e.rule.element.bits == 8)
    l.store(l.trunc(codes, l.i8()), l.element(e.codes, row, col));
  else
    l.store(packNibbles(l, codes), l.element(e.codes, row, l.shru(col, 1)));
}

/// One byte of codes: one element, or two.
static void encodeByte(Lowering &l, const Encode &e, Value row, Value col, Value scale) {
  Value code = codesAt(l, e, row, col, 1, scale);
  Value at = col;
  if (e.rule.element.bits == 4) {
    Value odd = codesAt(l, e, row, l.mulAdd(col, 1, l.i64(1)), 1, scale);
    code = l.bitOr(code, l.shl(odd, 4));
    at = l.shru(col, 1);
  }
  l.store(l.trunc(code, l.i8()), l.element(e.codes, row, at));
}

void cedilla::x86::lowerEncode(Lowering &l, tile::EncodeOp op) {
  tile::TileType type = op.getX().getType();
  Encode e{l.tile(op.getX()),
           l.define(op->getResult(0)),
           l.define(op->getResult(1)),
           encodingOf(op),
           type.getRows(),
           type.getCols(),
           int64_t(op.getGroup())};
  // Rows of a column have no padding: byte by byte.
  bool vectors = !e.codes.layout.column && !e.x.layout.column;
  int64_t groups = (e.cols + e.group - 1) / e.group;
  l.loop(e.rows, 1, [&](Value row) {
    l.loop(groups, 1, [&](Value group) {
      Value begin = l.mulAdd(group, e.group, l.i64(0)), end = l.mulAdd(begin, 1, l.i64(e.group));
      if (e.cols % e.group)
        end = l.min(end, l.i64(e.cols));
      Value largest = largestMagnitude(l, e, row, begin, end, vectors ? lanes : 1);
      Value scale = encodeScale(l, e, row, group, largest);
      if (vectors)
        l.loop(begin, end, lanes, [&](Value col) { encodeVector(l, e, row, col, scale); });
      else
        l.loop(begin, end, 8 / e.rule.element.bits,
               [&](Value col) { encodeByte(l, e, row, col, scale); });
    });
  });
}
