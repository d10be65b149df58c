//===- Kv.cpp - bytes of cache ----------------------------------------------------------------------------===//
//
// Of a model, computed from the types; of a package, from the buffers it will allocate.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"
#include "dialects/ced/Ced.h"
#include "runtime/package/Package.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <iostream>
#include <map>

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla::inspect {

namespace {
/// Totals by kind of buffer: the name before the dot.
struct Totals {
  std::map<std::string, double> perToken;
  std::map<std::string, int64_t> perSequence;
};
} // namespace

static std::string kindOf(const std::string &name) { return name.substr(0, name.find('.')); }

static std::ostream &number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return std::cout << text;
}

static std::string shown(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static void showPaged(const StateValue &value, PagedType type, Totals &totals) {
  double bytes = type.getBytesPerToken();
  totals.perToken[kindOf(value.name)] += bytes;
  std::cout << "  " << value.name << ": ";
  number(bytes) << " = " << type.getRow().getBytesPerRow() << " / " << type.getRatio() << "  ("
                << type.getRow().getCols() << " values, " << type.getRow().getCodeBytesPerRow()
                << " code bytes + " << type.getRow().getScaleBytesPerRow() << " scale bytes)\n";
}

static int64_t bytesPerSequence(Type type) {
  if (auto window = dyn_cast<WindowType>(type))
    return window.getBytesPerSlot();
  return cast<StateType>(type).getBytesPerSlot();
}

static void showTotal(const Totals &totals) {
  double sum = 0;
  std::string parts;
  for (const auto &[kind, bytes] : totals.perToken) {
    sum += bytes;
    llvm::raw_string_ostream(parts)
        << (parts.empty() ? "" : " + ") << llvm::format("%g", bytes) << " " << kind;
  }
  std::cout << "  total: ";
  number(sum) << (parts.empty() ? "" : " = ") << parts << "\n";
}

static void showPerToken(const std::vector<StateValue> &state, Totals &totals) {
  std::cout << "bytes per token of context:\n";
  for (const StateValue &value : state)
    if (auto paged = dyn_cast<PagedType>(value.type))
      showPaged(value, paged, totals);
  showTotal(totals);
}

static void showPerSequence(const std::vector<StateValue> &state, Totals &totals) {
  std::map<std::string, std::pair<int64_t, Type>> counts;
  for (const StateValue &value : state) {
    if (isa<PagedType>(value.type))
      continue;
    std::string kind = kindOf(value.name);
    totals.perSequence[kind] += bytesPerSequence(value.type);
    ++counts[kind].first;
    counts[kind].second = value.type;
  }
  std::cout << "bytes per sequence, whatever its length:\n";
  int64_t sum = 0;
  for (const auto &[kind, bytes] : totals.perSequence) {
    sum += bytes;
    std::cout << "  " << kind << ": " << bytes << " = " << counts[kind].first << " x "
                 << bytes / counts[kind].first << "  " << shown(counts[kind].second) << "\n";
  }
  std::cout << "  total: " << sum << "\n";
}

static void showPackageKv(const std::string &path) {
  Package package(path);
  const ModelFacts &facts = package.manifest().facts;
  Totals totals;
  std::cout << "bytes per token of context:\n";
  for (const BufferInfo &buffer : package.manifest().buffers)
    if (buffer.paged) { // [pages, entries, bytes of a row]
      double bytes = double(buffer.shape[1] * buffer.shape[2]) / facts.page;
      totals.perToken[kindOf(buffer.name)] += bytes;
      std::cout << "  " << buffer.name << ": ";
      number(bytes) << " = " << buffer.shape[2] << " / " << facts.page / buffer.shape[1] << "\n";
    }
  showTotal(totals);
  std::cout << "bytes per sequence, whatever its length:\n";
  for (const BufferInfo &buffer : package.manifest().buffers)
    if (buffer.kind == "state" && !buffer.paged)
      totals.perSequence[kindOf(buffer.name)] += buffer.bytes / facts.maxBatch;
  int64_t sum = 0;
  for (const auto &[kind, bytes] : totals.perSequence) {
    sum += bytes;
    std::cout << "  " << kind << ": " << bytes << "\n";
  }
  std::cout << "  total: " << sum << "\n";
}

void showKv(const std::string &path) {
  if (isPackage(path))
    return showPackageKv(path);
  ModelConfig config = readModelConfig(path);
  MLIRContext context;
  context.loadDialect<CedDialect>();
  std::vector<StateValue> state = stateValues(context, config, GraphOptions());
  Totals totals;
  showPerToken(state, totals);
  showPerSequence(state, totals);
}

} // namespace cedilla::inspect
