//===- Arguments.cpp - random values by type ---------------------------------------------------------------===//

#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Quantize.h"
#include "runtime/base/Error.h"
#include "test/kernels-gen/conformance/Case.h"
#include "tools/ced-bench/Inputs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace cedilla::reference;

namespace cedilla::conformance {

namespace {
class Generator {
public:
  Generator(func::FuncOp function, const Step &step, const Limits &limits, uint64_t seed)
      : function(function), step(step), limits(limits), seed(seed), random(seed) {
    makePages();
  }

  HostValue make(unsigned argument);

private:
  double uniform() { return double(random() >> 11) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * M_PI * uniform()); }
  int64_t integer(StringRef name, int64_t missing) {
    auto attr = function.getArgAttrOfType<IntegerAttr>(number, name);
    return attr ? attr.getInt() : missing;
  }
  int64_t below() {
    int64_t limit = integer("check.below", 0);
    if (limit <= 0)
      fail(Err::Unnumbered, "@", function.getName().str(), ": expected attribute 'check.below' on argument ", number);
    return limit;
  }
  Shape shapeOf(ArrayRef<int64_t> dims) {
    Shape shape(dims.begin(), dims.end());
    for (int64_t &dim : shape)
      dim = ShapedType::isDynamic(dim) ? step.rows() : dim;
    return shape;
  }

  std::vector<float> numbers(const Shape &shape, bool zeroRows);
  void makeSpecial(std::vector<float> &values, int64_t width);
  void placeValues(std::vector<float> &values, int64_t width);
  HostValue makeFact(StringRef name, RankedTensorType type);
  void makePages();
  HostValue makeTensor(RankedTensorType type);
  HostValue makeIntegers(RankedTensorType type);
  HostValue makeState(ced::StateType type);
  int32_t makePad(int32_t limit);
  HostValue makeIndexSet(ced::IndexSetType type);
  ScaledArray makeScaled(ced::ScaledType type, Shape shape);
  Array<uint8_t> makeRows(ced::ScaledType row, Shape shape);
  std::vector<int64_t> lastPositions() const;
  WindowCache makeWindow(ced::WindowType type);
  PagedCache makePaged(ced::PagedType type);

  func::FuncOp function;
  const Step &step;
  const Limits &limits;
  uint64_t seed;
  std::mt19937_64 random; ///< of the argument in hand: what does not depend on the step is the same in every step
  Array<int32_t> pages;
  unsigned number = 0;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

/// Normally distributed, each row with its own magnitude; some rows are zero.
std::vector<float> Generator::numbers(const Shape &shape, bool zeroRows) {
  auto attr = function.getArgAttrOfType<FloatAttr>(number, "check.scale");
  double scale = attr ? attr.getValueAsDouble() : 1.0;
  std::vector<float> values(countOf(shape));
  double rowScale = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % shape.back() == 0)
      rowScale = zeroRows && random() % 20 == 0 ? 0 : scale * std::exp2(double(random() % 5) - 2);
    values[i] = float(normal() * rowScale);
  }
  placeValues(values, shape.back());
  return values;
}

/// Those that the case lists, in turn: one somewhere in every 32 columns.
void Generator::placeValues(std::vector<float> &values, int64_t width) {
  auto attr = function.getArgAttrOfType<DenseF32ArrayAttr>(number, "check.values");
  size_t next = seed;
  for (size_t row = 0; attr && row < values.size(); row += width)
    for (int64_t begin = 0; begin < width; begin += 32)
      values[row + begin + random() % std::min<int64_t>(32, width - begin)] = attr[next++ % attr.size()];
}

/// What a row of scores may hold beside numbers.
void Generator::makeSpecial(std::vector<float> &values, int64_t width) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (float *row = values.data(); row < values.data() + values.size(); row += width) {
    auto anywhere = [&]() -> float & { return row[random() % width]; };
    float largest = *std::max_element(row, row + width);
    switch (random() % 6) {
    case 0: anywhere() = largest, anywhere() = largest; break;
    case 1: std::fill_n(row, width, -infinity); break;
    case 2: std::fill_n(row, width / 2, -infinity); break;
    case 3: anywhere() = std::nanf(""); break;
    case 4: std::fill_n(row, width, -0.0f), anywhere() = 0; break;
    default: anywhere() = infinity, anywhere() = -infinity;
    }
  }
}

HostValue Generator::makeTensor(RankedTensorType type) {
  Shape shape = shapeOf(type.getShape());
  bool rows = type.getRank() > 0 && type.isDynamicDim(0);
  Type element = type.getElementType();
  if (element.isF32()) {
    std::vector<float> values = numbers(shape, rows);
    if (function.getArgAttr(number, "check.special"))
      makeSpecial(values, shape.back());
    return Array<float>(shape, values);
  }
  if (element.isBF16())
    return roundToBF16(Array<float>(shape, numbers(shape, rows)));
  return makeIntegers(type);
}

