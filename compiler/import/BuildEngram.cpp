//===- BuildEngram.cpp - hashed n-gram memory
//------------------------------------------------------------------===//

#include "compiler/import/GraphBuilder.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

/// The constants of all layers, one behind the other.
static SmallVector<int64_t> joined(const EngramConfig &engram,
                                   std::vector<int64_t> EngramLayer::*constants) {
  SmallVector<int64_t> all;
  for (const EngramLayer &layer : engram.layers)
    llvm::append_range(all, layer.*constants);
  return all;
}

Value buildEngramRows(GraphBuilder &graph) {
  const EngramConfig &engram = graph.config.engram;
  const StepValues &step = graph.step;
  ImplicitLocOpBuilder &b = graph.b;
  int64_t layers = engram.layers.size();
  Value &history = graph.state.at("engram_history");
  auto rows = EngramRowsOp::create(
      b, graph.rows({layers, engram.columns()}, b.getI64Type()), history.getType(), step.tokens,
      step.kinds, graph.weight(kTokenMapName), history, step.positions, step.slots, step.starts,
      b.getI64IntegerAttr(layers), b.getI64IntegerAttr(engram.orders),
      b.getI64IntegerAttr(engram.heads), b.getI64IntegerAttr(engram.padToken),
      b.getDenseI64ArrayAttr(joined(engram, &EngramLayer::multipliers)),
      b.getDenseI64ArrayAttr(joined(engram, &EngramLayer::primes)),
      b.getDenseI64ArrayAttr(joined(engram, &EngramLayer::offsets)));
  history = rows.getNewHistory();
  return graph.mark("engram_rows", -1, rows.getRows());
}

/// Where among the Engram layers this one is.
static int64_t ordinal(const EngramConfig &engram, int64_t layer) {
  int64_t before = 0;
  for (const EngramLayer &other : engram.layers)
    before += other.layer < layer;
  return before;
}

Value buildEngram(GraphBuilder &graph, int64_t layer, Value rows, Value stream) {
  const ModelConfig &config = graph.config;
  std::string prefix = "layers." + std::to_string(layer) + ".engram.";
  Value found = EngramLookupOp::create(graph.b, graph.rows(config.engram.width()), rows,
                                       graph.weight(prefix + "embed"), graph.gathered,
                                       graph.b.getI64IntegerAttr(ordinal(config.engram, layer)));
  Value kv = graph.linear(graph.quantize(found), prefix + "wkv");
  Value injected = EngramInjectOp::create(
      graph.b, stream.getType(), stream, kv, graph.weight(prefix + "q_weight"),
      graph.weight(prefix + "k_weight"), graph.step.kinds, graph.f32(config.normEps));
  return graph.mark("engram_x", layer, injected);
}

} // namespace cedilla
