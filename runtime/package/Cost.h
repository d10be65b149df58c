//===- Cost.h - what a dispatch moves and computes, as formulas over the step ----------------------===//
//
// The compiler writes how much a dispatch reads, writes and multiplies as sums of a few terms; whoever knows
// a step's rows and contexts gets the numbers. As text: "9184256 + 5280 rows + 528 window(128)".
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla {

/// A step as far as costs depend on it.
struct StepSize {
  int64_t rows = 1;
  int64_t sequences = 1;  ///< each has rows / sequences of the rows
  int64_t context = 4096; ///< tokens each sequence holds with the step's own
  double experts = -1;    ///< different experts the rows of a layer go to; below 0: expected of a uniform choice
};

/// What a term grows with; a and b are its parameters.
enum class Unit {
  One,        ///< nothing
  Rows,       ///< rows of the step
  Sequences,  ///< sequences of the step
  Window,     ///< window(a): tokens in the windows of a, summed over sequences
  Entries,    ///< entries(a, b): different entries of a cache with one per a tokens that rows can choose at most b of
              ///< (0: all) each; summed over sequences
  RowWindow,  ///< row_window(a): tokens a row sees in its window, summed over rows
  RowEntries, ///< row_entries(a, b): entries a row sees, at most b (0: all), summed over rows
  Experts,    ///< experts(a, b): different experts of a when each row goes to b
};

struct Term {
  Unit unit = Unit::One;
  int64_t a = 0, b = 0;
  double value = 0;
  bool hasSameUnit(const Term &other) const { return unit == other.unit && a == other.a && b == other.b; }
};

/// A sum of terms.
class Amount {
public:
  Amount() = default;
  explicit Amount(double constant) { add({Unit::One, 0, 0, constant}); }

  void add(const Term &term);
  void add(const Amount &other);
  /// Per unit the larger one: what two readers of the same memory need between them.
  void unite(const Amount &other);
  bool isZero() const { return terms.empty(); }
  double at(const StepSize &step) const;
  std::string text() const; ///< "0" when empty
  const std::vector<Term> &list() const { return terms; }

private:
  std::vector<Term> terms; ///< of different units, in order of unit, a, b; none is zero
};

/// Reads what Amount::text writes. Throws cedilla::Error that names the text.
Amount parseAmount(std::string_view text);

/// Memory traffic of a dispatch in bytes, every operand once, and multiplications and additions of its products.
struct Cost {
  Amount read, written;
  Amount inside; ///< bytes its phases hand to each other: written and read again, seldom beyond the cache
  std::map<std::string, Amount> flops; ///< by the format the products are made in: "f32", "bf16", "fp8", "fp4"
  int64_t chain = 1;                   ///< phases that have to wait for each other
  int64_t pieces = 0;                  ///< per row: results of its narrowest phase that can be computed side by side

  Amount bytes() const;
  bool isEmpty() const { return read.isZero() && written.isZero(); }
};

void to_json(nlohmann::json &json, const Cost &cost);
void from_json(const nlohmann::json &json, Cost &cost);

} // namespace cedilla
