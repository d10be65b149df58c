//===- PlanArena.cpp - give every tile a place in the arena -----------------------------------===//
//
// Expects tile.kernel ops; leaves `arena`, `arena_temps` and `arena_bytes` (see Passes.td). Tiles
// that should share a place are first put together where their lives allow it (a loop and what it
// carries, an accumulator and its mma, a map and its input), then places are given first-fit in
// text order.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Liveness.h"
#include "compiler/target/x86/Passes.h"
#include "compiler/target/x86/Select.h"
#include "compiler/target/x86/TileLayout.h"

namespace cedilla {
#define GEN_PASS_DEF_X86PLANARENA
#include "compiler/target/x86/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;
using namespace cedilla::x86;

namespace {
/// Tiles that share one place.
struct Place {
  SmallVector<Value> tiles;
  int64_t begin, end, bytes;
  int64_t offset = -1;
};

class Planner {
public:
  explicit Planner(tile::KernelOp kernel) : kernel(kernel), live(kernel) {}
  void run();

private:
  void makePlaces();
  void joinCarried();
  void joinInPlace();
  bool join(Value a, Value b);
  void addScratch();
  void addYieldTemps(scf::ForOp loop);
  int64_t addPlace(int64_t begin, int64_t end, int64_t bytes);
  int64_t assignOffsets();
  void writeOffsets();
  int64_t offsetOf(Value tile) { return places[placeOf[tile]].offset; }

