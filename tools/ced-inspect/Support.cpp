//===- Support.cpp - will it run there, and why not ------------------------------------------------------===//
//
// A plan kernel by kernel, the memory it takes, and one line for each thing in the way. The exit code says which.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/support/Support.h"
#include "compiler/import/ReadConfig.h"
#include "runtime/base/Program.h"
#include "runtime/io/Json.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <iostream>

using namespace mlir;

namespace cedilla::inspect {

static SupportRequest readRequest(const Arguments &arguments) {
  SupportRequest request;
  request.file = configPath(arguments.path);
  request.document = parseJsonFile(request.file);
  std::string where = arguments.text("target", "x86"); // the parts below lie in it
  auto [target, chip] = StringRef(where).split(':');
  request.target = {target.str(), chip.str()};
  request.schedule = arguments.text("schedule", "auto");
  if (isScheduleFile(request.schedule))
    fail(Err::Option, "--schedule: expected the name of a schedule, got '", request.schedule, "'");
  request.limits.maxContext = arguments.number("context", 0);
  request.limits.maxBatch = arguments.number("batch", 0);
  request.limits.maxRows = arguments.number("rows", 0);
  return request;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

static void showKernels(const SupportReport &report) {
  auto built = std::count_if(report.kernels.begin(), report.kernels.end(), [](const KernelNeed &need) { return need.miss.empty(); });
  std::cout << "kernels: " << report.kernels.size() << " distinct, " << built << " built\n";
  for (const KernelNeed &need : report.kernels)
    std::cout << "  " << need.name << ": " << need.ops << " " << need.shapes << ", dispatched " << need.dispatches << " times: "
              << (need.miss.empty() ? "built with " + need.config : "not built") << "\n";
}

static void showNeed(const MemoryNeed &memory, const std::string &target) {
  std::cout << "memory: " << memory.needed() << " bytes: weights " << memory.weights << ", caches " << memory.caches << ", workspace "
            << memory.workspace << ", other " << memory.other << "; tables read by row " << memory.tables
            << ", in host memory where they do not fit\n";
  if (memory.chip == 0)
    std::cout << "memory of " << target << ": not checked, the machine's is not known from the chip\n";
  else
    std::cout << "memory of " << target << ": " << memory.chip << " bytes, " << (memory.fits() ? "enough" : "too little") << "\n";
}

static void showText(const SupportReport &report) {
  if (report.memory) {
    std::cout << report.layers << " layers on " << report.target << ": " << report.limits.maxBatch << " sequences of "
              << report.limits.maxContext << " tokens, " << report.limits.maxRows << " rows a step\n";
    showKernels(report);
    showNeed(*report.memory, report.target);
  }
  std::cout << report.target << (report.runs() ? ": runs" : ": does not run") << "\n";
  for (const Miss &miss : report.misses)
    std::cout << "miss: " << printable(miss.line()) << "\n";
}

//===------------------------------------------------------------------------------------------===//
// JSON
//===------------------------------------------------------------------------------------------===//

static nlohmann::json toJson(const SupportReport &report) {
  nlohmann::json json = {{"target", report.target}, {"layers", report.layers}, {"runs", report.runs()}};
  json["limits"] = {{"context", report.limits.maxContext}, {"batch", report.limits.maxBatch}, {"rows", report.limits.maxRows}};
  json["kernels"] = nlohmann::json::array();
  for (const KernelNeed &need : report.kernels) {
    json["kernels"].push_back({{"name", need.name}, {"family", need.family}, {"ops", need.ops}, {"shapes", need.shapes},
                               {"config", need.config}, {"dispatches", need.dispatches}, {"built", need.miss.empty()}});
    if (!need.miss.empty())
      json["kernels"].back()["miss"] = need.miss;
  }
  if (report.memory) {
    const MemoryNeed &memory = *report.memory;
    json["memory"] = {{"needed", memory.needed()}, {"weights", memory.weights}, {"tables", memory.tables}, {"caches", memory.caches},
                      {"workspace", memory.workspace}, {"other", memory.other}, {"checked", memory.chip != 0}};
    if (memory.chip)
      json["memory"]["chip"] = memory.chip;
  }
  json["misses"] = nlohmann::json::array();
  for (const Miss &miss : report.misses)
    json["misses"].push_back({{"why", miss.why}, {"kernel", miss.kernel}, {"field", miss.field}, {"value", miss.value},
                              {"works", miss.works}});
  return json;
}

int showSupport(const Arguments &arguments) {
  SupportRequest request = readRequest(arguments);
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  SupportReport report = checkSupport(context, request);
  if (arguments.has("json"))
    // A file may hold bytes that are no UTF-8.
    std::cout << toJson(report).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  else
    showText(report);
  return report.runs() ? 0 : int(Status::InvalidInput);
}

} // namespace cedilla::inspect
