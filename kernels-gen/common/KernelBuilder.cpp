//===- KernelBuilder.cpp - short spelling for kernel bodies ------------------------------------------===//

#include "kernels-gen/common/KernelBuilder.h"

#include "dialects/ced/Ced.h"

using namespace mlir;

namespace cedilla {

tile::GridAttr gridBlocks(MLIRContext *context, int64_t value) { return tile::GridAttr::get(context, value, 0); }
tile::GridAttr gridRows(MLIRContext *context, int64_t rows) { return tile::GridAttr::get(context, 1, rows); }

int64_t configValue(sched::KernelOp problem, StringRef name) {
  auto attr = problem.getConfig().getAs<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

//===------------------------------------------------------------------------------------------===//
// The kernel and its arguments
//===------------------------------------------------------------------------------------------===//

KernelBuilder::KernelBuilder(OpBuilder &builder, sched::KernelOp problem, const Limits &limits,
                             ArrayRef<tile::GridAttr> grid, StringRef reproducibility)
    : b(builder), guard(builder), location(problem.getLoc()), problem(problem), limits(limits) {
  SmallVector<Attribute> gridAttrs(grid.begin(), grid.end());
  kernel = tile::KernelOp::create(b, location, problem.getSymName(), b.getArrayAttr(gridAttrs),
                                  problem.getConfig(), reproducibility);
  SmallVector<Type> types;
  for (MemRefType type : getMemoryArguments(problem, limits))
    types.push_back(type);
  firstScratch = types.size();
  llvm::append_range(types, findFamily(problem.getFamily())->scratch(problem.getBody().front(), limits));
  types.append(1 + grid.size(), b.getIndexType());
  Block *entry = b.createBlock(&kernel.getBody(), {}, types, SmallVector<Location>(types.size(), location));
  b.setInsertionPointToEnd(entry);
}

tile::KernelOp KernelBuilder::finish() {
  tile::ReturnOp::create(b, location);
  return kernel;
}

Value KernelBuilder::memory(Value value, unsigned part) {
  Block &body = problem.getBody().front();
  unsigned position = 0;
  for (BlockArgument input : body.getArguments()) {
    if (input == value)
      return kernel.getBody().getArgument(position + part);
    position += getParts(input.getType(), limits).size();
  }
  if (isCache(value.getType()))
    return memory(findCacheInput(value), part);
  for (Value result : body.getTerminator()->getOperands()) {
    if (isCache(result.getType()))
      continue;
    if (result == value)
      return kernel.getBody().getArgument(position + part);
    position += getParts(result.getType(), limits).size();
  }
  llvm_unreachable("value is neither an input nor a result of the kernel");
}

//===------------------------------------------------------------------------------------------===//
// Index arithmetic
//===------------------------------------------------------------------------------------------===//

Value KernelBuilder::index(int64_t value) { return arith::ConstantIndexOp::create(b, location, value); }
Value KernelBuilder::add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(location, x, y); }
Value KernelBuilder::sub(Value x, Value y) { return b.createOrFold<arith::SubIOp>(location, x, y); }
Value KernelBuilder::mul(Value x, Value y) { return b.createOrFold<arith::MulIOp>(location, x, y); }
Value KernelBuilder::div(Value x, int64_t y) { return b.createOrFold<arith::DivUIOp>(location, x, index(y)); }
Value KernelBuilder::rem(Value x, int64_t y) { return b.createOrFold<arith::RemUIOp>(location, x, index(y)); }
Value KernelBuilder::min(Value x, Value y) { return b.createOrFold<arith::MinSIOp>(location, x, y); }
Value KernelBuilder::max(Value x, Value y) { return b.createOrFold<arith::MaxSIOp>(location, x, y); }
Value KernelBuilder::toIndex(Value scalar) { return arith::IndexCastOp::create(b, location, b.getIndexType(), scalar); }
Value KernelBuilder::toI32(Value index) { return arith::IndexCastOp::create(b, location, b.getI32Type(), index); }
Value KernelBuilder::cut(int64_t cols) { return cols % 32 ? index(cols) : Value(); }
Value KernelBuilder::count(Value condition) {
  return arith::SelectOp::create(b, location, condition, index(1), index(0));
}

//===------------------------------------------------------------------------------------------===//
// Tiles
//===------------------------------------------------------------------------------------------===//

static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }

static DenseI64ArrayAttr dimsAttr(OpBuilder &b, const Access &access) {
  return access.dims ? b.getDenseI64ArrayAttr(*access.dims) : DenseI64ArrayAttr();
}

tile::TileType KernelBuilder::tileType(int64_t rows, int64_t cols, Type element) {
  return tile::TileType::get(context(), rows, cols, element);
}

Value KernelBuilder::splat(double value, int64_t rows, int64_t cols) {
  Value scalar = Scalars(b, location).f32(value);
  return tile::SplatOp::create(b, location, tileType(rows, cols, f32()), scalar);
}

Value KernelBuilder::splatI32(int64_t value, int64_t rows, int64_t cols) {
  Value scalar = Scalars(b, location).i32(value);
  return tile::SplatOp::create(b, location, tileType(rows, cols, i32()), scalar);
}

Value KernelBuilder::constant(ArrayRef<float> values) {
  auto type = RankedTensorType::get({1, static_cast<int64_t>(values.size())}, f32());
  return tile::ConstantOp::create(b, location, tileType(1, values.size(), f32()), DenseElementsAttr::get(type, values));
}

Value KernelBuilder::constant(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({1, static_cast<int64_t>(values.size())}, i64());
  return tile::ConstantOp::create(b, location, tileType(1, values.size(), i64()), DenseElementsAttr::get(type, values));
}

