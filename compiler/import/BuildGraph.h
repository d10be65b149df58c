//===- BuildGraph.h - the model's computation as ced functions
//--------------------------------------------===//
//
// A module with the layer table `@layers` and the functions `@prefill`, `@decode` and `@advance`. The first two compute
// the same and differ in one place: prefill attends to the ring as it was before the step and to
// the step's own rows beside it, and writes the ring afterwards, so that a chunk may be longer than
// the ring; decode writes the ring first and attends to it alone.
//
// Arguments and results carry their name as `ced.name`. Arguments: the step's rows (tokens, kinds,
// positions, slots, starts), pages, then the state in the order of stateValues, and with Engram
// `engram_gathered`. Results: logits, then the new state in the same order.
//
// `@advance` takes the step's rows, the logits of `@decode`, and per slot how to sample and the list of
// choices; its results are tokens, positions and starts of the next step, and the list.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace cedilla {

/// Name of the argument and result attribute that says what a value of the function is.
inline constexpr const char *kNameAttr = "ced.name";
/// Module attribute: ModelFacts as JSON, for whoever has only the IR.
inline constexpr const char *kFactsAttr = "ced.facts";
/// Module attribute: how the numbers are not the published reference's, in words; absent where they are.
inline constexpr const char *kDepartsAttr = "ced.departs";
/// Function attribute: the most rows a step of it has, where that is less than the module's max_rows.
inline constexpr const char *kRowsAttr = "ced.rows";
/// Module attribute: EngramFacts as JSON, where the model has Engram.
inline constexpr const char *kEngramAttr = "ced.engram";
/// The argument that says whether table rows were gathered by whoever runs the function.
inline constexpr const char *kGatheredName = "engram_gathered";
/// Choices that a list holds: so many decode steps may run before somebody looks.
inline constexpr int64_t kStepsAhead = 64;

/// A cache or per-slot state: "window.3", "main_kv.2", "index_k.2", "open.2", "engram_history".
struct StateValue {
  std::string name;
  mlir::Type type;
};

/// Every cache and state of the model: all windows, then main KV, index keys and open groups of the
/// owners, in layer order each, then the Engram history.
std::vector<StateValue> stateValues(mlir::MLIRContext &context, const ModelConfig &config,
                                    const GraphOptions &options);

/// Throws cedilla::Error when the options do not fit or the graph has no way of computing what the
/// configuration asks for.
mlir::OwningOpRef<mlir::ModuleOp> buildGraph(mlir::MLIRContext &context, const ModelConfig &config,
                                             const GraphOptions &options);

/// The facts that buildGraph wrote into a module.
ModelFacts factsOf(mlir::ModuleOp module);
/// Likewise; without tables where the model has no Engram.
EngramFacts engramOf(mlir::ModuleOp module);

} // namespace cedilla
