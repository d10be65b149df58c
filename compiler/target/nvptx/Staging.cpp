//===- Staging.cpp - asynchronous copies into a ring, and reading fragments from it -----------===//
//
// The formula of a slot is on #tile.staging. Copies zero what does not exist: cp.async reads the
// first bytes that it is told to and fills the rest with zeros.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

static constexpr int64_t swizzleUnit = 16;

static tile::StagingAttr stagingOf(tile::LoadOp load) {
  return load->getAttrOfType<tile::StagingAttr>(stagingAttr);
}

Staged::Staged(SmallVector<tile::LoadOp> staged) : loads(std::move(staged)) {
  if (loads.empty())
    return;
  stages = stagingOf(loads.front()).getStages();
  ownParts = stagingOf(loads.front()).getParts() > 1;
}

SharedRange Staged::range() const {
  SharedRange whole{stagingOf(loads.front()).getOffset(), 0};
  for (tile::LoadOp load : loads) {
    tile::StagingAttr s = stagingOf(load);
    int64_t slot = load.getResult().getType().getRows() * s.getPitch();
    whole.begin = std::min(whole.begin, s.getOffset());
    whole.end = std::max(whole.end, s.getOffset() + s.getParts() * s.getStages() * slot);
  }
  return whole;
}

/// Byte at which this thread's part of a slot begins.
Value Lowering::slotOffset(tile::LoadOp load, Value slot) {
  tile::StagingAttr s = stagingOf(load);
  int64_t slotBytes = load.getResult().getType().getRows() * s.getPitch();
  Value offset = code.add(code.mul(slot, slotBytes), s.getOffset());
  if (s.getParts() == 1)
    return offset;
  return code.add(offset, code.mul(warpNumber(s.getParts()), s.getStages() * slotBytes));
}

Value Lowering::warpNumber(int64_t warps) { return sum(ThreadTerm{warpSize, warps, 1}, 0); }

/// byte ^ displacement of the row
static Value swizzled(Code &code, tile::StagingAttr s, Value row, Value byte) {
  if (s.getMask() == 0)
    return byte;
  Value unit = code.andBits(code.div(row, s.getDiv()), s.getMask());
  return code.xorBits(byte, code.mul(unit, swizzleUnit << s.getShift()));
}

//===------------------------------------------------------------------------------------------===//
// Copies
//===------------------------------------------------------------------------------------------===//

