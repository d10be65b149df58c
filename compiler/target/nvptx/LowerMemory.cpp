//===- LowerMemory.cpp - loads and stores between global memory and registers -----------------===//
//
// Rows of an access lie one behind the other, or where an index tile says. Every thread moves the
// chunks it holds; 64-bit addresses.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Alignment.h"
#include "compiler/target/nvptx/Lowering.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

//===------------------------------------------------------------------------------------------===//
// Addresses
//===------------------------------------------------------------------------------------------===//

Value Lowering::elementAddress(Value memory, ValueRange offsets, const IRMapping &map) {
  auto type = cast<MemRefType>(memory.getType());
  Value linear;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    Value part = code.mul(code.indexTo64(map.lookup(offset)), strideOf(type, dim));
    linear = linear ? code.add(linear, part) : part;
  }
  return code.at(map.lookup(memory), code.mul(linear, type.getElementTypeBitWidth() / 8));
}

/// Scalars of the access are looked up in `map`: a copy that runs ahead has other ones.
template <typename Op>
GlobalAccess Lowering::access(Op op, tile::TileType tile, const IRMapping &map) {
  auto memory = cast<MemRefType>(op.getMemory().getType());
  tile::MemoryDims dims = tile::getMemoryDims(memory, op.getDims());
  GlobalAccess global;
  global.bytes = tile.getElement().getIntOrFloatBitWidth() / 8;
  global.rowStride = dims.rows < 0 ? 0 : strideOf(memory, dims.rows);
  global.colStride = dims.cols < 0 ? 0 : strideOf(memory, dims.cols);
  global.alignment = knownAlignment(memory, op.getOffsets());
  if constexpr (requires { op.getRowCount(); })
    if (op.getRowCount())
      global.rowCount = code.indexTo64(map.lookup(op.getRowCount()));
  if (op.getColCount())
    global.colCount = code.indexTo64(map.lookup(op.getColCount()));

  global.base = elementAddress(op.getMemory(), op.getOffsets(), map);
  return global;
}
template GlobalAccess Lowering::access(tile::LoadOp, tile::TileType, const IRMapping &);
template GlobalAccess Lowering::access(tile::StoreOp, tile::TileType, const IRMapping &);
template GlobalAccess Lowering::access(tile::GatherOp, tile::TileType, const IRMapping &);
template GlobalAccess Lowering::access(tile::ScatterOp, tile::TileType, const IRMapping &);

Value Lowering::addressOf(const GlobalAccess &global, Value row, Value col) {
  Value offset = code.add(code.mul(code.to64(row), global.rowStride),
                          code.mul(code.to64(col), global.colStride));
  return code.at(global.base, code.mul(offset, global.bytes));
}

/// How a chunk of `vec` columns is aligned; its first column is a multiple of vec.
static int64_t chunkAlignment(const GlobalAccess &global, int64_t vec) {
  int64_t alignment = std::gcd(global.alignment, vec * global.bytes);
  return global.rowStride ? std::gcd(alignment, global.rowStride * global.bytes) : alignment;
}

//===------------------------------------------------------------------------------------------===//
// Rows
//===------------------------------------------------------------------------------------------===//

RowPlace Lowering::rowOf(const GlobalAccess &global, const TileValue &tile, int64_t r) {
  Value row = this->row(tile, r);
  return {row, global.rowCount ? code.less(code.to64(row), global.rowCount) : Value()};
}

/// The row that an index tile of the same layout names.
RowPlace Lowering::namedRow(const TileValue &index, int64_t r) {
  Value row = code.to64(index.chunk(index.type.getRows() == 1 ? 0 : r, 0)[0]);
  return {row, code.compare(arith::CmpIPredicate::sge, row, code.constant64(0))};
}

//===------------------------------------------------------------------------------------------===//
// Loads
//===------------------------------------------------------------------------------------------===//

Words Lowering::loadChunk(const GlobalAccess &global, const TileValue &tile, RowPlace place,
                          int64_t c) {
  Type element = tile.type.getElement();
  int64_t vec = tile.geometry.vec;
  Value col = this->col(tile, c);
  auto none = [&] { return zeros(element, vec); };
  auto whole = [&] {
    return loadWords(addressOf(global, place.row, col), element, vec, chunkAlignment(global, vec));
  };
  auto single = [&] {
    Words elements;
    for (int64_t i = 0; i < vec; ++i) {
      Value at = code.add(col, i);
      Value exists = global.colCount ? code.less(code.to64(at), global.colCount) : Value();
      elements.append(code.choose(
          code.both(place.exists, exists),
          [&] { return Words{code.load(element, addressOf(global, place.row, at), global.bytes)}; },
          [&] { return zeros(element, 1); }));
    }
    return pack(elements, element);
  };
  if (vec > 1 && global.colStride != 1)
    return single();
  if (!global.colCount)
    return code.choose(place.exists, whole, none);
  if (vec == 1)
    return single();
  Value last = code.to64(code.add(col, vec - 1));
  return code.choose(code.both(place.exists, code.less(last, global.colCount)), whole, single);
}

