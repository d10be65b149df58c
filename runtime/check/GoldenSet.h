//===- GoldenSet.h - captured values of the published reference code ------------------------------===//
//
// `<dir>/golden.safetensors`: tensors `P.<what>` of each prompt P. The data sets' README says what each
// one is; this gives them types and checks their shapes once.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Facts.h"
#include "runtime/io/Safetensors.h"

#include <string>
#include <vector>

namespace cedilla {

/// A captured tensor as numbers; BF16 and F32 as floats, I32 and BOOL as integers.
struct Capture {
  std::vector<int64_t> shape;
  std::vector<float> floats;
  std::vector<int32_t> ints;

  int64_t rows() const { return shape[0]; }
  /// Elements of one row.
  int64_t width() const;
  std::span<const float> floatRow(int64_t row) const {
    return std::span(floats).subspan(row * width(), width());
  }
  std::span<const int32_t> intRow(int64_t row) const {
    return std::span(ints).subspan(row * width(), width());
  }
};

struct GoldenPrompt {
  std::string name;
  std::vector<int32_t> tokens, kinds;
  std::vector<int32_t> rows;         ///< positions whose per-layer rows are kept
  std::vector<int32_t> decodeTokens; ///< one per row of `dec.logits`
  Capture logits, decodeLogits;

  int64_t size() const { return tokens.size(); }
  bool hasAllRows() const { return rows.size() == tokens.size(); }
};

class GoldenSet {
public:
  explicit GoldenSet(const std::string &directory);

  const std::string &path() const { return file.path(); }
  const std::vector<GoldenPrompt> &prompts() const { return list; }
  /// Tokens of the longest prompt and what is decoded behind it.
  int64_t longest() const;
  /// Fails where the set does not belong to a model of these sizes.
  void checkAgainst(const ModelFacts &facts) const;

  /// `P.<name>`, or `P.lL.<name>`; null when it was not captured. Fails when its rows are not
  /// `rows` (-1: any number).
  const Capture *find(const GoldenPrompt &prompt, const std::string &name, int64_t rows) const;
  const Capture *find(const GoldenPrompt &prompt, int64_t layer, const std::string &name,
                      int64_t rows) const {
    return find(prompt, "l" + std::to_string(layer) + "." + name, rows);
  }

private:
  const Capture *load(const std::string &name) const;
  const Capture &need(const std::string &name) const;
  void readPrompt(const std::string &name);

  SafetensorsFile file;
  std::vector<GoldenPrompt> list;
  mutable std::map<std::string, Capture> loaded;
};

} // namespace cedilla
