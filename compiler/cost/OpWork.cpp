//===- OpWork.cpp - what one ced op touches and multiplies --------------------------------------------===//

#include "compiler/cost/OpWork.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cedilla {

static ArrayRef<int64_t> shapeOf(Type type) {
  if (auto scaled = dyn_cast<ced::ScaledType>(type))
    return scaled.getShape();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

static ArrayRef<int64_t> shapeOf(Value value) { return shapeOf(value.getType()); }

/// Values of a row: the product of the dims behind the first.
static double valuesPerRow(Type type) {
  double count = 1;
  if (auto set = dyn_cast<ced::IndexSetType>(type))
    return double(set.getK());
  for (int64_t dim : shapeOf(type).drop_front(shapeOf(type).empty() ? 0 : 1))
    count *= double(dim);
  return count;
}

//===------------------------------------------------------------------------------------------===//
// Everything once
//===------------------------------------------------------------------------------------------===//

/// [slots, pages of a slot]: one entry per page of tokens is read.
static bool isPageTable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 2 && tensor.getElementType().isInteger(32) && !tensor.isDynamicDim(0);
}

static Touch wholeOf(Type type, const Limits &limits) {
  if (isa<ced::IndexSetType>(type))
    return {Unit::Rows, 0, 0, 1, 1};
  if (isa<ced::StateType>(type))
    return {Unit::Sequences, 0, 0, 1, 1};
  if (auto window = dyn_cast<ced::WindowType>(type))
    return {Unit::Window, window.getSize(), 0, 1, 2};
  if (auto paged = dyn_cast<ced::PagedType>(type))
    return {Unit::Entries, paged.getRatio(), 0, 1, 2};
  if (isPageTable(type))
    return {Unit::Entries, limits.page, 0, 1, 2};
  ArrayRef<int64_t> shape = shapeOf(type);
  if (!shape.empty() && ShapedType::isDynamic(shape[0]))
    return {Unit::Rows, 0, 0, 1, 1};
  return {Unit::One, 0, 0, 1, 0};
}

static OpWork wholeOf(Operation *op, const Limits &limits) {
  OpWork work;
  for (Type type : op->getOperandTypes())
    work.reads.push_back(wholeOf(type, limits));
  for (Type type : op->getResultTypes())
    work.writes.push_back(wholeOf(type, limits));
  return work;
}

static void product(OpWork &work, StringRef format, Unit unit, double flops, int64_t a = 0, int64_t b = 0) {
  work.format = format;
  work.flops.add({unit, a, b, flops});
}

//===------------------------------------------------------------------------------------------===//
// Ops that differ
//===------------------------------------------------------------------------------------------===//

static unsigned numberOf(Operation *op, Value operand) {
  return llvm::find(op->getOperands(), operand) - op->operand_begin();
}

/// Stacked weights: those experts that some row goes to. FP4 weights meet FP8 rows.
static void expertWork(OpWork &work, Operation *op, ArrayRef<Value> weights, Value ids) {
  int64_t perRow = shapeOf(ids)[1];
  for (Value weight : weights) {
    ArrayRef<int64_t> shape = shapeOf(weight);
    work.reads[numberOf(op, weight)] = {Unit::Experts, shape[0], perRow, 1, 1};
    product(work, "fp8", Unit::Rows, 2.0 * double(perRow * shape[1] * shape[2]));
  }
}

static void attentionWork(OpWork &work, ced::AttentionOp op) {
  ArrayRef<int64_t> q = shapeOf(op.getQ());
  // Scores, then sums of the values: two multiply-adds per value and head. Codes are decoded to bf16.
  double perEntry = 4.0 * double(q[1] * q[2]);
  product(work, "bf16", Unit::RowWindow, perEntry, cast<ced::WindowType>(op.getWindow().getType()).getSize());
  work.pieces = double(q[1]);
  if (!op.getMain())
    return;
  int64_t k = cast<ced::IndexSetType>(op.getIndex().getType()).getK();
  int64_t ratio = cast<ced::PagedType>(op.getMain().getType()).getRatio();
  product(work, "bf16", Unit::RowEntries, perEntry, ratio, k);
  work.reads[numberOf(op, op.getMain())] = {Unit::Entries, ratio, k, 1, 2};
}

/// All slots are decoded, whatever the step reads of them; counted is what sequences hold.
static Touch everyEntry(ced::PagedType cache) { return {Unit::Entries, cache.getRatio(), 0, 1, 2}; }

static void attendWork(OpWork &work, ced::AttendOp op) {
  ArrayRef<int64_t> q = shapeOf(op.getQ());
  double perEntry = 4.0 * double(q[1] * q[2]);
  product(work, "bf16", Unit::RowWindow, perEntry, int64_t(op.getWindow()));
  work.pieces = double(q[1]);
  work.reads[numberOf(op, op.getRing())] = {Unit::Window, int64_t(op.getWindow()), 0, 1, 2};
  if (!op.getMain())
    return;
  int64_t k = shapeOf(op.getList())[1] - int64_t(op.getWindow());
  product(work, "bf16", Unit::RowEntries, perEntry, 1, k);
  work.reads[numberOf(op, op.getMain())] = {Unit::Entries, 1, k, 1, 2};
}

