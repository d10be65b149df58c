//===- GraphBuilder.h - one ced function under construction
//------------------------------------------------===//
//
// Holds what every part of the graph needs: the configuration, the step's row tensors, the current
// value of every cache, and short forms of the ops that occur everywhere. The parts themselves
// (attention, indexer, experts, Engram) are free functions in files of their own.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"
#include "compiler/import/TensorNames.h"

#include "dialects/ced/Ced.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>
#include <set>
#include <string>

namespace cedilla {

/// The step's row tensors (see the dialect's description) and the page table.
struct StepValues {
  mlir::Value tokens, kinds, positions, slots, starts, pages;
};

/// By name; the graph's types come from it.
using WeightMap = std::map<std::string, Weight>;

class GraphBuilder {
public:
  GraphBuilder(mlir::ImplicitLocOpBuilder &builder, const ModelConfig &config, const GraphOptions &options,
               const WeightMap &weights, bool decode)
      : b(builder), config(config), options(options), decode(decode), weights(weights) {}

  mlir::ImplicitLocOpBuilder &b;
  const ModelConfig &config;
  const GraphOptions &options;
  const bool decode;
  StepValues step;
  mlir::Value gathered; ///< whether Engram rows were laid in place of their tables; null without Engram
  /// Current value of each cache and state, by name.
  std::map<std::string, mlir::Value> state;
  /// What selecting layers hand to later ones.
  std::map<int64_t, mlir::Value> indexSets, pools;

  /// The value of "name.layer".
  mlir::Value &stateOf(const char *name, int64_t layer);

  /// A weight by its name in TensorNames.cpp.
  mlir::Value weight(const std::string &name);
  /// The experts' weights of one kind, stacked: "layers.3.ffn.experts.{E}.w1".
  mlir::Value expertWeights(const std::string &prefix, const char *kind);

  /// bf16 [T, dims…].
  mlir::RankedTensorType rows(llvm::ArrayRef<int64_t> dims) { return rows(dims, b.getBF16Type()); }
  mlir::RankedTensorType rows(llvm::ArrayRef<int64_t> dims, mlir::Type element);

  /// Q8, the form in which activations enter `linear`.
  mlir::Value quantize(mlir::Value x);
  mlir::Value quantizeTo(mlir::Value x,
                         ced::ScaledType (*format)(mlir::MLIRContext *, llvm::ArrayRef<int64_t>,
                                                   ced::Placement));
  mlir::Value linear(mlir::Value x, const std::string &weightName);
  mlir::Value matmul(mlir::Value x, const std::string &weightName, mlir::Type element);
  mlir::Value norm(mlir::Value x, const std::string &weightName);
  /// Rotates by the row's position, or by that of its group's first token.
  mlir::Value rope(mlir::Value x, int64_t layer, int64_t group = 1, bool inverse = false);
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> dims);
  mlir::Value mark(const char *name, int64_t layer, mlir::Value value);
  mlir::FloatAttr f32(double value) { return b.getF32FloatAttr(static_cast<float>(value)); }

  /// Names of the weights that the function has not read.
  std::vector<std::string> unusedWeights() const;

private:
  const Weight &find(const std::string &name);
  mlir::Type typeOf(const Weight &weight, llvm::ArrayRef<int64_t> shape);

  const WeightMap &weights;
  std::set<std::string> used;
};

/// The parts of a layer. Each reads and replaces what it changes of `graph.state`.
mlir::Value buildAttention(GraphBuilder &graph, int64_t layer, mlir::Value a);
/// Appends the main KV and index keys of an owner's rows.
void buildCompressor(GraphBuilder &graph, int64_t layer, mlir::Value a);
/// The layer's index set, from the quantised query latent and the attention input.
mlir::Value buildIndexer(GraphBuilder &graph, int64_t layer, mlir::Value latent, mlir::Value a);
mlir::Value buildExperts(GraphBuilder &graph, int64_t layer, mlir::Value f);
/// Table rows of all Engram layers; then, before a layer, their injection into the stream.
mlir::Value buildEngramRows(GraphBuilder &graph);
mlir::Value buildEngram(GraphBuilder &graph, int64_t layer, mlir::Value rows, mlir::Value stream);

} // namespace cedilla