Value KernelBuilder::load(Value memory, ArrayRef<Value> offsets, int64_t rows, int64_t cols, Access access) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return tile::LoadOp::create(b, location, tileType(rows, cols, element), memory, offsets, access.rowCount,
                              access.colCount, dimsAttr(b, access));
}

void KernelBuilder::store(Value tile, Value memory, ArrayRef<Value> offsets, Access access) {
  tile::StoreOp::create(b, location, tile, memory, offsets, access.rowCount, access.colCount, dimsAttr(b, access));
}

Value KernelBuilder::gather(Value memory, ArrayRef<Value> offsets, Value index, int64_t cols, Access access) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return tile::GatherOp::create(b, location, tileType(typeOf(index).getRows(), cols, element), memory, offsets, index,
                                access.colCount, dimsAttr(b, access));
}

void KernelBuilder::scatter(Value tile, Value memory, ArrayRef<Value> offsets, Value index, Access access) {
  tile::ScatterOp::create(b, location, tile, memory, offsets, index, access.colCount, dimsAttr(b, access));
}

Value KernelBuilder::extract(Value tile, int64_t row, int64_t col) {
  return tile::ExtractOp::create(b, location, typeOf(tile).getElement(), tile, index(row), index(col));
}

Value KernelBuilder::element(Value memory, ArrayRef<Value> offsets, Value exists) {
  return extract(load(memory, offsets, 1, 1, {{}, exists}));
}

Value KernelBuilder::decode(Value codes, Value scales, ced::ScaledType format, Type element) {
  int64_t cols = typeOf(codes).getCols() * (format.isFP4() ? 2 : 1);
  return tile::DecodeOp::create(b, location, tileType(typeOf(codes).getRows(), cols, element), codes, scales,
                                format.getElement(), format.getScale(), format.getBlockRows(), format.getBlockCols());
}

std::pair<Value, Value> KernelBuilder::encode(Value x, ced::ScaledType format) {
  tile::TileType type = typeOf(x);
  int64_t codeCols = format.isFP4() ? type.getCols() / 2 : type.getCols();
  int64_t scaleCols = ceilDiv(type.getCols(), format.getBlockCols());
  auto op = tile::EncodeOp::create(b, location, tileType(type.getRows(), codeCols, i8()),
                                   tileType(type.getRows(), scaleCols, i8()), x, format.getElement(), format.getScale(),
                                   format.getBlockCols());
  return {op.getCodes(), op.getScales()};
}

Value KernelBuilder::reduce(tile::Combine kind, Value tile, int64_t dim) {
  tile::TileType type = typeOf(tile);
  auto result = tileType(dim == 0 ? 1 : type.getRows(), dim == 1 ? 1 : type.getCols(), type.getElement());
  return tile::ReduceOp::create(b, location, result, kind, tile, dim);
}

Value KernelBuilder::mma(Value a, Value bTile, Value acc, bool kn) {
  return tile::MmaOp::create(b, location, acc.getType(), a, bTile, acc, kn);
}

std::pair<Value, Value> KernelBuilder::deinterleave(Value tile) {
  tile::TileType type = typeOf(tile), half = tileType(type.getRows(), type.getCols() / 2, type.getElement());
  auto op = tile::DeinterleaveOp::create(b, location, half, half, tile);
  return {op.getEven(), op.getOdd()};
}

Value KernelBuilder::interleave(Value even, Value odd) {
  tile::TileType half = typeOf(even);
  return tile::InterleaveOp::create(b, location, tileType(half.getRows(), 2 * half.getCols(), half.getElement()), even,
                                    odd);
}

SmallVector<Value> KernelBuilder::map(ArrayRef<Value> inputs, ArrayRef<tile::TileType> outputs, const MapBody &body) {
  SmallVector<Type> types(outputs.begin(), outputs.end());
  auto op = tile::MapOp::create(b, location, types, inputs);
  SmallVector<Type> scalars;
  for (Value input : inputs)
    scalars.push_back(typeOf(input).getElement());
  OpBuilder::InsertionGuard inside(b);
  Block *block = b.createBlock(&op.getBody(), {}, scalars, SmallVector<Location>(scalars.size(), location));
  Scalars s(b, location);
  SmallVector<Value> values = body(s, block->getArguments());
  tile::YieldOp::create(b, location, values);
  return SmallVector<Value>(op.getOutputs());
}

Value KernelBuilder::map(ArrayRef<Value> inputs, Type element, const std::function<Value(Scalars &, ValueRange)> &body) {
  int64_t rows = 1, cols = 1;
  for (Value input : inputs) {
    rows = std::max(rows, typeOf(input).getRows());
    cols = std::max(cols, typeOf(input).getCols());
  }
  return map(inputs, {tileType(rows, cols, element)},
             [&](Scalars &s, ValueRange args) { return SmallVector<Value>{body(s, args)}; })[0];
}

//===------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------===//

SmallVector<Value> KernelBuilder::loop(Value from, Value to, int64_t step, ArrayRef<Value> carried,
                                       const std::function<SmallVector<Value>(Value, ValueRange)> &body) {
  auto op = scf::ForOp::create(b, location, from, to, index(step), carried);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  // Without carried values the loop was created with its terminator.
  if (carried.empty())
    return {};
  b.setInsertionPointToEnd(op.getBody());
  scf::YieldOp::create(b, location, next);
  return SmallVector<Value>(op.getResults());
}

void KernelBuilder::loop(Value from, Value to, int64_t step, const std::function<void(Value)> &body) {
  loop(from, to, step, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>{};
  });
}

void KernelBuilder::ifThen(Value condition, const std::function<void()> &body) {
  auto op = scf::IfOp::create(b, location, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(op.thenBlock());
  body();
}

} // namespace cedilla
