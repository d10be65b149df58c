//===- Predict.cpp - seconds from a cost and a chip -------------------------------------------------===//

#include "compiler/cost/Predict.h"

#include "compiler/cost/DispatchCost.h"

#include <algorithm>

namespace cedilla {

static double over(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

Prediction predict(const Cost &cost, const StepSize &step, const Rates &rates) {
  Prediction result;
  result.bytes = cost.read.at(step) + cost.written.at(step);
  result.memory = over(result.bytes, rates.bytes);
  for (const auto &[format, amount] : cost.flops) {
    double flops = amount.at(step);
    result.flops += flops;
    result.math += over(flops, rates.flops(format));
  }
  double launch = rates.dependentLaunch > 0 ? rates.dependentLaunch : rates.launch;
  result.launch = launch + double(cost.chain - 1) * rates.handOver;
  result.expected = std::max(result.memory / (cost.chain > 1 ? rates.phased : 1), result.math) + result.launch;
  double most = std::max({result.memory, result.math, result.launch});
  result.bound = most == result.memory ? "memory" : most == result.math ? "math" : "launch";
  return result;
}

double expectedSeconds(sched::ProgramOp program, const StepSize &step, const Rates &rates) {
  double sum = 0;
  for (auto dispatch : program.getBody().front().getOps<sched::DispatchOp>())
    sum += predict(readCost(dispatch), step, rates).expected;
  return sum;
}

} // namespace cedilla