/// Scales are read when asked. The kernel does not write this memory (AssignLayouts.cpp).
void Lowering::bindLazyLoad(tile::LoadOp op, TileValue tile, const GlobalAccess &global) {
  tile.byteAt = [this, global](Value row, Value col) {
    Value exists;
    if (global.rowCount)
      exists = code.less(code.to64(row), global.rowCount);
    if (global.colCount)
      exists = code.both(exists, code.less(code.to64(col), global.colCount));
    return code.choose(
        exists,
        [&] {
          return Words{code.unsignedTo32(code.load(code.i8(), addressOf(global, row, col), 1))};
        },
        [&] { return Words{code.constant(0)}; })[0];
  };
  tiles[op.getResult()] = tile;
}

LogicalResult Lowering::lowerLoad(tile::LoadOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  if (op->hasAttr(stagingAttr))
    return success(); // bound by the loop
  GlobalAccess global = access(op, tile->type, scalars);
  if (tile->layout.getKind() == tile::LayoutKind::Memory) {
    bindLazyLoad(op, *tile, global);
    return success();
  }
  std::vector<Words> words;
  for (size_t r = 0; r < tile->geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < tile->geometry.colOffsets.size(); ++c)
      words.push_back(loadChunk(global, *tile, rowOf(global, *tile, r), c));
  tiles[op.getResult()] = hold(*tile, std::move(words));
  return success();
}

LogicalResult Lowering::lowerGather(tile::GatherOp op) {
  FailureOr<TileValue> tile = declare(op.getResult());
  if (failed(tile))
    return failure();
  const TileValue index = tiles[op.getIndex()];
  GlobalAccess global = access(op, tile->type, scalars);
  std::vector<Words> words;
  for (size_t r = 0; r < tile->geometry.rowOffsets.size(); ++r) {
    RowPlace place = namedRow(index, r);
    for (size_t c = 0; c < tile->geometry.colOffsets.size(); ++c)
      words.push_back(loadChunk(global, *tile, place, c));
  }
  tiles[op.getResult()] = hold(*tile, std::move(words));
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Stores
//===------------------------------------------------------------------------------------------===//

void Lowering::storeChunk(const GlobalAccess &global, const TileValue &tile, RowPlace place,
                          int64_t r, int64_t c) {
  Type element = tile.type.getElement();
  int64_t vec = tile.geometry.vec;
  Value col = this->col(tile, c);
  Words words = tile.chunk(r, c);
  auto whole = [&] {
    storeWords(words, addressOf(global, place.row, col), element, vec, chunkAlignment(global, vec));
  };
  auto single = [&] {
    for (auto [i, value] : llvm::enumerate(unpack(words, element, vec))) {
      Value at = code.add(col, i);
      Value exists = global.colCount ? code.less(code.to64(at), global.colCount) : Value();
      code.when(exists, [&] { code.store(value, addressOf(global, place.row, at), global.bytes); });
    }
  };
  bool contiguous = vec == 1 || global.colStride == 1;
  code.when(place.exists, [&] {
    if (!contiguous || (global.colCount && vec == 1))
      return single();
    if (!global.colCount)
      return whole();
    Value last = code.less(code.to64(code.add(col, vec - 1)), global.colCount);
    auto branch = scf::IfOp::create(b, code.loc, last, true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    whole();
    b.setInsertionPointToStart(branch.elseBlock());
    single();
  });
}

LogicalResult Lowering::lowerStore(tile::StoreOp op) {
  const TileValue tile = tiles[op.getValue()];
  GlobalAccess global = access(op, tile.type, scalars);
  code.when(ownsCopy(tile), [&] {
    for (size_t c = 0; c < tile.geometry.colOffsets.size(); ++c)
      for (size_t r = 0; r < tile.geometry.rowOffsets.size(); ++r)
        storeChunk(global, tile, rowOf(global, tile, r), r, c);
  });
  return success();
}

LogicalResult Lowering::lowerScatter(tile::ScatterOp op) {
  const TileValue tile = tiles[op.getValue()], index = tiles[op.getIndex()];
  GlobalAccess global = access(op, tile.type, scalars);
  code.when(ownsCopy(tile), [&] {
    for (size_t r = 0; r < tile.geometry.rowOffsets.size(); ++r) {
      RowPlace place = namedRow(index, r);
      for (size_t c = 0; c < tile.geometry.colOffsets.size(); ++c)
        storeChunk(global, tile, place, r, c);
    }
  });
  return success();
}