static void scoresWork(OpWork &work, ced::IndexScoresOp op) {
  ArrayRef<int64_t> q = shapeOf(op.getQ());
  int64_t ratio = cast<ced::PagedType>(op.getKeys().getType()).getRatio(), most = 0;
  if (op.getPool())
    most = cast<ced::IndexSetType>(op.getPool().getType()).getK() * int64_t(*op.getBlockSize());
  product(work, "fp4", Unit::RowEntries, 2.0 * double(q[1] * q[2]), ratio, most);
  work.reads[numberOf(op, op.getKeys())] = {Unit::Entries, ratio, most, 1, 2};
  work.writes[0] = {Unit::RowEntries, ratio, 0, 1, 2};
}

static void readScores(OpWork &work, int64_t ratio) { work.reads[0] = {Unit::RowEntries, ratio, 0, 1, 2}; }

/// Streams mix like a product of small matrices: `per` multiply-adds for each value of the rows.
static void mixWork(OpWork &work, Value rows, int64_t per) {
  product(work, "bf16", Unit::Rows, 2.0 * double(per) * valuesPerRow(rows.getType()));
}

OpWork workOf(Operation *op, const Limits &limits) {
  OpWork work = wholeOf(op, limits);
  auto columns = [&] { return valuesPerRow(op->getResult(0).getType()); };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ced::LinearOp linear) {
        product(work, "fp8", Unit::Rows, 2.0 * columns() * double(shapeOf(linear.getX())[1]));
        work.pieces = columns();
      })
      .Case([&](ced::MatmulOp matmul) {
        product(work, "bf16", Unit::Rows, 2.0 * columns() * double(shapeOf(matmul.getX())[1]));
        work.pieces = columns();
      })
      .Case([&](ced::GroupedLinearOp grouped) { // o stays bf16, the FP8 weight is decoded
        product(work, "bf16", Unit::Rows, 2.0 * columns() * double(shapeOf(grouped.getW())[1]));
        work.pieces = columns();
      })
      .Case([&](ced::ExpertUpOp up) {
        expertWork(work, up, {up.getW1(), up.getW3()}, up.getIds());
        work.pieces = columns();
      })
      .Case([&](ced::ExpertDownOp down) {
        expertWork(work, down, {down.getW2()}, down.getIds());
        work.pieces = columns();
      })
      .Case([&](ced::AttentionOp attention) { attentionWork(work, attention); })
      .Case([&](ced::AttendOp attend) { attendWork(work, attend); })
      .Case([&](ced::GatherWindowOp gather) {
        work.writes[0] = {Unit::Window, cast<ced::WindowType>(gather.getWindow().getType()).getSize(), 0, 1, 2};
      })
      .Case([&](ced::GatherPagedOp gather) {
        work.writes[0] = everyEntry(cast<ced::PagedType>(gather.getCache().getType()));
      })
      .Case([&](ced::IndexScoresOp scores) { scoresWork(work, scores); })
      .Case([&](ced::BlockMaxOp best) {
        readScores(work, best.getRatio());
        work.writes[0] = {Unit::RowEntries, int64_t(best.getRatio() * best.getBlockSize()), 0, 1, 2};
      })
      .Case([&](ced::CandidateBlocksOp blocks) { readScores(work, blocks.getRatio() * blocks.getBlockSize()); })
      .Case([&](ced::TopkOp topk) { readScores(work, topk.getRatio()); })
      .Case([&](ced::HcMixOp mix) {
        ArrayRef<int64_t> fn = shapeOf(mix.getFn());
        product(work, "f32", Unit::Rows, 2.0 * double(fn[0] * fn[1]));
        work.pieces = double(fn[0]);
      })
      .Case([&](ced::HcPostOp post) {
        mixWork(work, post.getStream(), shapeOf(post.getStream())[1]);
        work.pieces = columns();
      })
      .Case([&](ced::HcCollapseOp collapse) {
        mixWork(work, collapse.getStream(), 1);
        work.pieces = columns();
      })
      .Case([&](ced::EngramInjectOp inject) { mixWork(work, inject.getStream(), 1); })
      .Case([&](ced::EmbedOp embed) {
        work.reads[numberOf(embed, embed.getTable())] = {Unit::Rows, 0, 0, 1, 1};
        work.pieces = columns();
      })
      .Case([&](ced::EngramRowsOp rows) {
        work.reads[numberOf(rows, rows.getTokenMap())] = {Unit::Rows, 0, 0, double(rows.getOrders() + 1), 1};
      })
      .Case([&](ced::EngramLookupOp lookup) {
        ArrayRef<int64_t> rows = shapeOf(lookup.getRows());
        work.reads[numberOf(lookup, lookup.getRows())] = {Unit::Rows, 0, 0, 1, 2};
        work.reads[numberOf(lookup, lookup.getTable())] = {Unit::Rows, 0, 0, double(rows[2]), 1};
        work.pieces = columns();
      })
      .Case([&](ced::AppendWindowOp append) {
        work.reads[numberOf(append, append.getWindow())] = {};
        work.writes[0] = {Unit::Rows, 0, 0, 1, 2};
      })
      .Case([&](ced::AppendPagedOp append) {
        work.reads[numberOf(append, append.getCache())] = {};
        int64_t ratio = cast<ced::PagedType>(append.getCache().getType()).getRatio();
        work.writes[0] = {Unit::Rows, 0, 0, 1.0 / double(ratio), 2};
      })
      .Case<ced::QuantizeOp, ced::DequantizeOp, ced::ScaleOp, ced::SwigluOp, ced::CombineOp, ced::RopeOp,
            ced::HcExpandOp>([&](Operation *) { work.pieces = columns(); })
      // What is left (norms, choices, pooling) has one result per row that needs all of the row.
      .Default([](Operation *) {});
  return work;
}

} // namespace cedilla
