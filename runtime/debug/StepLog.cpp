//===- StepLog.cpp - what every step left behind ---------------------------------------------------===//

#include "runtime/debug/StepLog.h"

#include "runtime/debug/StateBytes.h"

#include <algorithm>
#include <cstring>

namespace cedilla::debug {

void StepLog::step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &observer) {
  engine->step(rows, decode, logits, observer);
  LoggedStep logged{decode, rows, {logits.begin(), logits.end()}, {}};
  for (const StateView &state : engine->states()) {
    auto *bytes = static_cast<const std::byte *>(state.data);
    logged.states.emplace_back(bytes, bytes + bytesOf(state));
  }
  steps.push_back(std::move(logged));
}

/// Logits last: what they were computed from lies in the caches, layer after layer.
static std::string differenceOf(const LoggedStep &a, const LoggedStep &b, const std::vector<StateView> &names) {
  for (size_t i = 0; i < a.states.size(); ++i) {
    auto differ = std::mismatch(a.states[i].begin(), a.states[i].end(), b.states[i].begin());
    if (differ.first != a.states[i].end())
      return "state '" + names[i].name + "', byte " + std::to_string(differ.first - a.states[i].begin());
  }
  for (size_t i = 0; i < a.logits.size(); ++i)
    if (std::memcmp(&a.logits[i], &b.logits[i], sizeof(float)) != 0) {
      size_t vocab = a.logits.size() / a.rows.size();
      return "logits of row " + std::to_string(i / vocab) + ", token " + std::to_string(i % vocab);
    }
  return "";
}

std::string differenceOfLogs(const StepLog &a, const StepLog &b, const std::vector<StateView> &names) {
  for (size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
    std::string where = std::string(a.steps[i].decode ? "decode" : "prefill") + " step " + std::to_string(i) + ": ";
    if (a.steps[i].decode != b.steps[i].decode || a.steps[i].logits.size() != b.steps[i].logits.size())
      return where + "not the same rows";
    if (std::string found = differenceOf(a.steps[i], b.steps[i], names); !found.empty())
      return where + found;
  }
  return a.steps.size() == b.steps.size() ? "" : "not the same number of steps";
}

} // namespace cedilla::debug