/// The numbers of one row of a matrix are different: they choose experts.
HostValue Generator::makeIntegers(RankedTensorType type) {
  Shape shape = shapeOf(type.getShape());
  int64_t limit = below();
  std::vector<int64_t> values;
  for (int64_t i = 0; i < countOf(shape); ++i) {
    int64_t value = random() % limit;
    if (shape.size() == 2 && shape[1] <= limit)
      while (std::find(values.end() - i % shape[1], values.end(), value) != values.end())
        value = (value + 1) % limit;
    values.push_back(value);
  }
  if (type.getElementType().isInteger(64))
    return Array<int64_t>(shape, values);
  return Array<int32_t>(shape, std::vector<int32_t>(values.begin(), values.end()));
}

//===------------------------------------------------------------------------------------------===//
// Facts of the step
//===------------------------------------------------------------------------------------------===//

/// Every slot has its own pages, in no order.
void Generator::makePages() {
  std::vector<int32_t> all(limits.maxBatch * limits.pagesPerSlot());
  std::iota(all.begin(), all.end(), 0);
  for (size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[random() % i]);
  pages = Array<int32_t>({limits.maxBatch, limits.pagesPerSlot()}, all);
}

HostValue Generator::makeFact(StringRef name, RankedTensorType type) {
  Shape rows = {step.rows()};
  if (name == "positions")
    return Array<int32_t>(rows, step.positions);
  if (name == "slots")
    return Array<int32_t>(rows, step.slots);
  if (name == "starts")
    return Array<int32_t>(rows, step.starts);
  if (name == "pages")
    return pages;
  if (name == "tokens")
    return makeIntegers(type);
  if (name != "kinds")
    fail(Err::Unnumbered, "@", function.getName().str(), ": expected the name of a row tensor, got '", name.str(), "'");
  Array<int32_t> kinds(rows);
  for (int64_t t = 0; t < step.rows(); ++t)
    kinds.mutableData()[t] = random() % 5 == 0;
  return kinds;
}

//===------------------------------------------------------------------------------------------===//
// Block-scaled values, caches, state, index sets
//===------------------------------------------------------------------------------------------===//

/// Every code, NaN too, and every scale beside several eighths of the codes.
static void countThrough(ScaledArray &x, uint64_t seed) {
  for (int64_t i = 0; i < x.codes.size(); ++i)
    x.codes.mutableData()[i] = uint8_t(i);
  for (int64_t i = 0; i < x.scales.size(); ++i)
    x.scales.mutableData()[i] = uint8_t(i + i / 256 + seed);
}

/// Activation formats quantise random numbers. Tiles of weights have random codes (no NaN) and scales.
ScaledArray Generator::makeScaled(ced::ScaledType type, Shape shape) {
  ScaledFormat format = formatOf(type);
  ScaledArray result(format, shape);
  if (function.getArgAttr(number, "check.all_codes")) {
    countThrough(result, seed);
    return result;
  }
  if (format.blockRows == 1)
    return quantize(roundToBF16(Array<float>(shape, numbers(shape, false))), format);
  // From a generator that other machines have as well: a saved case need not carry large weights.
  uint8_t *codes = result.codes.mutableData(), *scales = result.scales.mutableData();
  bench::fillInput(std::as_writable_bytes(std::span(codes, result.codes.size())), format.isFP4() ? "I8" : "F8_E4M3",
                   bench::InputRange::Usual, seed, number);
  for (int64_t i = 0; i < result.scales.size(); ++i)
    scales[i] = 112 + random() % 6;
  return result;
}

/// Bytes of cache rows; `shape` ends with the number of columns.
Array<uint8_t> Generator::makeRows(ced::ScaledType row, Shape shape) { return packRows(makeScaled(row, shape)); }

/// By slot: the last position of its sequence in this step; -1: none.
std::vector<int64_t> Generator::lastPositions() const {
  std::vector<int64_t> last(limits.maxBatch, -1);
  for (int64_t t = 0; t < step.rows(); ++t)
    if (step.positions[t] >= 0)
      last[step.slots[t]] = std::max<int64_t>(last[step.slots[t]], step.positions[t]);
  return last;
}

static constexpr int unused = 0xFF; ///< NaN as a code and as a scale

