//===- GraphBuilder.cpp - short forms of the ops that occur everywhere
//--------------------------------------===//

#include "compiler/import/GraphBuilder.h"

#include "dialects/ced/Stacked.h"
#include "runtime/base/Error.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

Value &GraphBuilder::stateOf(const char *name, int64_t layer) {
  std::string key = std::string(name) + "." + std::to_string(layer);
  auto it = state.find(key);
  if (it == state.end())
    failInternal("no state '", key, "'");
  return it->second;
}

//===------------------------------------------------------------------------------------------===//
// Weights
//===------------------------------------------------------------------------------------------===//

const Weight &GraphBuilder::find(const std::string &name) {
  auto it = weights.find(name);
  if (it == weights.end())
    failInternal("no weight '", name, "'");
  used.insert(name);
  return it->second;
}

Type GraphBuilder::typeOf(const Weight &weight, ArrayRef<int64_t> shape) {
  MLIRContext *context = b.getContext();
  switch (weight.format) {
  case WeightFormat::BF16:
    return RankedTensorType::get(shape, b.getBF16Type());
  case WeightFormat::F32:
    return RankedTensorType::get(shape, b.getF32Type());
  case WeightFormat::TokenMap:
    return RankedTensorType::get(shape, b.getI32Type());
  case WeightFormat::FP8:
    return ScaledType::getWeightFP8(context, shape);
  case WeightFormat::FP8Rows:
    return ScaledType::getQ8(context, shape);
  case WeightFormat::FP4:
    return ScaledType::getWeightFP4(context, shape);
  }
  return {};
}

Value GraphBuilder::weight(const std::string &name) {
  const Weight &weight = find(name);
  return WeightOp::create(b, typeOf(weight, weight.shape), b.getStrArrayAttr({name}));
}

Value GraphBuilder::expertWeights(const std::string &prefix, const char *kind) {
  std::vector<std::string> names;
  for (int64_t expert = 0; expert < config.experts; ++expert)
    names.push_back(prefix + std::to_string(expert) + "." + kind);
  for (const std::string &name : names)
    find(name);
  const Weight &first = find(names.front());
  SmallVector<int64_t> shape = {config.experts, first.shape[0], first.shape[1]};
  SmallVector<StringRef> views(names.begin(), names.end());
  auto stack = WeightOp::create(b, typeOf(first, shape), b.getStrArrayAttr(views));
  if (names.size() == 1)
    stack->setAttr(stackedAttr, b.getUnitAttr());
  return stack;
}

std::vector<std::string> GraphBuilder::unusedWeights() const {
  std::vector<std::string> names;
  for (const auto &entry : weights)
    if (!used.contains(entry.first))
      names.push_back(entry.first);
  return names;
}

//===------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------===//

RankedTensorType GraphBuilder::rows(ArrayRef<int64_t> dims, Type element) {
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  llvm::append_range(shape, dims);
  return RankedTensorType::get(shape, element);
}

Value GraphBuilder::quantizeTo(Value x,
                               ScaledType (*format)(MLIRContext *, ArrayRef<int64_t>, Placement)) {
  auto shape = cast<RankedTensorType>(x.getType()).getShape();
  return QuantizeOp::create(b, format(b.getContext(), shape, Placement::Planar), x);
}

Value GraphBuilder::quantize(Value x) { return quantizeTo(x, ScaledType::getQ8); }

Value GraphBuilder::linear(Value x, const std::string &weightName) {
  Value w = weight(weightName);
  return LinearOp::create(b, rows(cast<ScaledType>(w.getType()).getShape()[0]), x, w);
}

Value GraphBuilder::matmul(Value x, const std::string &weightName, Type element) {
  Value w = weight(weightName);
  int64_t outputs = cast<RankedTensorType>(w.getType()).getDimSize(0);
  return MatmulOp::create(b, rows(outputs, element), x, w);
}

Value GraphBuilder::norm(Value x, const std::string &weightName) {
  return RmsNormOp::create(b, x, weight(weightName), f32(config.normEps));
}

Value GraphBuilder::rope(Value x, int64_t layer, int64_t group, bool inverse) {
  const RopeConfig &rope = config.layers[layer].ratio ? config.mainRope : config.windowRope;
  RopeAttr attr = RopeAttr::get(b.getContext(), rope.dim, rope.theta, rope.original, rope.factor,
                                rope.betaFast, rope.betaSlow);
  return RopeOp::create(b, x, step.positions, attr, b.getI64IntegerAttr(group),
                        inverse ? b.getUnitAttr() : UnitAttr());
}

Value GraphBuilder::reshape(Value x, ArrayRef<int64_t> dims) {
  return ReshapeOp::create(b, rows(dims), x);
}

Value GraphBuilder::mark(const char *name, int64_t layer, Value value) {
  return MarkOp::create(b, b.getStringAttr(name), b.getI64IntegerAttr(layer), value);
}

} // namespace cedilla
