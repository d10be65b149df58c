//===- Nearest.cpp - the field that decides a miss, and its nearest value that works --------------------===//
//
// No table of messages and fields: a knob is any integer of the file or a limit of the compile. A refusal of the import
// names its own field. For a kernel those knobs come first whose value is a dim of the kernel, then those that divide one.
// What is in the way is asked anew for every value.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/support/Nearest.h"

#include "compiler/import/ReadConfig.h"
#include "compiler/import/TensorNames.h"
#include "runtime/base/Error.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace mlir;

namespace cedilla {

namespace {
/// A number that can be turned.
struct Knob {
  std::string name; ///< JSON pointer, or option
  int64_t value = 0;
  std::function<void(SupportRequest &, int64_t)> set;
};

using Works = std::function<bool(int64_t)>;

/// What other values lead to, each asked once for all misses of a report.
class Plans {
public:
  Plans(MLIRContext &context, const SupportRequest &request, std::set<std::string> kinds)
      : context(context), request(request), kinds(std::move(kinds)) {}
  /// Whether there is a plan with the value, and all its kernels of the kind are built.
  bool builds(const Knob &knob, int64_t value, const std::string &kind);

private:
  MLIRContext &context;
  const SupportRequest &request;
  std::set<std::string> kinds; ///< that are missed now
  std::map<std::pair<std::string, int64_t>, std::optional<std::set<std::string>>> misses; ///< none: no plan
  size_t refused = 0;
};
} // namespace

/// Plans that are made for one report: each takes a moment.
static constexpr size_t mostPlans = 60;
static constexpr int64_t mostTimes = 16; ///< the present value
/// Values beside the present one that are tried one by one where a try costs nothing.
static constexpr int64_t fastNeighbours = 512;
static constexpr int64_t largest = int64_t(1) << 31;

//===------------------------------------------------------------------------------------------===//
// Knobs
//===------------------------------------------------------------------------------------------===//

static std::optional<Knob> knobAt(const SupportRequest &request, const std::string &pointer) {
  nlohmann::json::json_pointer place(pointer);
  if (!request.document.contains(place) || !request.document.at(place).is_number_integer())
    return std::nullopt;
  return Knob{pointer, request.document.at(place).get<int64_t>(),
              [place](SupportRequest &changed, int64_t value) { changed.document[place] = value; }};
}

/// Ids say which, not how many.
static bool isId(const std::string &name) {
  return name.ends_with("_id") || name.ends_with("_ids") || name.ends_with("_token");
}

static std::vector<Knob> fieldKnobs(const SupportRequest &request) {
  std::vector<Knob> knobs;
  bool nested = request.document.contains("text_config");
  const nlohmann::json &text = nested ? request.document["text_config"] : request.document;
  for (const auto &[name, value] : text.items())
    if (value.is_number_integer() && !isId(name))
      if (auto knob = knobAt(request, (nested ? "/text_config/" : "/") + name))
        knobs.push_back(*knob);
  return knobs;
}

static std::vector<Knob> limitKnobs(const SupportReport &report) {
  return {{"--context", report.limits.maxContext, [](SupportRequest &r, int64_t value) { r.limits.maxContext = value; }},
          {"--batch", report.limits.maxBatch, [](SupportRequest &r, int64_t value) { r.limits.maxBatch = value; }},
          {"--rows", report.limits.maxRows, [](SupportRequest &r, int64_t value) { r.limits.maxRows = value; }}};
}

static SupportRequest with(const SupportRequest &request, const Knob &knob, int64_t value) {
  SupportRequest changed = request;
  knob.set(changed, value);
  return changed;
}

//===------------------------------------------------------------------------------------------===//
// Search
//===------------------------------------------------------------------------------------------===//

/// `good` works, `bad` does not: the number between them, `step` apart from one that does not.
static int64_t narrow(int64_t good, int64_t bad, int64_t step, const Works &works) {
  while (std::abs(good - bad) > step) {
    int64_t middle = bad + (good - bad) / 2 / step * step;
    (works(middle) ? good : bad) = middle;
  }
  return good;
}

/// By halves, then by doubles: less is what usually fits. Large values keep to multiples of 32, which most fields ask for.
static std::optional<int64_t> searchSlowly(int64_t value, int64_t step, const Works &works) {
  int64_t bad = value / step * step;
  if (bad != value && bad > 0 && works(bad))
    return bad;
  for (int64_t other = bad / 2 / step * step; other > 0; bad = other, other = other / 2 / step * step)
    if (works(other))
      return narrow(other, bad, step, works);
  bad = (value + step - 1) / step * step;
  for (int64_t other = bad * 2; other <= largest && other <= value * mostTimes; bad = other, other *= 2)
    if (works(other))
      return narrow(other, bad, step, works);
  return std::nullopt;
}

/// Beside the value one by one, then ever farther away.
static std::optional<int64_t> searchFast(int64_t value, const Works &works) {
  for (int64_t far = 1; far <= fastNeighbours; ++far)
    for (int64_t other : {value - far, value + far})
      if (works(other))
        return other;
  std::optional<int64_t> below, above;
  // Rounded to what fields of any rule are multiples of.
  for (int64_t far = fastNeighbours; far < (int64_t(1) << 40) && !below && !above; far *= 2) {
    if (works((value - far) / 32 * 32))
      below = (value - far) / 32 * 32;
    if (works((value + far) / 32 * 32))
      above = (value + far) / 32 * 32;
  }
  if (!below && !above)
    return std::nullopt;
  // Back towards the value as far as it goes.
  int64_t good = below ? *below : *above, bad = value;
  while (std::abs(good - bad) > 1) {
    int64_t middle = bad + (good - bad) / 2;
    (works(middle) ? good : bad) = middle;
  }
  return good;
}

//===------------------------------------------------------------------------------------------===//
// A refusal of the import
//===------------------------------------------------------------------------------------------===//

/// What the import says of a request; empty: nothing.
static std::string refusalOf(const SupportRequest &request) {
  try {
    ModelConfig config = readModelConfig(request.file, request.document);
    checkOptions(config, withDefaults(request.limits, config));
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

/// "/text_config/hidden_size" of "config.json: /text_config/hidden_size: expected ..".
static std::string pointerIn(const std::string &file, const std::string &why) {
  std::string start = file + ": /";
  if (!why.starts_with(start))
    return "";
  size_t begin = start.size() - 1, end = why.find(':', begin);
  return end == std::string::npos ? "" : why.substr(begin, end - begin);
}

static std::string fieldOf(const SupportRequest &request, const std::string &why) {
  if (std::string pointer = pointerIn(request.file, why); !pointer.empty())
    return pointer;
  for (auto [said, option] : {std::pair("--max-context:", "--context"), {"--max-batch:", "--batch"}, {"--max-rows:", "--rows"}})
    if (why.starts_with(said))
      return option;
  return "";
}

static std::optional<Knob> knobNamed(const SupportRequest &request, const SupportReport &report, const std::string &name) {
  if (name.starts_with("/"))
    return knobAt(request, name);
  for (const Knob &knob : limitKnobs(report))
    if (knob.name == name)
      return knob;
  return std::nullopt;
}

/// The import takes the whole file with the value, or at least complains of another field.
static void mendRefusal(const SupportRequest &request, const SupportReport &report, Miss &miss) {
  miss.field = fieldOf(request, miss.why);
  std::optional<Knob> knob = knobNamed(request, report, miss.field);
  if (!knob)
    return;
  miss.value = std::to_string(knob->value);
  auto refusal = [&](int64_t value) { return refusalOf(with(request, *knob, value)); };
  std::optional<int64_t> works = searchFast(knob->value, [&](int64_t value) { return refusal(value).empty(); });
  if (!works)
    works = searchFast(knob->value, [&](int64_t value) { return fieldOf(request, refusal(value)) != miss.field; });
  if (works)
    miss.works = std::to_string(*works);
}

//===------------------------------------------------------------------------------------------===//
// A kernel
//===------------------------------------------------------------------------------------------===//

static const KernelNeed *findKernel(const SupportReport &report, const std::string &name) {
  for (const KernelNeed &need : report.kernels)
    if (need.name == name)
      return &need;
  return nullptr;
}

/// Fields whose value is one of the kernel's dims, the largest first; then those that divide one. 1 divides all.
static std::vector<Knob> knobsFor(const SupportRequest &request, const KernelNeed &need) {
  std::vector<Knob> equal, divide;
  for (const Knob &knob : fieldKnobs(request)) {
    if (knob.value < 2)
      continue;
    if (llvm::is_contained(need.dims, knob.value))
      equal.push_back(knob);
    else if (llvm::any_of(need.dims, [&](int64_t dim) { return dim % knob.value == 0; }))
      divide.push_back(knob);
  }
  auto larger = [](const Knob &a, const Knob &b) { return a.value > b.value; };
  std::stable_sort(equal.begin(), equal.end(), larger);
  std::stable_sort(divide.begin(), divide.end(), larger);
  equal.insert(equal.end(), divide.begin(), divide.end());
  return equal;
}

/// The same kernel in another plan may have another number.
static std::string kindOf(const KernelNeed &need) { return need.family + ": " + need.ops; }

bool Plans::builds(const Knob &knob, int64_t value, const std::string &kind) {
  auto [found, fresh] = misses.try_emplace({knob.name, value});
  if (fresh) {
    SupportRequest changed = with(request, knob, value);
    // A plan costs nothing where there is none.
    if (misses.size() - refused > mostPlans || !refusalOf(changed).empty()) {
      found->second = std::nullopt, ++refused;
    } else {
      // Only what is missed now is built to see whether it still is.
      SupportReport other = lookOnce(context, changed, &kinds);
      if (other.memory)
        found->second.emplace();
      for (const KernelNeed &need : other.kernels)
        if (!need.miss.empty())
          found->second->insert(kindOf(need));
    }
  }
  return found->second && !found->second->contains(kind);
}

static void mendKernel(Plans &plans, const SupportRequest &request, const SupportReport &report, Miss &miss) {
  const KernelNeed &need = *findKernel(report, miss.kernel);
  std::vector<Knob> knobs = knobsFor(request, need);
  for (const Knob &knob : limitKnobs(report))
    knobs.push_back(knob);
  for (const Knob &knob : knobs) {
    auto works = [&](int64_t value) { return plans.builds(knob, value, kindOf(need)); };
    if (auto value = searchSlowly(knob.value, knob.value >= 64 ? 32 : 1, works)) {
      miss.field = knob.name, miss.value = std::to_string(knob.value), miss.works = std::to_string(*value);
      return;
    }
  }
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

static double weightBytes(const SupportRequest &request) {
  ModelConfig config = readModelConfig(request.file, request.document);
  double bytes = 0;
  for (const Weight &weight : expectedWeights(config)) {
    double values = 1;
    for (int64_t dim : weight.shape)
      values *= double(dim);
    bytes += values * (weight.format == WeightFormat::FP4 ? 0.5 : weight.isScaled() ? 1 : weight.format == WeightFormat::BF16 ? 2 : 4);
  }
  return bytes;
}

/// The field that halves the most of the weights.
static std::vector<Knob> heaviest(const SupportRequest &request) {
  std::optional<Knob> best;
  double least = weightBytes(request);
  for (const Knob &knob : fieldKnobs(request)) {
    SupportRequest half = with(request, knob, knob.value / 2);
    if (knob.value < 4 || !refusalOf(half).empty())
      continue;
    if (double bytes = weightBytes(half); bytes < least)
      least = bytes, best = knob;
  }
  return best ? std::vector{*best} : std::vector<Knob>();
}

/// Limits first: they are the user's to choose.
static void mendMemory(MLIRContext &context, const SupportRequest &request, const SupportReport &report, Miss &miss) {
  std::vector<Knob> knobs;
  if (report.memory->weights <= report.memory->chip)
    knobs = limitKnobs(report);
  else
    knobs = heaviest(request);
  for (const Knob &knob : knobs) {
    auto works = [&](int64_t value) {
      SupportRequest changed = with(request, knob, value);
      if (!refusalOf(changed).empty())
        return false;
      static const std::set<std::string> none;
      SupportReport other = lookOnce(context, changed, &none);
      return other.memory && other.memory->fits();
    };
    if (auto value = searchSlowly(knob.value, 1, works)) {
      miss.field = knob.name, miss.value = std::to_string(knob.value), miss.works = std::to_string(*value);
      return;
    }
  }
}

void findNearest(MLIRContext &context, const SupportRequest &request, SupportReport &report) {
  std::set<std::string> kinds;
  for (const KernelNeed &need : report.kernels)
    if (!need.miss.empty())
      kinds.insert(kindOf(need));
  Plans plans(context, request, kinds);
  for (Miss &miss : report.misses) {
    if (!report.memory)
      mendRefusal(request, report, miss);
    else if (!miss.kernel.empty())
      mendKernel(plans, request, report, miss);
    else
      mendMemory(context, request, report, miss);
  }
}

} // namespace cedilla