/// Gives `value` its meaning in another iteration: scalars from outside the loop are what they are,
/// those of its body are computed again.
void Lowering::runAhead(Value value, Block *body, IRMapping &map) {
  if (map.contains(value))
    return;
  if (value.getParentBlock() != body) {
    map.map(value, scalars.lookup(value));
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    runAhead(operand, body, map);
  b.clone(*value.getDefiningOp(), map);
}

void Lowering::issueCopies(ArrayRef<tile::LoadOp> loads, Value variable, Value slot) {
  if (loads.empty())
    return;
  Block *body = tile::LoadOp(loads.front())->getBlock();
  IRMapping map;
  map.map(body->getArgument(0), variable);
  for (tile::LoadOp load : loads) {
    for (Value operand : load->getOperands())
      runAhead(operand, body, map);
    issueCopy(load, map, slot);
  }
}

/// The copies of a slot's part are dealt to the threads in order. Where a round of copies is a
/// whole number of rows, rounds differ by constants alone: one address serves them all.
void Lowering::issueCopy(tile::LoadOp load, const IRMapping &map, Value slot) {
  tile::StagingAttr s = stagingOf(load);
  tile::TileType tile = load.getResult().getType();
  GlobalAccess global = access(load, tile, map);
  Value to = code.at(sharedBase, slotOffset(load, slot)), who = thread, partCol = code.constant(0);
  int64_t threads = getConfig(kernel, "warps", 1) * chip.warp;
  if (s.getParts() > 1) {
    who = sum(ThreadTerm{1, warpSize, 1}, 0);
    threads = chip.warp;
    partCol = code.mul(warpNumber(s.getParts()), tile.getCols() / s.getParts());
  }
  int64_t perRow = s.getPitch() / s.getWidth(), copies = tile.getRows() * perRow;
  int64_t period = s.getDiv() * (s.getMask() + 1);
  bool constantSteps = threads % perRow == 0 && threads / perRow % period == 0;

  for (int64_t first = 0; first < copies; first += threads) {
    int64_t rows = constantSteps ? first / perRow : 0;
    Value index = constantSteps ? who : code.add(who, first);
    Value row = code.div(index, perRow), byte = code.mul(code.rem(index, perRow), s.getWidth());
    Value col = code.add(code.div(byte, global.bytes), partCol);
    Value place = code.add(code.mul(row, s.getPitch()), swizzled(code, s, row, byte));
    Value inside;
    if (first + threads > copies)
      inside = code.less(index, code.constant(copies - (constantSteps ? first : 0)));
    code.when(inside, [&] {
      Value from = code.at(addressOf(global, row, col), rows * global.rowStride * global.bytes);
      Value into = code.at(code.at(to, place), rows * s.getPitch());
      auto modifier =
          s.getWidth() == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
      NVVM::CpAsyncOp::create(b, code.loc, into, from, s.getWidth(), modifier,
                              existingBytes(global, code.add(row, rows), col, s.getWidth()));
    });
  }
}

/// Bytes of a copy that exist; null: all.
Value Lowering::existingBytes(const GlobalAccess &global, Value row, Value col, int64_t width) {
  if (!global.rowCount && !global.colCount)
    return {};
  Value bytes = code.constant(width);
  if (global.colCount) {
    Value left = code.mul(mlir::arith::SubIOp::create(b, code.loc, global.colCount, code.to64(col)),
                          global.bytes);
    bytes = code.to32(code.clamp(left, 0, width));
  }
  if (global.rowCount)
    bytes = code.select(code.less(code.to64(row), global.rowCount), bytes, code.constant(0));
  return bytes;
}

//===------------------------------------------------------------------------------------------===//
// Reading
//===------------------------------------------------------------------------------------------===//

LogicalResult Lowering::bindStaged(tile::LoadOp load, Value slot) {
  FailureOr<TileValue> tile = declare(load.getResult());
  if (failed(tile))
    return failure();
  tile::StagingAttr s = stagingOf(load);
  Type element = tile->type.getElement();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // A part is read at the tile's own columns: its first one lies a part's width further for each
  // warp.
  Value offset = slotOffset(load, slot);
  if (s.getParts() > 1)
    offset = code.sub(offset, code.mul(warpNumber(s.getParts()), s.getPitch()));
  Value base = code.at(sharedBase, offset);
  if (tile->layout.getKind() == tile::LayoutKind::Memory) {
    auto place = [this, base, s](Value row, Value col) {
      return code.at(base, code.add(code.mul(row, s.getPitch()), col));
    };
    tile->byteAt = [this, place](Value row, Value col) {
      return code.unsignedTo32(code.load(code.i8(), place(row, col), 1));
    };
    if (s.getPitch() % 4 == 0)
      tile->fourAt = [this, place](Value row, Value col) {
        return code.load(code.i32(), place(row, col), 4);
      };
    if (Value count = load.getRowCount()) {
      // The body's own numbers are not there yet.
      IRMapping map;
      Value variable = load->getBlock()->getArgument(0);
      map.map(variable, scalars.lookup(variable));
      runAhead(count, load->getBlock(), map);
      tile->rowCount = code.indexTo64(map.lookup(count));
    }
    tiles[load.getResult()] = *tile;
    return success();
  }
  tile->chunk = [this, base, s, element, bytes, geometry = tile->geometry](int64_t r, int64_t c) {
    int64_t vec = geometry.vec, period = s.getDiv() * (s.getMask() + 1);
    // Multiples of the swizzle's period are constants of the address.
    int64_t fixed = geometry.rowOffsets[r] / period * period;
    Value row = sum(geometry.row, geometry.rowOffsets[r] - fixed);
    Value byte = code.mul(sum(geometry.col, geometry.colOffsets[c]), bytes);
    Value offset = code.add(code.mul(row, s.getPitch()), swizzled(code, s, row, byte));
    Value address = code.at(code.at(base, offset), fixed * s.getPitch());
    int64_t alignment = std::gcd(std::gcd(vec * bytes, s.getPitch()), swizzleUnit);
    return loadWords(address, element, vec, alignment);
  };
  tiles[load.getResult()] = *tile;
  return success();
}
