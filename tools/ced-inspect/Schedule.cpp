//===- Schedule.cpp - a schedule as text and as JSON ---------------------------------------------------===//

#include "runtime/package/LayerKernels.h"
#include "tools/ced-inspect/ScheduleReport.h"

#include <cstdio>
#include <iostream>

namespace cedilla::inspect {

static std::string join(const std::vector<std::string> &words, const char *between) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

/// "2, 4-7, 37".
static std::string ranges(const std::vector<int64_t> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1)
      ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end > i)
      text += (end > i + 1 ? "-" : ", ") + std::to_string(numbers[end]);
    i = end + 1;
  }
  return text;
}

template <typename... Args>
static std::string format(const char *pattern, Args... args) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

static void printKernel(const KernelRow &kernel, bool first) {
  if (!first && !kernel.notFused.empty())
    std::cout << "      | apart: " << kernel.notFused << "\n";
  std::cout << "    " << kernel.name << "  [";
  if (kernel.parts.empty())
    std::cout << join(kernel.fuses, ", ");
  for (size_t i = 0; i < kernel.parts.size(); ++i)
    std::cout << (i ? "; " : "") << join(kernel.parts[i].ops, ", ");
  std::cout << "]  " << join(kernel.buffers, " ") << "\n";
  if (kernel.cost.isEmpty())
    return;
  std::cout << format("        %.3f MB, %.4f GFLOP, %.2f us by %s; launch %.2f us, chain of %lld, %lld pieces a row\n",
                      kernel.time.bytes / 1e6, kernel.time.flops / 1e9, kernel.time.seconds() * 1e6,
                      kernel.time.bound.c_str(), kernel.time.launch * 1e6, static_cast<long long>(kernel.cost.chain),
                      static_cast<long long>(kernel.cost.pieces));
}

static void printPhase(const PhaseReport &phase) {
  std::cout << format("@%s: %lld kernels, %lld rows, %lld sequences of %lld tokens\n", phase.name.c_str(),
                      static_cast<long long>(phase.kernels), static_cast<long long>(phase.step.rows),
                      static_cast<long long>(phase.step.sequences), static_cast<long long>(phase.step.context));
  for (const LayerKind &kind : phase.kinds) {
    std::cout << "  " << kind.kind << ", layer" << (kind.layers.size() > 1 ? "s " : " ") << ranges(kind.layers) << ": "
              << kind.kernels.size() << " kernels"
              << format(", %.1f us each, launches %.1f us, expected %.1f us\n", kind.seconds() * 1e6, kind.launches() * 1e6,
                        kind.expected() * 1e6);
    for (size_t i = 0; i < kind.kernels.size(); ++i)
      printKernel(kind.kernels[i], i == 0);
  }
  std::cout << format("  step: %.1f MB, %.2f GFLOP, predicted %.1f us; launches, where nothing hides them, %.1f us more; expected with both and with what "
                      "phases lose: %.1f us\n",
                      phase.bytes() / 1e6, phase.flops() / 1e9, phase.seconds() * 1e6, phase.launches() * 1e6, phase.expected() * 1e6);
}

