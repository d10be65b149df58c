//===- BuildExperts.cpp - router, routed experts, shared expert
//---------------------------------------------===//

#include "compiler/import/GraphBuilder.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

/// The shared expert up to its last product's input: dense FP8, no routing weight, the same clamps.
static Value buildSharedUp(GraphBuilder &graph, const std::string &shared, Value f8) {
  Value gate = graph.linear(f8, shared + "w1"), up = graph.linear(f8, shared + "w3");
  return SwigluOp::create(graph.b, gate, up, graph.f32(graph.config.swigluLimit));
}

Value buildExperts(GraphBuilder &graph, int64_t layer, Value f) {
  const ModelConfig &config = graph.config;
  ImplicitLocOpBuilder &b = graph.b;
  std::string prefix = "layers." + std::to_string(layer) + ".ffn.";
  std::string experts = prefix + "experts.";
  int64_t k = config.expertsPerToken;

  Value logits = graph.matmul(f, prefix + "gate.weight", b.getF32Type());
  auto route =
      RouteOp::create(b, graph.rows(k, b.getI32Type()), graph.rows(k, b.getF32Type()), logits,
                      graph.weight(prefix + "gate.bias"), graph.weight(prefix + "gate.bias_vl"),
                      graph.step.kinds, graph.f32(config.routeScale));
  Value ids = graph.mark("route_id", layer, route.getIds());
  Value weights = graph.mark("route_w", layer, route.getWeights());

  // Weights that are known before the choice is made are read between the steps that wait: a kernel begins early with them.
  std::string shared = prefix + "shared_experts.";
  Value f8 = graph.quantize(f), sharedUp = buildSharedUp(graph, shared, f8);
  // The routing weight goes in before the down projection: its input is rounded with the weight in
  // it.
  Value up = ExpertUpOp::create(b, graph.rows({k, config.expertDim}), f8, ids, weights,
                                graph.expertWeights(experts, "w1"),
                                graph.expertWeights(experts, "w3"), graph.f32(config.swigluLimit));
  Value up8 = graph.quantize(up), sharedDown = graph.linear(graph.quantize(sharedUp), shared + "w2");
  Value routed = ExpertDownOp::create(b, graph.rows({k, config.hidden}), up8, ids, graph.expertWeights(experts, "w2"));
  return CombineOp::create(b, graph.rows(config.hidden), routed, ids, sharedDown);
}

} // namespace cedilla
