//===- Memory.cpp - what a model needs to run: fixed, per sequence, per token, and scratch --------------===//
//
// Scratch is planned at compile time from the largest step. Its buffers, how long each lives and where it lies are
// printed with `--each`; the peak by step is what lives at the same time with so many rows.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"
#include "compiler/import/BuildGraph.h"
#include "compiler/schedule/Lifetimes.h"
#include "kernels-gen/common/Signature.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

using namespace mlir;

namespace cedilla::inspect {

namespace {
struct Peak {
  uint64_t bytes = 0;
  int64_t at = 0;
};
} // namespace

/// The most that lives at the same time.
static Peak peakOf(const std::vector<Lifetime> &lifetimes) {
  std::map<int64_t, int64_t> changes;
  for (const Lifetime &each : lifetimes) {
    changes[each.first] += int64_t(each.bytes);
    changes[each.last + 1] -= int64_t(each.bytes);
  }
  Peak peak;
  int64_t live = 0;
  for (auto [at, change] : changes) {
    live += change;
    if (uint64_t(live) > peak.bytes)
      peak = {uint64_t(live), at};
  }
  return peak;
}

static std::string opAt(sched::ProgramOp program, int64_t place) {
  for (Operation &op : program.getBody().front())
    if (place-- == 0)
      if (auto dispatch = dyn_cast<sched::DispatchOp>(op))
        return dispatch.getKernel().str() + " [" + dispatch.getWhat().str() + "] in layer " + std::to_string(dispatch.getLayer());
  return "the end";
}

static void showEach(std::vector<Lifetime> lifetimes) {
  for (Lifetime &each : lifetimes)
    std::printf("    %-22s %12llu bytes at %12llu, in use from op %lld to %lld\n", each.buffer.getSymName().str().c_str(),
                static_cast<unsigned long long>(each.bytes), static_cast<unsigned long long>(each.offset),
                static_cast<long long>(each.first), static_cast<long long>(each.last));
}

static void showProgram(sched::ProgramOp program, SymbolTable &symbols, const std::vector<int64_t> &rows, int64_t maxRows, bool each) {
  std::vector<Lifetime> planned = computeLifetimes(program, symbols, maxRows);
  uint64_t sum = 0, end = 0;
  for (const Lifetime &lifetime : planned)
    sum += lifetime.bytes, end = std::max(end, lifetime.offset + lifetime.bytes);
  std::printf("scratch of @%s: %zu buffers of %llu bytes together lie in %llu bytes (planned for %lld rows)\n",
              program.getSymName().str().c_str(), planned.size(), static_cast<unsigned long long>(sum),
              static_cast<unsigned long long>(end), static_cast<long long>(maxRows));
  for (int64_t count : rows) {
    Peak peak = peakOf(computeLifetimes(program, symbols, count));
    std::printf("  %lld rows: at most %llu bytes live, at %s\n", static_cast<long long>(count),
                static_cast<unsigned long long>(peak.bytes), opAt(program, peak.at).c_str());
  }
  if (each)
    showEach(planned);
}

/// What the whole model holds whatever runs, and what grows.
static void showHeld(ModuleOp module, const Limits &limits) {
  uint64_t weights = 0, tables = 0, perSequence = 0;
  double perToken = 0;
  for (auto buffer : module.getOps<sched::BufferOp>()) {
    uint64_t bytes = sched::getBufferBytes(cast<MemRefType>(buffer.getType()), limits.maxRows);
    if (buffer.getKind() == sched::BufferKind::Weight)
      (buffer->hasAttr("sched.by_row") ? tables : weights) += bytes;
    else if (buffer.getKind() == sched::BufferKind::State && buffer.getPaged())
      perToken += double(bytes) / double(limits.maxBatch * limits.pagesPerSlot() * limits.page);
    else if (buffer.getKind() == sched::BufferKind::State)
      perSequence += bytes / limits.maxBatch;
  }
  std::printf("fixed: %llu bytes of weights, %llu bytes of tables read by row\n", static_cast<unsigned long long>(weights),
              static_cast<unsigned long long>(tables));
  std::printf("per sequence: %llu bytes\nper token of a sequence: %g bytes, in pages of %lld tokens\n",
              static_cast<unsigned long long>(perSequence), perToken, static_cast<long long>(limits.page));
}

void showMemory(const Arguments &arguments) {
  ModelConfig config = readModelConfig(arguments.path);
  std::vector<int64_t> batches = arguments.numbers("batch", {1, 8});
  int64_t mostBatch = *std::max_element(batches.begin(), batches.end());
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  CompileOptions options;
  options.input = arguments.path;
  options.to = "schedule";
  std::string where = arguments.text("target", "x86"); // the parts below lie in it
  auto [target, chip] = StringRef(where).split(':');
  options.targets = {{target.str(), chip.str()}};
  options.graph.maxContext = arguments.number("context", std::min<int64_t>(4096, config.maxPositions));
  options.graph.maxBatch = mostBatch;
  options.graph.maxRows = std::max(mostBatch, arguments.number("rows", 256));
  OwningOpRef<ModuleOp> module = runPhases(context, options);
  FailureOr<Limits> limits = getLimits(*module);
  std::printf("for %lld sequences of %lld tokens, %lld rows a step\n", static_cast<long long>(limits->maxBatch),
              static_cast<long long>(limits->maxContext), static_cast<long long>(limits->maxRows));
  showHeld(*module, *limits);
  SymbolTable symbols(*module);
  for (auto program : module->getOps<sched::ProgramOp>()) {
    bool decode = program.getSymName() == "decode";
    std::vector<int64_t> rows = decode ? batches : std::vector<int64_t>{limits->maxRows};
    showProgram(program, symbols, rows, limits->maxRows, arguments.has("each"));
  }
}

} // namespace cedilla::inspect
