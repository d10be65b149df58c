//===- Kv.cpp - bytes of cache ----------------------------------------------------------------------------===//
//
// Of a model, computed from the types; of a package, from the buffers it will allocate.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"
#include "dialects/ced/Ced.h"
#include "runtime/base/Error.h"
#include "runtime/package/Package.h"
#include "tools/ced-inspect/Commands.h"
#include "tools/ced-inspect/LayerCaches.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
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

/// All digits of whole and quarter bytes.
static std::ostream &exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
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

static void showTableKv(const LayerCaches &table) {
  std::cout << table.model << "\nbytes per token of context:\n";
  std::string parts;
  for (const CacheUse &cache : table.caches) {
    if (cache.windowTokens)
      continue;
    std::cout << "  " << cache.name << ": ";
    number(cache.bytesPerToken()) << " = " << cache.layers << " layers x " << cache.entryBytes << " / "
                                  << cache.tokensPerEntry << (cache.holds.empty() ? "" : "  (" + cache.holds + ")") << "\n";
    llvm::raw_string_ostream(parts) << (parts.empty() ? "" : " + ") << llvm::format("%g", cache.bytesPerToken()) << " " << cache.name;
  }
  std::cout << "  total: ";
  exact(table.bytesPerToken()) << (parts.empty() ? "" : " = " + parts) << "\n";
  std::cout << "bytes per sequence, whatever its length:\n";
  for (const CacheUse &cache : table.caches)
    if (cache.windowTokens)
      std::cout << "  " << cache.name << ": " << cache.bytesPerSequence() << " = " << cache.layers << " layers x "
                << cache.windowTokens << " tokens x " << cache.entryBytes << "\n";
  std::cout << "  total: " << table.bytesPerSequence() << "\n";
}

/// What is kept of a prefix: everything that grows. Windows can be left out where they are computed again from the last
/// tokens; a model that cannot do that keeps a copy every so many tokens.
static void showPersistent(double perToken, const LayerCaches &other) {
  double theirs = other.bytesPerToken(), windows = double(other.bytesPerSequence());
  std::cout << "persistent bytes per token, windows left out: ";
  number(perToken) << ", " << other.model << ": ";
  exact(theirs) << "; " << llvm::formatv("{0:F3}", perToken / theirs).str() << " of it, 1 / "
                << llvm::formatv("{0:F2}", theirs / perToken).str() << "\n";
  for (double every : {512.0, 1024.0, 2048.0})
    if (windows > 0) {
      double with = theirs + windows / every;
      std::cout << "  where " << other.model << " keeps its windows every " << every << " tokens: ";
      number(with) << ", 1 / " << llvm::formatv("{0:F2}", with / perToken).str() << "\n";
    }
  // theirs + windows / every = 8 * perToken
  if (windows > 0 && 8 * perToken > theirs)
    std::cout << "  1 / 8 where it keeps them every " << std::int64_t(windows / (8 * perToken - theirs) + 0.5) << " tokens\n";
}

void showKv(const Arguments &arguments) {
  const std::string &path = arguments.path;
  if (arguments.has("against") && (isPackage(path) || isLayerTable(path)))
    fail(Err::Option, "--against: expected a model to compare, got '", path, "'");
  if (isPackage(path))
    return showPackageKv(path);
  if (isLayerTable(path))
    return showTableKv(readLayerTable(path));
  ModelConfig config = readModelConfig(path);
  MLIRContext context;
  context.loadDialect<CedDialect>();
  std::vector<StateValue> state = stateValues(context, config, GraphOptions());
  Totals totals;
  showPerToken(state, totals);
  showPerSequence(state, totals);
  if (!arguments.has("against"))
    return;
  double perToken = 0;
  for (const auto &[kind, bytes] : totals.perToken)
    perToken += bytes;
  showPersistent(perToken, readLayerTable(arguments.options.at("against")));
}

} // namespace cedilla::inspect
