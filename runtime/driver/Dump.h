//===- Dump.h - what a run computed, as a safetensors file ------------------------------------------===//
//
// tokens I32 [n] and logits F32 [n, vocab]: row i are the logits behind token i, prompt and decoded
// tokens alike. With --dump-all, per layer L, rows as above (the golden data's names):
//
//   lL.x           BF16 [n, streams, hidden]  stream after the layer (element types are the engine's)
//   lL.pre         F32 [n, streams]           carried to the next layer
//   lL.index       I32 [n, k]                 selected entries, ascending, then -1
//   lL.route_id    I32 [n, k]                 chosen experts
//   lL.route_w     F32 [n, k]                 their weights
//   lL.candidates  BOOL [n, entries]          entries of kept candidate blocks that the row can see
//
// Several sequences (--tokens-file) have the prefix `seq.<i>.`.
//
// With --dump-golden it is the golden.safetensors of a set for --check-golden: sequence i is prompt `p<i>`,
// `p<i>.rows` I32 [n] names all positions, and there is more per layer:
//
//   lL.attn, lL.ffn, lL.engram_x   results of the sublayers
//   lL.index_score F32 [n, entries]  -inf where the row cannot see the entry
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/driver/Generate.h"

#include <map>

namespace cedilla {

class Dump {
public:
  Dump(const ModelFacts &facts, size_t sequences, bool golden)
      : facts(facts), golden(golden), perSequence(sequences) {}

  /// A RowObserver: keeps the marks that --dump-all names.
  void observe(const MarkView &mark, const StepRows &rows, std::span<const size_t> sequenceOfRow);
  void write(const std::string &path, const std::vector<SequenceResult> &results,
             bool manySequences) const;

private:
  /// Rows of one mark of one layer, in order of position.
  struct Column {
    std::string dtype;
    std::vector<int64_t> rowShape;
    std::vector<std::byte> bytes;
    std::vector<size_t> rowEnds; ///< rows of scores grow with the steps' columns
  };
  /// Key: "l3.x".
  using Columns = std::map<std::string, Column>;

  void writeLayers(class SafetensorsWriter &writer, const std::string &prefix, const Columns &columns,
                   int64_t rows) const;

  const ModelFacts &facts;
  bool golden;
  std::vector<Columns> perSequence;
};

} // namespace cedilla
