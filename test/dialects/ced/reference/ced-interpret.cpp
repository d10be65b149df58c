//===- ced-interpret - evaluates small ced functions and prints their results ---------------------------===//
//
// ced-interpret <file.mlir>: runs every function without arguments, in order. A weight's name gives its
// values: "ramp" counts 0, 1, 2, … ; "fill:<x>" holds x everywhere; "list:<a>,<b>,…" repeats the list.
// Marks are printed; a mark named "double" has its bf16 values doubled, as an observer may.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/reference/Interpreter.h"
#include "dialects/ced/reference/Quantize.h"
#include "runtime/base/Error.h"

#include "mlir/Parser/Parser.h"

#include <concepts>
#include <cstdio>
#include <sstream>

using namespace cedilla;
using namespace cedilla::reference;

//===------------------------------------------------------------------------------------------===//
// Weights from their names
//===------------------------------------------------------------------------------------------===//

static std::vector<float> patternOf(const std::string &name) {
  if (name.starts_with("fill:"))
    return {std::stof(name.substr(5))};
  if (!name.starts_with("list:"))
    fail(Err::Unnumbered, "weight '", name, "': expected ramp, fill: or list:");
  std::vector<float> values;
  std::stringstream text(name.substr(5));
  for (std::string item; std::getline(text, item, ',');)
    values.push_back(std::stof(item));
  return values;
}

static Array<float> valuesOf(const std::string &name, const Shape &shape) {
  Array<float> result(shape);
  std::vector<float> pattern = name == "ramp" ? std::vector<float>{} : patternOf(name);
  for (int64_t i = 0; i < result.size(); ++i)
    result.mutableData()[i] = pattern.empty() ? float(i) : pattern[i % pattern.size()];
  return result;
}

static HostValue makeWeight(ced::WeightOp op) {
  std::string name = mlir::cast<mlir::StringAttr>(op.getNames()[0]).str();
  if (auto scaled = mlir::dyn_cast<ced::ScaledType>(op.getType()))
    return quantize(roundToBF16(valuesOf(name, Shape(scaled.getShape()))), formatOf(scaled));
  auto tensor = mlir::cast<mlir::RankedTensorType>(op.getType());
  Array<float> values = valuesOf(name, Shape(tensor.getShape()));
  if (tensor.getElementType().isF32())
    return values;
  if (tensor.getElementType().isBF16())
    return roundToBF16(values);
  return Array<int32_t>(values.shape(), {values.data(), values.data() + values.size()});
}

//===------------------------------------------------------------------------------------------===//
// Printing
//===------------------------------------------------------------------------------------------===//

static void printNumber(float x) { std::printf(" %g", x); }
static void printNumber(BF16 x) { std::printf(" %g", toFloat(x)); }
template <std::integral T>
static void printNumber(T x) {
  std::printf(" %lld", static_cast<long long>(x));
}

namespace {
struct Print {
  template <typename T>
  void operator()(const Array<T> &array) const {
    std::printf("%s", shapeText(array.shape()).c_str());
    for (int64_t i = 0; i < array.size(); ++i)
      printNumber(array[i]);
    std::printf("\n");
  }
  void operator()(const ScaledArray &value) const { (*this)(dequantize(value)); }
  void operator()(const WindowCache &value) const { (*this)(value.bytes); }
  void operator()(const PagedCache &value) const { (*this)(value.bytes); }
};
} // namespace

static void observe(const MarkView &mark) {
  std::printf("mark %.*s %lld %s\n", int(mark.name.size()), mark.name.data(),
              static_cast<long long>(mark.layer), shapeText(mark.shape).c_str());
  if (mark.name != "double")
    return;
  auto *values = static_cast<BF16 *>(mark.data);
  for (int64_t i = 0; i < countOf(mark.shape); ++i)
    values[i] = toBF16(2 * toFloat(values[i]));
}

static void runFile(const char *path) {
  mlir::DialectRegistry registry;
  registry.insert<ced::CedDialect, mlir::func::FuncDialect>();
  mlir::MLIRContext context(registry);
  context.allowUnregisteredDialects();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module)
    fail(Err::Unnumbered, path, ": expected a module of ced functions");
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    std::printf("@%s\n", function.getName().str().c_str());
    for (const HostValue &result : interpret(function, {}, {makeWeight, observe}))
      std::visit(Print(), result);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: ced-interpret <file.mlir>\n");
    return 2;
  }
  try {
    runFile(argv[1]);
    return 0;
  } catch (const Error &error) {
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.status());
  }
}
