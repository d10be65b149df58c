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
  if (!loads.empty())
    stages = stagingOf(loads.front()).getStages();
}

/// Address of a slot's first byte.
static Value slotAddress(Code &code, Value sharedBase, tile::LoadOp load, Value slot) {
  tile::StagingAttr s = stagingOf(load);
  int64_t slotBytes = load.getResult().getType().getRows() * s.getPitch();
  Value offset = code.add(code.mul(slot, slotBytes), s.getOffset());
  return code.at(sharedBase, offset);
}

/// byte ^ displacement of the row
static Value swizzled(Code &code, tile::StagingAttr s, Value row, Value byte) {
  if (s.getMask() == 0)
    return byte;
  return code.xorBits(byte, code.mul(code.andBits(row, s.getMask()), swizzleUnit << s.getShift()));
}

/// Before the first use of shared memory that earlier code may still be reading.
void Lowering::enterShared() {
  if (sharedUsed)
    code.barrier();
  sharedUsed = true;
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

void Lowering::issueCopies(const Staged &staged, Value variable, Value slot) {
  Block *body = staged.loads.front()->getBlock();
  IRMapping map;
  map.map(body->getArgument(0), variable);
  for (tile::LoadOp load : staged.loads) {
    for (Value operand : load->getOperands())
      runAhead(operand, body, map);
    issueCopy(load, map, slot);
  }
}

void Lowering::issueCopy(tile::LoadOp load, const IRMapping &map, Value slot) {
  tile::StagingAttr s = stagingOf(load);
  tile::TileType tile = load.getResult().getType();
  GlobalAccess global = access(load, tile, map);
  Value to = slotAddress(code, sharedBase, load, slot);
  int64_t threads = getConfig(kernel, "warps", 1) * chip.warp;
  int64_t perRow = s.getPitch() / s.getWidth(), copies = tile.getRows() * perRow;
  auto modifier =
      s.getWidth() == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;

  for (int64_t first = 0; first < copies; first += threads) {
    // Row and byte of this thread's copy. The divisions are by powers of two or happen once.
    Value index = code.add(thread, first);
    Value row = code.div(index, perRow), byte = code.mul(code.rem(index, perRow), s.getWidth());
    Value inside = first + threads > copies ? code.less(index, code.constant(copies)) : Value();
    code.when(inside, [&] {
      Value col = code.div(byte, global.bytes);
      Value from = addressOf(global, row, col),
            into = code.at(to, code.add(code.mul(row, s.getPitch()), swizzled(code, s, row, byte)));
      NVVM::CpAsyncOp::create(b, code.loc, into, from, s.getWidth(), modifier,
                              existingBytes(global, row, col, s.getWidth()));
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
  Value base = slotAddress(code, sharedBase, load, slot);
  Type element = tile->type.getElement();
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  if (tile->layout.getKind() == tile::LayoutKind::Memory) {
    tile->byteAt = [this, base, s](Value row, Value col) {
      Value address = code.at(base, code.add(code.mul(row, s.getPitch()), col));
      return code.unsignedTo32(code.load(code.i8(), address, 1));
    };
    tiles[load.getResult()] = *tile;
    return success();
  }
  tile->chunk = [this, base, s, element, bytes, geometry = tile->geometry](int64_t r, int64_t c) {
    int64_t vec = geometry.vec, period = s.getMask() + 1;
    // Row offsets are multiples of 8 and so of the swizzle's period: they are constants of the
    // address.
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