  tile::KernelOp kernel;
  Liveness live;
  std::vector<Place> places; // joined ones become empty
  llvm::DenseMap<Value, int64_t> placeOf;
  llvm::DenseMap<Operation *, SmallVector<int64_t>>
      extra; // places of scratch and yield temporaries, or -1
};
} // namespace

static bool isTile(Value value) { return isa<tile::TileType>(value.getType()); }

//===------------------------------------------------------------------------------------------===//
// Joining
//===------------------------------------------------------------------------------------------===//

void Planner::makePlaces() {
  for (Value tile : live.tiles()) {
    int64_t begin = INT64_MAX, end = 0;
    for (Interval interval : live.lifeOf(tile)) {
      begin = std::min(begin, interval.begin);
      end = std::max(end, interval.end);
    }
    placeOf[tile] = addPlace(begin, end, TileLayout(cast<tile::TileType>(tile.getType())).bytes());
    places.back().tiles.push_back(tile);
  }
}

int64_t Planner::addPlace(int64_t begin, int64_t end, int64_t bytes) {
  places.push_back({{}, begin, end, roundUp(bytes, arenaAlignment)});
  return places.size() - 1;
}

/// Puts the places of `a` and `b` together if none of their tiles interfere.
bool Planner::join(Value a, Value b) {
  int64_t into = placeOf[a], from = placeOf[b];
  if (into == from)
    return true;
  for (Value x : places[into].tiles)
    for (Value y : places[from].tiles)
      if (live.interfere(x, y))
        return false;
  for (Value tile : places[from].tiles) {
    places[into].tiles.push_back(tile);
    placeOf[tile] = into;
  }
  places[into].begin = std::min(places[into].begin, places[from].begin);
  places[into].end = std::max(places[into].end, places[from].end);
  places[from].tiles.clear();
  places[from].bytes = 0;
  return true;
}

/// What a loop carries and its result are one place always; their lives cannot meet.
void Planner::joinCarried() {
  kernel.walk([&](scf::ForOp loop) {
    for (auto [carried, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      if (isTile(carried) && !join(carried, result))
        llvm_unreachable("a loop's carried tile and its result never live together");
  });
}

void Planner::joinInPlace() {
  kernel.walk([&](scf::ForOp loop) {
    for (auto [init, carried, yielded] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (isTile(carried)) {
        join(carried, yielded);
        join(carried, init);
      }
  });
  kernel.walk([&](scf::IfOp branch) {
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      if (!region->empty())
        for (auto [yielded, result] :
             llvm::zip(region->front().getTerminator()->getOperands(), branch.getResults()))
          if (isTile(result))
            join(result, yielded);
  });
  kernel.walk([&](tile::MmaOp mma) { join(mma.getAcc(), mma.getResult()); });
  kernel.walk([&](tile::MapOp map) {
    for (Value output : map.getOutputs())
      for (Value input : map.getInputs())
        if (TileLayout(cast<tile::TileType>(input.getType()))
                .sameAs(TileLayout(cast<tile::TileType>(output.getType()))) &&
            join(input, output))
          break;
  });
}

//===------------------------------------------------------------------------------------------===//
// Places that are not tiles
//===------------------------------------------------------------------------------------------===//

/// A yield that hands one carried tile on as another: copied aside first, since its place may be
/// written before it is read.
void Planner::addYieldTemps(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  llvm::DenseSet<int64_t> carriedPlaces;
  for (Value carried : loop.getRegionIterArgs())
    if (isTile(carried))
      carriedPlaces.insert(placeOf[carried]);
  for (auto [carried, yielded] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isTile(carried))
      continue;
    bool aside = placeOf[carried] != placeOf[yielded] && carriedPlaces.contains(placeOf[yielded]);
    int64_t at = live.positionOf(yield);
    extra[yield].push_back(
        aside ? addPlace(at, at, TileLayout(cast<tile::TileType>(carried.getType())).bytes()) : -1);
  }
}

void Planner::addScratch() {
  kernel.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      addYieldTemps(loop);
    if (isa<tile::SelectTopkOp>(op))
      extra[op].push_back(addPlace(live.positionOf(op), live.positionOf(op), selectScratchBytes));
  });
}

//===------------------------------------------------------------------------------------------===//
// Offsets
//===------------------------------------------------------------------------------------------===//

/// First fit in the order in which places begin; returns the bytes of the whole arena.
int64_t Planner::assignOffsets() {
  SmallVector<Place *> sorted;
  for (Place &place : places)
    if (place.bytes > 0)
      sorted.push_back(&place);
  // `places` does not move, so addresses order like creation.
  llvm::sort(sorted,
             [](Place *a, Place *b) { return std::pair(a->begin, a) < std::pair(b->begin, b); });

  int64_t total = 0;
  SmallVector<Place *> placed; // by offset
  for (Place *place : sorted) {
    int64_t offset = 0;
    for (Place *other : placed) {
      bool meet = place->begin <= other->end && other->begin <= place->end;
      if (meet && offset < other->offset + other->bytes && other->offset < offset + place->bytes)
        offset = other->offset + other->bytes;
    }
    place->offset = offset;
    total = std::max(total, offset + place->bytes);
    placed.insert(
        llvm::upper_bound(placed, place, [](Place *a, Place *b) { return a->offset < b->offset; }),
        place);
  }
  return total ? total + arenaAlignment : 0;
}

void Planner::writeOffsets() {
  Builder b(kernel.getContext());
  llvm::MapVector<Operation *, SmallVector<int64_t>> offsets;
  for (Value tile : live.tiles())
    if (auto result = dyn_cast<OpResult>(tile))
      offsets[result.getOwner()].push_back(offsetOf(tile));
  for (auto &[op, list] : offsets)
    op->setAttr("arena", b.getDenseI64ArrayAttr(list));
  for (auto &[op, list] : extra) {
    SmallVector<int64_t> values;
    for (int64_t place : list)
      values.push_back(place < 0 ? -1 : places[place].offset);
    if (isa<tile::SelectTopkOp>(op))
      op->setAttr("arena", b.getDenseI64ArrayAttr(values));
    else if (llvm::any_of(values, [](int64_t offset) { return offset >= 0; }))
      op->setAttr("arena_temps", b.getDenseI64ArrayAttr(values));
  }
}

void Planner::run() {
  makePlaces();
  joinCarried();
  joinInPlace();
  addScratch();
  int64_t bytes = assignOffsets();
  writeOffsets();
  kernel->setAttr("arena_bytes", Builder(kernel.getContext()).getI64IntegerAttr(bytes));
}

namespace {
struct X86PlanArena : cedilla::impl::X86PlanArenaBase<X86PlanArena> {
  void runOnOperation() override { Planner(getOperation()).run(); }
};
} // namespace