void printText(const ScheduleReport &report) {
  std::cout << report.model << ", schedule for " << report.target << ", rates of " << report.ratesOf << " ("
            << report.rates.source << ")\n";
  for (const PhaseReport &phase : report.phases) {
    printPhase(phase);
    auto contract = report.contract.find(phase.name);
    if (contract == report.contract.end())
      continue;
    for (const auto &[mode, kernels] : contract->second) {
      bool adds = mode == contractPool || mode == contractEngram;
      std::cout << "  contract: a layer " << (adds ? "with " : "of mode ") << mode << (adds ? " has " : " runs in ") << kernels
                << " kernels" << (adds ? " more\n" : "\n");
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// JSON
//===------------------------------------------------------------------------------------------===//

static nlohmann::json toJson(const KernelRow &kernel, const StepSize &step) {
  nlohmann::json json = {{"name", kernel.name},
                         {"family", kernel.family},
                         {"fuses", kernel.fuses},
                         {"buffers", kernel.buffers},
                         {"bytes", kernel.time.bytes},
                         {"bytes_read", kernel.cost.read.at(step)},
                         {"bytes_written", kernel.cost.written.at(step)},
                         {"bytes_inside", kernel.cost.inside.at(step)},
                         {"flops", kernel.time.flops},
                         {"predicted_us", kernel.time.seconds() * 1e6},
                         {"memory_us", kernel.time.memory * 1e6},
                         {"math_us", kernel.time.math * 1e6},
                         {"launch_us", kernel.time.launch * 1e6},
                         {"expected_us", kernel.time.expected * 1e6},
                         {"bound", kernel.time.bound},
                         {"chain", kernel.cost.chain},
                         {"parallel", double(kernel.cost.pieces) * double(step.rows)},
                         {"not_fused_with_previous", kernel.notFused},
                         {"cost", kernel.cost}};
  for (const auto &[name, amount] : kernel.cost.flops)
    json["flops_by_format"][name] = amount.at(step);
  json["parts"] = nlohmann::json::array();
  for (const PartRow &part : kernel.parts)
    json["parts"].push_back({{"family", part.family},
                             {"ops", part.ops},
                             {"reads", part.reads},
                             {"writes", part.writes},
                             {"bytes", part.cost.read.at(step) + part.cost.written.at(step)}});
  return json;
}

static nlohmann::json toJson(const PhaseReport &phase) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const LayerKind &kind : phase.kinds) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const KernelRow &kernel : kind.kernels)
      kernels.push_back(toJson(kernel, phase.step));
    kinds.push_back({{"kind", kind.kind}, {"layers", kind.layers}, {"kernels", kernels},
                     {"predicted_us", kind.seconds() * 1e6}, {"launch_us", kind.launches() * 1e6},
                     {"expected_us", kind.expected() * 1e6}});
  }
  return {{"name", phase.name},
          {"rows", phase.step.rows},
          {"batch", phase.step.sequences},
          {"context", phase.step.context},
          {"kernels", phase.kernels},
          {"layer_kinds", kinds},
          {"bytes", phase.bytes()},
          {"flops", phase.flops()},
          {"total_predicted_us", phase.seconds() * 1e6},
          {"total_launch_us", phase.launches() * 1e6},
          {"total_expected_us", phase.expected() * 1e6}};
}

nlohmann::json toJson(const ScheduleReport &report) {
  nlohmann::json json = {{"model", report.model}, {"target", report.target}, {"rates", report.ratesOf},
                         {"rates_source", report.rates.source}, {"phases", nlohmann::json::array()},
                         {"contract", report.contract.empty() ? nlohmann::json() : nlohmann::json(report.contract)}};
  for (const PhaseReport &phase : report.phases) {
    json["phases"].push_back(toJson(phase));
    if (phase.name == "decode" || report.phases.size() == 1) // a step of generating; each phase has its own
      json["total_predicted_us"] = phase.seconds() * 1e6;
  }
  for (size_t i = 0; i < report.layers.size(); ++i) {
    LayerWords words = wordsOf(report.layers[i], int64_t(i));
    json["layers"].push_back({{"layer", i}, {"mode", report.layers[i].mode}, {"ratio", report.layers[i].ratio},
                              {"kv", report.layers[i].kv}, {"select", report.layers[i].select},
                              {"pool", report.layers[i].pool}, {"engram", report.layers[i].engram},
                              {"owns", words.owned}, {"reads", words.borrowed}});
  }
  return json;
}

void showSchedule(const Arguments &arguments) {
  ScheduleReport report = readSchedule(arguments);
  if (arguments.has("json"))
    std::cout << toJson(report).dump(1) << "\n";
  else if (arguments.has("html"))
    printHtml(report);
  else
    printText(report);
}

} // namespace cedilla::inspect