/// Rows that no position of the step has reached are NaN.
WindowCache Generator::makeWindow(ced::WindowType type) {
  ced::ScaledType row = type.getRow();
  WindowCache cache{type.getSize(), type.getSlack(), row.getCols(), formatOf(row),
                    makeRows(row, {limits.maxBatch, type.getRingRows(), row.getCols()})};
  std::vector<int64_t> last = lastPositions();
  for (int64_t slot = 0; slot < limits.maxBatch; ++slot)
    for (int64_t i = last[slot] + 1; i < type.getRingRows(); ++i)
      std::memset(cache.bytes.mutableData() + windowOffset(cache, slot, i), unused, cache.bytes.cols());
  return cache;
}

/// Likewise entries whose group is not complete.
PagedCache Generator::makePaged(ced::PagedType type) {
  ced::ScaledType row = type.getRow();
  PagedCache cache{type.getRatio(), type.getPage(), row.getCols(), formatOf(row),
                   makeRows(row, {limits.maxBatch * limits.pagesPerSlot(), type.getEntriesPerPage(), row.getCols()})};
  std::vector<int64_t> last = lastPositions();
  int64_t entries = limits.pagesPerSlot() * type.getEntriesPerPage();
  for (int64_t slot = 0; slot < limits.maxBatch; ++slot)
    for (int64_t j = visibleEntries(last[slot], type.getRatio()); j < entries; ++j)
      std::memset(cache.bytes.mutableData() + pagedOffset(cache, pages, slot, j), unused, cache.bytes.cols());
  return cache;
}

HostValue Generator::makeState(ced::StateType type) {
  Shape shape = {limits.maxBatch};
  llvm::append_range(shape, type.getShape());
  if (type.getElement().isF32())
    return Array<float>(shape, numbers(shape, false));
  Array<int32_t> state(shape);
  if (function.getArgAttr(number, "check.temperatures")) {
    for (int64_t i = 0; i < state.size(); ++i)
      state.mutableData()[i] = i % 2 ? int32_t(random()) : std::bit_cast<int32_t>(float(random() % 3) * 0.7f);
    return state;
  }
  int64_t limit = below();
  for (int64_t i = 0; i < state.size(); ++i)
    state.mutableData()[i] = int32_t(random() % (limit + 1)) - 1;
  return state;
}

/// What stands behind the entries of a row that sees `limit` of them.
int32_t Generator::makePad(int32_t limit) {
  std::array<int32_t, 4> pads = {-1, limit, limit + 1, INT32_MAX};
  return function.getArgAttr(number, "check.beyond") ? pads[random() % pads.size()] : -1;
}

/// Different positions below the row's limit, ascending, then -1.
HostValue Generator::makeIndexSet(ced::IndexSetType type) {
  int64_t ratio = integer("check.ratio", 0), fixed = ratio ? 0 : below();
  Array<int32_t> result({step.rows(), type.getK()});
  for (int64_t t = 0; t < step.rows(); ++t) {
    int64_t limit = ratio ? visibleEntries(std::max(step.positions[t], 0), ratio) : fixed;
    std::vector<int32_t> all(limit);
    std::iota(all.begin(), all.end(), 0);
    for (size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[random() % i]);
    // Usually as many as there are; sometimes fewer.
    int64_t count = std::min<int64_t>(limit, type.getK());
    if (count && random() % 3 == 0)
      count = random() % count;
    all.resize(count);
    std::sort(all.begin(), all.end());
    while (int64_t(all.size()) < type.getK())
      all.push_back(makePad(limit));
    std::copy(all.begin(), all.end(), result.mutableData() + t * type.getK());
  }
  return result;
}

HostValue Generator::make(unsigned argument) {
  number = argument;
  random.seed(seed * 1000003 + argument);
  Type type = function.getArgumentTypes()[argument];
  if (auto name = function.getArgAttrOfType<StringAttr>(argument, "ced.name"))
    return makeFact(name.getValue(), cast<RankedTensorType>(type));
  return llvm::TypeSwitch<Type, HostValue>(type)
      .Case([&](RankedTensorType t) { return makeTensor(t); })
      .Case([&](ced::StateType t) { return makeState(t); })
      .Case([&](ced::IndexSetType t) { return makeIndexSet(t); })
      .Case([&](ced::ScaledType t) -> HostValue { return makeScaled(t, shapeOf(t.getShape())); })
      .Case([&](ced::WindowType t) -> HostValue { return makeWindow(t); })
      .Case([&](ced::PagedType t) -> HostValue { return makePaged(t); })
      .Default([&](Type) -> HostValue {
        fail(Err::Unnumbered, "@", function.getName().str(), ": argument ", argument, ": no random values of its type");
      });
}

std::vector<HostValue> makeArguments(func::FuncOp function, const Step &step, const Limits &limits, uint64_t seed) {
  Generator generator(function, step, limits, seed);
  std::vector<HostValue> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(generator.make(i));
  return arguments;
}

} // namespace cedilla::conformance
