//===- TextEdits.cpp - a long text, changed by a short list of edits ------------------------------===//

#include "test/fuzz/TextEdits.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <random>
#include <sstream>
#include <utility>

namespace cedilla::fuzz {

using Lines = std::vector<std::string>;
using Span = std::pair<size_t, size_t>; ///< begin, length

static Lines linesOf(std::string_view text) {
  Lines lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

static std::string joined(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

template <typename Is>
static std::vector<Span> runsOf(const std::string &line, Is is) {
  std::vector<Span> runs;
  for (size_t at = 0; at < line.size(); ++at)
    if (is(line[at])) {
      if (runs.empty() || runs.back().first + runs.back().second != at)
        runs.push_back({at, 0});
      ++runs.back().second;
    }
  return runs;
}

static std::vector<Span> wordsOf(const std::string &line) {
  return runsOf(line, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.' || c == '@' || c == '%' || c == '#' || c == '!'; });
}

static std::vector<Span> numbersOf(const std::string &line) {
  return runsOf(line, [](unsigned char c) { return std::isdigit(c) || c == '-'; });
}

/// Replaces run i of the line.
static void replace(std::string &line, const std::vector<Span> &runs, size_t i, const std::string &by) {
  if (!runs.empty())
    line.replace(runs[i % runs.size()].first, runs[i % runs.size()].second, by);
}

static std::string wordOf(const std::string &line, size_t i) {
  std::vector<Span> words = wordsOf(line);
  return words.empty() ? "" : line.substr(words[i % words.size()].first, words[i % words.size()].second);
}

TextEdits::TextEdits(std::string_view text) : lines(linesOf(text)) {}

static void applyOne(Lines &lines, const std::string &edit) {
  std::istringstream in(edit);
  std::string what, number;
  size_t place = 0;
  if (lines.empty() || !(in >> what >> place))
    return;
  size_t line = place % lines.size(), i = 0, other = 0, j = 0;
  if (what == "drop")
    lines.erase(lines.begin() + line);
  else if (what == "cut")
    lines.resize(line);
  else if (what == "copy" && in >> other)
    lines.insert(lines.begin() + other % lines.size(), std::string(lines[line]));
  else if (what == "swap" && in >> other)
    std::swap(lines[line], lines[other % lines.size()]);
  else if (what == "number" && in >> i >> number)
    replace(lines[line], numbersOf(lines[line]), i, number);
  else if (what == "word" && in >> i >> other >> j)
    replace(lines[line], wordsOf(lines[line]), i, wordOf(lines[other % lines.size()], j));
}

std::string TextEdits::apply(std::string_view edits) const {
  Lines result = lines;
  for (const std::string &edit : linesOf(edits))
    applyOne(result, edit);
  return joined(result);
}

std::string TextEdits::mutate(std::string_view edits, unsigned seed) const {
  std::minstd_rand random(seed);
  auto below = [&](size_t bound) { return random() % bound; };
  auto line = [&] { return std::to_string(below(lines.size())); };
  static constexpr int64_t values[] = {0, 1, -1, 2, 3, 7, 16, 31, 63, 64, 127, 4096, 65536, INT32_MAX, INT64_MAX, INT64_MIN};
  auto fresh = [&]() -> std::string {
    std::string i = std::to_string(below(64)), near = line();
    switch (below(12)) {
    case 0: return "drop " + near;
    case 1: return "copy " + near + " " + line();
    case 2: return "swap " + near + " " + line();
    case 3: return "swap " + near + " " + std::to_string(std::stoul(near) + 1 + below(4));
    case 4: return below(8) ? "drop " + near : "cut " + near;
    case 5: case 6: case 7: case 8:
      return "number " + near + " " + i + " " + std::to_string(below(2) ? values[below(std::size(values))] : int64_t(below(300)));
    case 9: return "word " + near + " " + i + " " + std::to_string(std::stoul(near) + 1) + " " + i;
    default: return "word " + near + " " + i + " " + (below(2) ? near : line()) + " " + std::to_string(below(64));
    }
  };
  Lines list = linesOf(edits);
  size_t action = below(4);
  if (action == 0 && !list.empty())
    list.erase(list.begin() + below(list.size()));
  else if (action == 1 && !list.empty())
    list[below(list.size())] = fresh();
  if (action > 1 || list.empty())
    list.insert(list.begin() + below(list.size() + 1), fresh());
  // Few: behind the first edit that the parser refuses, the others change nothing.
  while (list.size() > 4)
    list.erase(list.begin() + below(list.size()));
  return joined(list);
}

} // namespace cedilla::fuzz
