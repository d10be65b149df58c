//===- LowerEncode.cpp - numbers to block-scaled codes: Q8, Q4i, Q4m --------------------------===//
//
// A group of columns lies in neighbouring lanes. They find its largest magnitude together (as
// integers: the bits of magnitudes order like the numbers, and a NaN is the largest), each makes
// the scale of it, and the codes of its own elements; the first lane of a group writes the scale to
// scratch. The last group of a row may be cut.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/Numbers.h"
#include "compiler/target/nvptx/Lowering.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

namespace {
/// A scale as its code and as a number.
struct Scale {
  Value code, number;
};
} // namespace

/// Of the elements of one thread.
static Value largestMagnitude(ScalarBuilder &a, const GroupEncoding &rule, ArrayRef<Value> elements) {
  Value largest = a.asI32(a.f32(rule.smallest, elements[0]));
  for (Value x : elements) {
    Value bits = a.asI32(x);
    largest = a.max(largest, a.bitAnd(bits, a.i32(0x7FFFFFFF, bits)));
  }
  return largest;
}

static Scale scaleOf(ScalarBuilder &a, const GroupEncoding &rule, Value largest) {
  if (rule.e8m0) {
    Value reciprocal = a.f32(1.0f / float(rule.element.largest), largest);
    Value code = encodeCeilE8M0(a, a.mul(largest, reciprocal));
    return {code, decodeE8M0(a, code)};
  }
  Value code = encodeMinifloat(a, e4m3, a.div(largest, a.f32(rule.element.largest, largest)));
  return {code, decodeMinifloat(a, e4m3, code)};
}

/// Bytes of codes: one per element, or two elements to a byte.
static SmallVector<Value> codesOf(ScalarBuilder &a, const GroupEncoding &rule, ArrayRef<Value> elements,
                                  Value scale) {
  SmallVector<Value> bytes;
  auto codeOf = [&](Value x) { return encodeMinifloat(a, rule.element, a.div(x, scale)); };
  int64_t per = 8 / rule.element.bits;
  for (size_t i = 0; i < elements.size(); i += per) {
    Value code = codeOf(elements[i]);
    if (per == 2)
      code = a.bitOr(code, a.shl(codeOf(elements[i + 1]), 4));
    bytes.push_back(a.trunc(code, a.b.getI8Type()));
  }
  return bytes;
}

LogicalResult Lowering::lowerEncode(tile::EncodeOp op) {
  const TileValue x = tiles[op.getX()];
  FailureOr<TileValue> codes = declare(op.getCodes()), scales = declare(op.getScales());
  FailureOr<SharedRange> range = scratchOf(op);
  if (failed(codes) || failed(scales) || failed(range))
    return failure();
  TileValue lying = lieInScratch(*scales, *range);
  writeShared(*range);

  // `perGroup` chunks make a group: `lanes` neighbours hold `here` each.
  const Geometry &g = x.geometry;
  int64_t perGroup = op.getGroup() / g.vec, across = 1;
  for (const ThreadTerm &term : g.col)
    across *= term.mod;
  int64_t lanes = std::min(across, perGroup), here = perGroup / lanes;
  GroupEncoding rule = encodingOf(op);
  ScalarBuilder a(b, code.loc);
  Value leads = ownsCopy(x);
  if (lanes > 1)
    leads = code.both(leads, code.equal(code.rem(thread, lanes), 0));

  std::vector<Words> words;
  for (size_t r = 0; r < g.rowOffsets.size(); ++r)
    for (size_t first = 0; first < g.colOffsets.size(); first += here) {
      size_t end = std::min<size_t>(first + here, g.colOffsets.size());
      SmallVector<Value> elements;
      for (size_t c = first; c < end; ++c)
        elements.append(unpack(x.chunk(r, c), x.type.getElement(), g.vec));
      Value largest = largestMagnitude(a, rule, elements);
      for (int64_t lane = 1; lane < lanes; lane *= 2)
        largest = a.max(largest, code.fromLane(largest, lane));
      Scale scale = scaleOf(a, rule, a.asF32(largest));
      Value group = quotient(g.col, g.colOffsets[first], op.getGroup());
      code.when(leads, [&] {
        code.store(a.trunc(scale.code, code.i8()), lying.place(row(x, r), group), 1);
      });
      for (size_t c = first; c < end; ++c)
        words.push_back(
            pack(codesOf(a, rule, ArrayRef<Value>(elements).slice((c - first) * g.vec, g.vec),
                         scale.number),
                 codes->type.getElement()));
    }
  tiles[op.getCodes()] = hold(*codes, std::move(words));
  tiles[op.getScales()] = lying;
  return success();
}
