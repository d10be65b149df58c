//===- ScheduleReport.h - a schedule with its costs, ready to be shown -------------------------------===//

#pragma once

#include "compiler/cost/Predict.h"
#include "runtime/engine/Facts.h"
#include "tools/ced-inspect/Commands.h"

#include <map>
#include <string>
#include <vector>

namespace cedilla::inspect {

/// A phase of a kernel: the ops one family builds as one body.
struct PartRow {
  std::string family;
  std::vector<std::string> ops, reads, writes;
  Cost cost;
};

struct KernelRow {
  std::string name, family;
  std::vector<std::string> fuses; ///< ced ops in order
  std::vector<std::string> buffers;
  std::vector<PartRow> parts; ///< empty: a package does not say
  std::string notFused;       ///< why it is not one kernel with the one before
  Cost cost;
  Prediction time;
};

/// Layers that run the same kernels.
struct LayerKind {
  std::string kind; ///< "reuse m=1", "full m=2 engram", "head"
  std::vector<int64_t> layers;
  std::vector<KernelRow> kernels; ///< of the first of them

  double seconds() const;
  double launches() const;
  double expected() const;
};

/// A program at one size of step.
struct PhaseReport {
  std::string name;
  StepSize step;
  int64_t kernels = 0;
  std::vector<LayerKind> kinds;

  double seconds() const;
  double launches() const;
  double expected() const; ///< by which `auto` chooses
  double bytes() const;
  double flops() const;
};

struct ScheduleReport {
  std::string model, target, ratesOf;
  Rates rates;
  std::vector<LayerFacts> layers;
  std::vector<PhaseReport> phases;
  /// By program and mode: the kernels of a layer that the schedule was promised to keep to; empty: none was given.
  std::map<std::string, std::map<std::string, int64_t>> contract;
};

/// Of a package, or of a model by running the compiler up to the schedule phase.
ScheduleReport readSchedule(const Arguments &arguments);

void printText(const ScheduleReport &report);
nlohmann::json toJson(const ScheduleReport &report);
void printHtml(const ScheduleReport &report);

} // namespace cedilla::inspect
