//===- BuildExperts.cpp - router, routed experts, shared expert
//---------------------------------------------===//

#include "compiler/import/GraphBuilder.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla {

/// The shared expert: dense FP8, no routing weight, the same clamps.
static Value buildShared(GraphBuilder &graph, const std::string &prefix, Value f8) {
  std::string shared = prefix + "shared_experts.";
  Value gate = graph.linear(f8, shared + "w1"), up = graph.linear(f8, shared + "w3");
  Value v = SwigluOp::create(graph.b, gate, up, graph.f32(graph.config.swigluLimit));
  return graph.linear(graph.quantize(v), shared + "w2");
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

  Value f8 = graph.quantize(f);
  // The routing weight goes in before the down projection: its input is rounded with the weight in
  // it.
  Value up = ExpertUpOp::create(b, graph.rows({k, config.expertDim}), f8, ids, weights,
                                graph.expertWeights(experts, "w1"),
                                graph.expertWeights(experts, "w3"), graph.f32(config.swigluLimit));
  Value routed = ExpertDownOp::create(b, graph.rows({k, config.hidden}), graph.quantize(up), ids,
                                      graph.expertWeights(experts, "w2"));
  Value shared = buildShared(graph, prefix, f8);
  return CombineOp::create(b, graph.rows(config.hidden), routed, ids, shared);
}

} // namespace cedilla
