//===- LowerRelayout.cpp - exchanges through shared memory ------------------------------------===//
//
// A tile is written row by row and read back, or left lying for readers that fetch what they need.
// Parts of a sum that k-warps hold are added in the order of the warps.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Lowering.h"
#include "compiler/target/nvptx/Scratch.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutKind;

//===------------------------------------------------------------------------------------------===//
// Tiles in scratch
//===------------------------------------------------------------------------------------------===//

FailureOr<SharedRange> Lowering::scratchOf(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(scratchAttr);
  if (!offset)
    return refuse(op, "expected a place in shared memory; run ced-nvptx-place-shared first");
  int64_t bytes = scratchBytes(op, getConfig(kernel, "warps", 1) * chip.warp);
  return SharedRange{offset.getInt(), offset.getInt() + bytes};
}

/// `tile` with its elements in scratch, row by row.
TileValue Lowering::lieInScratch(TileValue tile, SharedRange range) {
  int64_t bytes = tile.type.getElement().getIntOrFloatBitWidth() / 8;
  int64_t pitch = scratchPitch(tile.type);
  Value base = code.at(sharedBase, range.begin);
  tile.scratch = base;
  tile.pitch = pitch;
  tile.reads = {range};
  tile.place = [this, base, bytes, pitch](Value row, Value col) {
    return code.at(base, code.add(code.mul(row, pitch), code.mul(col, bytes)));
  };
  if (bytes != 1)
    return tile;
  tile.byteAt = [this, place = tile.place](Value row, Value col) {
    return code.unsignedTo32(code.load(code.i8(), place(row, col), 1));
  };
  if (pitch % 4 == 0)
    tile.fourAt = [this, place = tile.place](Value row, Value col) {
      return code.load(code.i32(), place(row, col), 4);
    };
  return tile;
}

/// How a chunk in scratch is aligned; rows are where their pitch says.
static int64_t alignmentOf(const TileValue &tile, int64_t vec) {
  int64_t bytes = tile.type.getElement().getIntOrFloatBitWidth() / 8;
  return std::gcd(std::gcd(vec * bytes, tile.pitch), int64_t(16));
}

/// Every element once.
void Lowering::writeTile(const TileValue &from, const TileValue &to) {
  const Geometry &g = from.geometry;
  code.when(ownsCopy(from), [&] {
    for (size_t r = 0; r < g.rowOffsets.size(); ++r)
      for (size_t c = 0; c < g.colOffsets.size(); ++c)
        storeWords(from.chunk(r, c), to.place(row(from, r), col(from, c)), from.type.getElement(),
                   g.vec, alignmentOf(to, g.vec));
  });
}

/// What a thread holds of `to`, from a tile that lies in memory.
TileValue Lowering::readTile(const TileValue &from, const TileValue &to) {
  const Geometry &g = to.geometry;
  Type element = to.type.getElement();
  std::vector<Words> words;
  for (size_t r = 0; r < g.rowOffsets.size(); ++r)
    for (size_t c = 0; c < g.colOffsets.size(); ++c) {
      Value row = this->row(to, r), col = this->col(to, c);
      if (from.place) {
        words.push_back(loadWords(from.place(row, col), element, g.vec, alignmentOf(from, g.vec)));
        continue;
      }
      SmallVector<Value> bytes;
      for (int64_t i = 0; i < g.vec; ++i)
        bytes.push_back(
            arith::TruncIOp::create(b, code.loc, code.i8(), from.byteAt(row, code.add(col, i))));
      words.push_back(pack(bytes, element));
    }
  return hold(to, std::move(words));
}

//===------------------------------------------------------------------------------------------===//
// Sums in parts
//===------------------------------------------------------------------------------------------===//

/// Word w of k-warp k of a thread lies at ((k * words + w) * threads + thread): neighbours store
/// neighbours.
TileValue Lowering::addParts(const TileValue &parts, const TileValue &to, SharedRange range) {
  ArrayRef<int64_t> split = parts.layout.getSplit();
  int64_t threads = chip.warp * split[0] * split[1], kWarps = split[2];
  Words mine = allWords(parts);
  int64_t count = mine.size();
  Value inGroup = code.rem(thread, threads), group = code.div(thread, threads);
  Value base = code.at(code.at(sharedBase, range.begin), code.mul(inGroup, 4));
  Value own = code.at(base, code.mul(group, count * threads * 4));
  writeShared(range);
  for (auto [w, word] : llvm::enumerate(mine))
    code.store(word, code.at(own, w * threads * 4), 4);
  readShared(range);

  std::vector<Words> sums;
  int64_t per = wordsPerChunk(to);
  for (int64_t w = 0; w < count; ++w) {
    Value sum;
    for (int64_t k = 0; k < kWarps; ++k) {
      Value part = code.load(code.f32(), code.at(base, (k * count + w) * threads * 4), 4);
      sum = sum ? code.addf(sum, part) : part;
    }
    if (w % per == 0)
      sums.emplace_back();
    sums.back().push_back(sum);
  }
  return hold(to, std::move(sums));
}

/// A whole tile as the sum of parts: the first k-warp has all of it.
TileValue Lowering::asPart(const TileValue &whole, const TileValue &part) {
  ArrayRef<int64_t> split = part.layout.getSplit();
  ThreadTerm kWarp{warpSize * split[0] * split[1], split[2], 1};
  Value first = code.equal(sum(kWarp, 0), 0);
  std::vector<Words> words;
  for (size_t r = 0; r < part.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < part.geometry.colOffsets.size(); ++c) {
      Words &chunk = words.emplace_back(whole.chunk(r, c));
      for (Value &word : chunk)
        word = code.select(first, word, code.zero(word.getType()));
    }
  return hold(part, std::move(words));
}

//===------------------------------------------------------------------------------------------===//
// tile.relayout
//===------------------------------------------------------------------------------------------===//

LogicalResult Lowering::lowerRelayout(tile::RelayoutOp op) {
  const TileValue from = tiles[op.getValue()];
  FailureOr<TileValue> to = declare(op.getResult());
  if (failed(to))
    return failure();
  bool toMemory = to->layout.getKind() == LayoutKind::Memory;
  if (from.layout.getKind() == LayoutKind::Memory) {
    tiles[op.getResult()] = readTile(from, *to);
    return success();
  }
  bool whole = from.layout.getKind() == LayoutKind::MmaAcc;
  if (whole && to->layout.getKind() == LayoutKind::MmaPart &&
      from.layout.getSplit() == to->layout.getSplit()) {
    tiles[op.getResult()] = asPart(from, *to);
    return success();
  }
  FailureOr<SharedRange> range = scratchOf(op);
  if (failed(range))
    return failure();
  if (from.layout.getKind() == LayoutKind::MmaPart) {
    if (to->layout.getKind() != LayoutKind::MmaAcc ||
        from.layout.getSplit() != to->layout.getSplit())
      return refuse(op, "parts of a sum can only be added in their own layout");
    tiles[op.getResult()] = addParts(from, *to, *range);
    return success();
  }
  TileValue lying = lieInScratch(toMemory ? *to : from, *range);
  writeShared(*range);
  writeTile(from, lying);
  if (toMemory) {
    tiles[op.getResult()] = lying;
    return success();
  }
  readShared(*range);
  TileValue result = readTile(lying, *to);
  tiles[op.getResult()] =
      to->layout.getKind() == LayoutKind::MmaPart ? asPart(result, *to) : result;
  return success();
}
