//===- Flops.cpp - products of a decode step of one token -------------------------------------------------===//
//
// Two per multiply-add, of products alone. Weighted as published tables do it: bf16 counts 1, f32 twice that, FP8 half,
// FP4 a quarter. Every product counts in the format it is made in, save one: the first half of the output projection
// reads an FP8 weight, and published kernels cast its other operand to FP8, too; here that stays bf16.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/cost/OpWork.h"
#include "compiler/import/BuildGraph.h"
#include "runtime/base/Error.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdio>
#include <map>

using namespace mlir;

namespace cedilla::inspect {

namespace {
/// Products by what they belong to.
using Parts = std::map<std::string, std::map<std::string, Amount>>;
} // namespace

static double weightOf(const std::string &format) {
  return format == "f32" ? 2 : format == "fp8" ? 0.5 : format == "fp4" ? 0.25 : 1;
}

/// What a reader calls the op.
static std::string partOf(Operation *op) {
  if (isa<ced::ExpertUpOp, ced::ExpertDownOp>(op))
    return "routed experts";
  if (isa<ced::AttentionOp>(op))
    return "attention";
  if (isa<ced::IndexScoresOp>(op))
    return "index scores";
  if (isa<ced::HcMixOp, ced::HcPostOp, ced::HcCollapseOp, ced::EngramInjectOp>(op))
    return "stream mixing";
  if (isa<ced::GroupedLinearOp>(op))
    return "wo_a";
  return isa<ced::LinearOp>(op) ? "FP8 weights" : "BF16 weights";
}

static Parts partsOf(func::FuncOp function) {
  Parts parts;
  for (Operation &op : function.getBody().front().without_terminator()) {
    OpWork work = workOf(&op, Limits());
    if (!work.flops.isZero())
      parts[partOf(&op)][work.format.str()].add(work.flops);
  }
  return parts;
}

static void showAt(const Parts &parts, int64_t context) {
  StepSize step{1, 1, context, -1};
  double weighted = 0, asHere = 0;
  std::string lines;
  for (const auto &[part, formats] : parts)
    for (const auto &[format, amount] : formats) {
      double flops = amount.at(step);
      double counted = flops * (part == "wo_a" ? weightOf("fp8") : weightOf(format));
      weighted += counted, asHere += flops * weightOf(format);
      char line[128];
      std::snprintf(line, sizeof line, "  %-15s %8.3f G in %-4s counted %8.3f G\n", part.c_str(), flops / 1e9,
                    format.c_str(), counted / 1e9);
      lines += line;
    }
  std::printf("context %lld: %.1f G (with wo_a in bf16, as it runs here, %.1f G)\n%s", static_cast<long long>(context),
              weighted / 1e9, asHere / 1e9, lines.c_str());
}

void showFlops(const Arguments &arguments) {
  ModelConfig config = readModelConfig(arguments.path);
  std::vector<int64_t> contexts;
  for (int64_t context : arguments.numbers("context", {4096, 131072, 1048576})) {
    if (context > config.maxPositions && arguments.has("context"))
      fail(Err::Limits, "--context: the model is for ", config.maxPositions, " tokens, got ", context);
    if (context <= config.maxPositions)
      contexts.push_back(context);
  }
  GraphOptions options;
  options.maxContext = config.maxPositions;
  MLIRContext mlir;
  OwningOpRef<ModuleOp> module = buildGraph(mlir, config, options);
  auto decode = module->lookupSymbol<func::FuncOp>("decode");
  if (!decode)
    fail(Err::IrFile, arguments.path, ": expected a graph with a function 'decode'");
  Parts parts = partsOf(decode);
  std::printf("products of a decode step of one token; counted: f32 2, bf16 1, FP8 1/2, FP4 1/4\n");
  for (int64_t context : contexts)
    showAt(parts, context);
}

} // namespace cedilla::inspect
