//===- Cost.cpp - what a dispatch moves and computes, as formulas over the step --------------------===//

#include "runtime/package/Cost.h"

#include "runtime/base/Error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace cedilla {

namespace {
struct UnitInfo {
  Unit unit;
  std::string_view name;
  int parameters;
};
constexpr UnitInfo units[] = {
    {Unit::One, "", 0},           {Unit::Rows, "rows", 0},           {Unit::Sequences, "sequences", 0},
    {Unit::Window, "window", 1},  {Unit::Entries, "entries", 2},     {Unit::RowWindow, "row_window", 1},
    {Unit::RowEntries, "row_entries", 2}, {Unit::Experts, "experts", 2},
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// Adding and evaluating
//===------------------------------------------------------------------------------------------===//

static auto key(const Term &term) { return std::tie(term.unit, term.a, term.b); }

static std::vector<Term>::iterator place(std::vector<Term> &terms, const Term &term) {
  return std::lower_bound(terms.begin(), terms.end(), term,
                          [](const Term &x, const Term &y) { return key(x) < key(y); });
}

void Amount::add(const Term &term) {
  if (term.value == 0)
    return;
  auto at = place(terms, term);
  if (at != terms.end() && at->hasSameUnit(term))
    at->value += term.value;
  else
    terms.insert(at, term);
}

void Amount::add(const Amount &other) {
  for (const Term &term : other.terms)
    add(term);
}

void Amount::unite(const Amount &other) {
  for (const Term &term : other.terms) {
    auto at = place(terms, term);
    if (at != terms.end() && at->hasSameUnit(term))
      at->value = std::max(at->value, term.value);
    else
      terms.insert(at, term);
  }
}

/// Entries a sequence of so many tokens has, or a row may choose.
static double entries(double tokens, const Term &term) {
  double all = std::floor(tokens / double(term.a));
  return term.b > 0 ? std::min(all, double(term.b)) : all;
}

static double count(const Term &term, const StepSize &step) {
  double rows = double(step.rows), sequences = double(step.sequences), context = double(step.context);
  // Rows of a sequence see one token more each; the middle one stands for all.
  double middle = context - (rows / sequences - 1) / 2;
  switch (term.unit) {
  case Unit::One: return 1;
  case Unit::Rows: return rows;
  case Unit::Sequences: return sequences;
  case Unit::Window: return sequences * std::min(context, double(term.a) + rows / sequences - 1);
  case Unit::Entries: return std::min(rows * entries(context, term), sequences * std::floor(context / double(term.a)));
  case Unit::RowWindow: return rows * std::min(middle, double(term.a));
  case Unit::RowEntries: return rows * entries(middle, term);
  case Unit::Experts:
    if (step.experts >= 0)
      return step.experts;
    return double(term.a) * (1 - std::pow(1 - double(term.b) / double(term.a), rows));
  }
  return 0;
}

double Amount::at(const StepSize &step) const {
  double sum = 0;
  for (const Term &term : terms)
    sum += term.value * count(term, step);
  return sum;
}

Amount Cost::bytes() const {
  Amount sum = read;
  sum.add(written);
  return sum;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.17g", value);
  return text;
}

std::string Amount::text() const {
  std::string out;
  for (const Term &term : terms) {
    const UnitInfo &info = units[size_t(term.unit)];
    out += (out.empty() ? "" : " + ") + number(term.value);
    if (!info.name.empty())
      out += " " + std::string(info.name);
    if (info.parameters == 1)
      out += "(" + std::to_string(term.a) + ")";
    if (info.parameters == 2)
      out += "(" + std::to_string(term.a) + ", " + std::to_string(term.b) + ")";
  }
  return out.empty() ? "0" : out;
}

namespace {
struct Reader {
  std::string_view whole, rest = whole;

  [[noreturn]] void refuse() const {
    fail(Err::Manifest, "expected an amount such as '4096 + 2 rows + 288 entries(2, 512)', got '", std::string(whole), "'");
  }
  bool take(std::string_view word) {
    if (!rest.starts_with(word))
      return false;
    rest.remove_prefix(word.size());
    return true;
  }
  template <typename T>
  T read(T low, T high) {
    T value = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || !(value >= low) || !(value <= high))
      refuse();
    rest.remove_prefix(end - rest.data());
    return value;
  }
  Term term() {
    Term term;
    term.value = read<double>(0, 1e30);
    if (rest.empty() || rest.starts_with(" + "))
      return term;
    std::string_view name = rest.substr(0, std::min(rest.size(), rest.find_first_of("( ", 1)));
    auto info = std::find_if(std::begin(units), std::end(units), [&](const UnitInfo &unit) {
      return !unit.name.empty() && name.size() > 1 && name[0] == ' ' && name.substr(1) == unit.name;
    });
    if (info == std::end(units) || !take(name))
      refuse();
    term.unit = info->unit;
    if (info->parameters > 0) {
      if (!take("("))
        refuse();
      term.a = read<int64_t>(1, int64_t(1) << 40);
      if (info->parameters == 2 && !take(", "))
        refuse();
      if (info->parameters == 2)
        term.b = read<int64_t>(0, int64_t(1) << 40);
      if (!take(")"))
        refuse();
    }
    if (term.unit == Unit::Experts && term.b > term.a)
      refuse();
    return term;
  }
};
} // namespace

Amount parseAmount(std::string_view text) {
  Reader reader{text};
  Amount amount;
  do
    amount.add(reader.term());
  while (reader.take(" + "));
  if (!reader.rest.empty())
    reader.refuse();
  return amount;
}

void to_json(nlohmann::json &json, const Cost &cost) {
  json = nlohmann::json::object();
  if (cost.isEmpty())
    return;
  json = {{"read", cost.read.text()}, {"written", cost.written.text()}, {"chain", cost.chain}, {"pieces", cost.pieces}};
  if (!cost.inside.isZero())
    json["inside"] = cost.inside.text();
  for (const auto &[format, amount] : cost.flops)
    json["flops"][format] = amount.text();
}

void from_json(const nlohmann::json &json, Cost &cost) {
  cost = {};
  auto amount = [&](const char *name) { return parseAmount(json.value(name, std::string("0"))); };
  cost.read = amount("read"), cost.written = amount("written"), cost.inside = amount("inside");
  cost.chain = json.value("chain", int64_t(1)), cost.pieces = json.value("pieces", int64_t(0));
  if (json.contains("flops"))
    for (const auto &[format, text] : json.at("flops").items())
      cost.flops[format] = parseAmount(text.get<std::string>());
}

} // namespace cedilla
