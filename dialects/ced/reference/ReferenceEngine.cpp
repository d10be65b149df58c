//===- ReferenceEngine.cpp - the interpreter as an Engine ----------------------------------------------===//

#include "dialects/ced/reference/ReferenceEngine.h"
#include "runtime/base/Error.h"

#include <algorithm>

using namespace mlir;

namespace cedilla {

using namespace reference;

/// What every program takes before its caches.
static constexpr const char *stepArguments[] = {"tokens", "kinds",  "positions",
                                                "slots",  "starts", "pages"};
static constexpr size_t stepArgumentCount = std::size(stepArguments);

static std::string argumentName(func::FuncOp function, unsigned number) {
  auto name = function.getArgAttrOfType<StringAttr>(number, "ced.name");
  return name ? name.str() : "";
}

/// Behind the caches a program may be asked whether Engram rows lie in place of their tables. Here they never do.
static bool takesFlag(func::FuncOp function) {
  return isa<RankedTensorType>(function.getArgumentTypes().back()) && function.getNumArguments() > stepArgumentCount;
}

//===------------------------------------------------------------------------------------------===//
// Opening
//===------------------------------------------------------------------------------------------===//

ReferenceEngine::ReferenceEngine(OwningOpRef<ModuleOp> theModule, ModelFacts facts,
                                 std::shared_ptr<const Checkpoint> theCheckpoint)
    : module(std::move(theModule)), modelFacts(std::move(facts)),
      checkpoint(std::move(theCheckpoint)), check(modelFacts), prefill(findProgram("prefill")),
      decode(findProgram("decode")) {
  int64_t slots = modelFacts.maxBatch, slotPages = modelFacts.pagesPerSlot();
  for (unsigned i = stepArgumentCount; i < prefill.getNumArguments(); ++i) {
    Type type = prefill.getArgument(i).getType();
    if (takesFlag(prefill) && i + 1 == prefill.getNumArguments())
      break;
    state.push_back({argumentName(prefill, i), type, zeroState(type, slots, slots * slotPages)});
  }
  checkProgram(prefill);
  checkProgram(decode);

  pages = Array<int32_t>({slots, slotPages});
  for (int64_t slot = 0; slot < slots; ++slot)
    for (int64_t n = 0; n < slotPages; ++n)
      pages.mutableData()[slot * slotPages + n] = pageOf(slot, n);
}

func::FuncOp ReferenceEngine::findProgram(StringRef name) {
  auto function = module->lookupSymbol<func::FuncOp>(name);
  if (!function)
    fail(Err::Interpreter, "expected a module with a function @", name.str(), ", got none");
  std::string where = "@" + name.str();
  if (function.getNumArguments() < stepArgumentCount || function.getNumResults() == 0)
    fail(Err::Interpreter, where, ": expected the step's arguments and a result");
  for (size_t i = 0; i < stepArgumentCount; ++i)
    if (argumentName(function, i) != stepArguments[i])
      fail(Err::Interpreter, where, ": argument ", i, ": expected '", stepArguments[i], "', got '",
           argumentName(function, i), "'");
  return function;
}

/// Both programs share the caches: same names and types in the same order, as arguments and as results.
void ReferenceEngine::checkProgram(func::FuncOp function) const {
  std::string where = "@" + function.getName().str();
  size_t caches = function.getNumArguments() - stepArgumentCount - takesFlag(function);
  if (caches != state.size() || function.getNumResults() != 1 + state.size())
    fail(Err::Interpreter, where, ": expected ", state.size(), " caches as arguments and as results, got ", caches, " and ",
         function.getNumResults() - 1);
  for (size_t i = 0; i < state.size(); ++i) {
    unsigned argument = stepArgumentCount + i;
    if (argumentName(function, argument) != state[i].name ||
        function.getArgument(argument).getType() != state[i].type ||
        function.getResultTypes()[1 + i] != state[i].type)
      fail(Err::Interpreter, where, ": expected cache '", state[i].name, "' as argument ", argument,
           " and result ", 1 + i);
  }
}

const HostValue &ReferenceEngine::weight(ced::WeightOp op) {
  auto it = weights.find(op.getNamesAttr());
  if (it == weights.end())
    it = weights.try_emplace(op.getNamesAttr(), loadWeight(op, *checkpoint)).first;
  return it->second;
}

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

static Array<int32_t> column(const std::vector<int32_t> &values) {
  return Array<int32_t>({static_cast<int64_t>(values.size())}, values);
}

void ReferenceEngine::step(const StepRows &rows, bool wantsDecode, std::span<float> logits,
                           const Observer &observer) {
  check.check(rows, wantsDecode);
  checkLogitsSize(modelFacts, rows.size(), logits.size());
  std::vector<HostValue> arguments = {column(rows.tokens),    column(rows.kinds),
                                      column(rows.positions), column(rows.slots),
                                      column(rows.starts),    pages};
  for (const State &one : state)
    arguments.push_back(one.value);
  func::FuncOp program = wantsDecode ? decode : prefill;
  if (takesFlag(program))
    arguments.push_back(Array<int32_t>({1}));

  Environment environment{[this](ced::WeightOp op) { return weight(op); }, observer, after};
  std::vector<HostValue> results =
      interpret(program, std::move(arguments), environment);

  const auto &computed = std::get<Array<float>>(results[0]);
  checkLogitsSize(modelFacts, rows.size(), computed.size());
  std::copy_n(computed.data(), computed.size(), logits.data());
  for (size_t i = 0; i < state.size(); ++i)
    state[i].value = std::move(results[1 + i]);
  check.advance(rows);
}

//===------------------------------------------------------------------------------------------===//
// State
//===------------------------------------------------------------------------------------------===//

/// Zeroes one slot's part; paged entries are visible by position only and need no clearing.
static void clearSlot(HostValue &value, int64_t slot) {
  auto clear = [&](auto &array) {
    int64_t each = array.size() / array.dim(0);
    std::fill_n(array.mutableData() + slot * each, each, 0);
  };
  if (auto *window = std::get_if<WindowCache>(&value))
    clear(window->bytes);
  else if (auto *floats = std::get_if<Array<float>>(&value))
    clear(*floats);
  else if (auto *integers = std::get_if<Array<int32_t>>(&value))
    clear(*integers);
}

void ReferenceEngine::resetSlot(int64_t slot) {
  check.checkSlot(slot);
  for (State &one : state)
    clearSlot(one.value, slot);
  check.reset(slot);
}

static StateView viewOf(const std::string &name, HostValue &value) {
  if (auto *window = std::get_if<WindowCache>(&value))
    return {name, window->bytes.shape(), DType::Bytes, window->bytes.mutableData()};
  if (auto *paged = std::get_if<PagedCache>(&value))
    return {name, paged->bytes.shape(), DType::Bytes, paged->bytes.mutableData()};
  if (auto *floats = std::get_if<Array<float>>(&value))
    return {name, floats->shape(), DType::F32, floats->mutableData()};
  auto &integers = std::get<Array<int32_t>>(value);
  return {name, integers.shape(), DType::I32, integers.mutableData()};
}

const HostValue &ReferenceEngine::stateBefore(StringRef name) const {
  for (const State &one : state)
    if (one.name == name)
      return one.value;
  failInternal("no state '", name.str(), "'");
}

std::vector<StateView> ReferenceEngine::states() {
  std::vector<StateView> views;
  for (State &one : state)
    views.push_back(viewOf(one.name, one.value));
  return views;
}

} // namespace cedilla
