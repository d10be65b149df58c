//===- LayerTable.cpp - verifier: owners and sharing between layers ---------------------------===//
//
// One function per rule; each looks at one layer of the table and says what is wrong with it. The
// first rule that fails is reported, with the layer's number, so that a later rule may rely on the
// earlier ones (owners exist before they are looked at).
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/Ced.h"

using namespace mlir;
using namespace cedilla::ced;

namespace {
/// What a rule sees: the table, the layer in question, and where to report.
struct Row {
  mutable LayerTableOp table; // a handle; MLIR's accessors are not const
  int64_t self;

  LayerAttr layer(int64_t number) const { return cast<LayerAttr>(table.getLayers()[number]); }
  LayerAttr layer() const { return layer(self); }
  InFlightDiagnostic error() const { return table.emitOpError("layer ") << self << ": "; }
};

using Rule = LogicalResult (*)(const Row &);
} // namespace

/// C1: owners are layers that exist and come no later than the layer itself.
static LogicalResult ownersComeEarlier(const Row &row) {
  std::pair<StringRef, int64_t> columns[] = {
      {"kv", row.layer().getKv()}, {"select", row.layer().getSelect()}, {"pool", row.layer().getPool()}};
  for (auto [name, owner] : columns)
    if (owner < -1 || owner > row.self)
      return row.error() << "expected " << name << " to be -1 or a layer from 0 to " << row.self << ", got " << owner;
  return success();
}

/// C2: without a ratio there is no main KV, without main KV no selection.
static LogicalResult columnsAgree(const Row &row) {
  LayerAttr layer = row.layer();
  if ((layer.getKv() == -1) != (layer.getRatio() == 0))
    return row.error() << "expected kv = -1 exactly where ratio = 0, got kv = " << layer.getKv()
                       << " with ratio = " << layer.getRatio();
  if (layer.getKv() == -1 && layer.getSelect() != -1)
    return row.error() << "expected select = -1 without kv, got " << layer.getSelect();
  return success();
}

/// C3: main KV is read from a layer that owns it, at the same ratio.
static LogicalResult kvOwnerOwns(const Row &row) {
  int64_t kv = row.layer().getKv();
  if (kv == -1)
    return success();
  LayerAttr owner = row.layer(kv);
  if (owner.getKv() != kv)
    return row.error() << "expected layer " << kv << ", the owner of its kv, to own its kv, got kv = "
                       << owner.getKv() << " there";
  if (owner.getRatio() != row.layer().getRatio())
    return row.error() << "expected the ratio of layer " << kv << ", the owner of its kv, " << owner.getRatio()
                       << ", got " << row.layer().getRatio();
  return success();
}

/// C4: an index list is read from a layer that selects, over the same main KV: it means nothing over another's.
static LogicalResult selectOwnerSelects(const Row &row) {
  int64_t select = row.layer().getSelect();
  if (select == -1)
    return success();
  if (row.layer(select).getSelect() != select)
    return row.error() << "expected layer " << select << ", the owner of its select, to select itself, got select = "
                       << row.layer(select).getSelect() << " there";
  if (row.layer(select).getKv() == row.layer().getKv())
    return success();
  return row.error() << "expected layer " << select << ", the owner of its select, to read the same kv = "
                     << row.layer().getKv() << ", got " << row.layer(select).getKv();
}

/// C5: a pool comes from a layer that builds one, and limits a layer's own selection. It holds blocks of entry
/// numbers, so that layer's entries must cover the same tokens; whose they are does not matter.
static LogicalResult poolOwnerBuilds(const Row &row) {
  int64_t pool = row.layer().getPool();
  if (pool == -1)
    return success();
  if (row.layer().getSelect() != row.self)
    return row.error() << "expected pool = -1 in a layer that does not select itself, got " << pool;
  LayerAttr owner = row.layer(pool);
  if (owner.getPool() != pool || owner.getSelect() != pool)
    return row.error() << "expected layer " << pool << ", the owner of its pool, to have pool and select = " << pool
                       << ", got pool = " << owner.getPool() << ", select = " << owner.getSelect() << " there";
  if (owner.getRatio() == row.layer().getRatio())
    return success();
  return row.error() << "expected the ratio of layer " << pool << ", the owner of its pool, " << owner.getRatio()
                     << ", got " << row.layer().getRatio();
}

/// C6: numbers that make sense by themselves.
static LogicalResult sizesAreSane(const Row &row) {
  if (row.layer().getWindow() <= 0)
    return row.error() << "expected a positive window, got " << row.layer().getWindow();
  if (row.layer().getRatio() < 0)
    return row.error() << "expected a ratio of at least 0, got " << row.layer().getRatio();
  return success();
}

/// C7: in deepseek_v41 the layer that owns KV also runs an indexer.
static LogicalResult kvOwnerSelects(const Row &row) {
  if (row.layer().getKv() != row.self || row.layer().getSelect() == row.self)
    return success();
  return row.error() << "expected a layer that owns its kv to select itself in deepseek_v41, got select = "
                     << row.layer().getSelect();
}

/// C8: in deepseek_v41 the layer that builds the pool also owns its KV.
static LogicalResult poolOwnerOwnsKv(const Row &row) {
  if (row.layer().getPool() != row.self || row.layer().getKv() == row.self)
    return success();
  return row.error() << "expected a layer that builds the pool to own its kv in deepseek_v41, got kv = "
                     << row.layer().getKv();
}

/// The rules in the order of their numbers; an architecture's own follow the structural ones.
static constexpr Rule structuralRules[] = {ownersComeEarlier,  columnsAgree,    kvOwnerOwns,
                                           selectOwnerSelects, poolOwnerBuilds, sizesAreSane};
static constexpr std::pair<StringLiteral, Rule> archRules[] = {{"deepseek_v41", kvOwnerSelects},
                                                               {"deepseek_v41", poolOwnerOwnsKv}};

LogicalResult LayerTableOp::verify() {
  auto holdsEverywhere = [&](Rule rule) {
    return llvm::all_of(llvm::seq<int64_t>(0, getLayers().size()),
                        [&](int64_t self) { return succeeded(rule(Row{*this, self})); });
  };
  for (Rule rule : structuralRules)
    if (!holdsEverywhere(rule))
      return failure();
  for (auto [arch, rule] : archRules)
    if (getArch() == arch && !holdsEverywhere(rule))
      return failure();
  return success();
}
