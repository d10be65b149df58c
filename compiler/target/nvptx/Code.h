//===- Code.h - short spelling for the code of one thread -------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Passes.h"

namespace cedilla::nvptx {

/// Creates scalar ops at the builder's insertion point. i32 unless said otherwise.
class Code {
public:
  Code(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}
  using Value = mlir::Value;
  using Type = mlir::Type;

  mlir::OpBuilder &b;
  mlir::Location loc;
  int64_t meeting = 0; ///< how many threads run the code; 0: all of the block

  Type i1() { return b.getI1Type(); }
  Type i8() { return b.getI8Type(); }
  Type i32() { return b.getI32Type(); }
  Type i64() { return b.getI64Type(); }
  Type f32() { return b.getF32Type(); }
  Type bf16x2() { return mlir::VectorType::get({2}, b.getBF16Type()); }
  Type pointer(unsigned space) { return mlir::LLVM::LLVMPointerType::get(b.getContext(), space); }

  Value constant(uint32_t value) {
    return mlir::arith::ConstantOp::create(b, loc,
                                           b.getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value constant64(int64_t value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value zero(Type type) { return mlir::arith::ConstantOp::create(b, loc, b.getZeroAttr(type)); }

  // Integers of any one width.
  Value add(Value x, Value y) { return mlir::arith::AddIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return mlir::arith::SubIOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return mlir::arith::MulIOp::create(b, loc, x, y); }
  Value add(Value x, int64_t y) { return y == 0 ? x : add(x, like(x, y)); }
  Value mul(Value x, int64_t y) { return y == 1 ? x : mul(x, like(x, y)); }
  Value div(Value x, int64_t y) {
    return y == 1 ? x : Value(mlir::arith::DivUIOp::create(b, loc, x, like(x, y)));
  }
  Value rem(Value x, int64_t y) { return mlir::arith::RemUIOp::create(b, loc, x, like(x, y)); }
  Value andBits(Value x, uint32_t y) { return mlir::arith::AndIOp::create(b, loc, x, like(x, y)); }
  Value orBits(Value x, Value y) { return mlir::arith::OrIOp::create(b, loc, x, y); }
  Value xorBits(Value x, Value y) { return mlir::arith::XOrIOp::create(b, loc, x, y); }
  Value shl(Value x, int64_t y) {
    return y == 0 ? x : Value(mlir::arith::ShLIOp::create(b, loc, x, like(x, y)));
  }
  Value shr(Value x, int64_t y) {
    return y == 0 ? x : Value(mlir::arith::ShRUIOp::create(b, loc, x, like(x, y)));
  }
  Value compare(mlir::arith::CmpIPredicate kind, Value x, Value y) {
    return mlir::arith::CmpIOp::create(b, loc, kind, x, y);
  }
  Value less(Value x, Value y) { return compare(mlir::arith::CmpIPredicate::slt, x, y); }
  Value equal(Value x, int64_t y) { return compare(mlir::arith::CmpIPredicate::eq, x, like(x, y)); }
  Value both(Value x, Value y) {
    return !x ? y : !y ? x : Value(mlir::arith::AndIOp::create(b, loc, x, y));
  }
  Value select(Value condition, Value yes, Value no) {
    return mlir::arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value clamp(Value x, int64_t low, int64_t high) {
    Value above = mlir::arith::MaxSIOp::create(b, loc, x, like(x, low));
    return mlir::arith::MinSIOp::create(b, loc, above, like(x, high));
  }

  Value to64(Value x) {
    return x.getType() == i64() ? x : Value(mlir::arith::ExtSIOp::create(b, loc, i64(), x));
  }
  Value to32(Value x) { return mlir::arith::TruncIOp::create(b, loc, i32(), x); }
  Value unsignedTo32(Value x) { return mlir::arith::ExtUIOp::create(b, loc, i32(), x); }
  Value indexTo64(Value x) {
    return x ? Value(mlir::arith::IndexCastOp::create(b, loc, i64(), x)) : x;
  }
  Value bits(Type type, Value x) {
    return x.getType() == type ? x : Value(mlir::LLVM::BitcastOp::create(b, loc, type, x));
  }

  Value mulf(Value x, Value y) { return mlir::arith::MulFOp::create(b, loc, x, y); }
  Value addf(Value x, Value y) { return mlir::arith::AddFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) { return mlir::math::FmaOp::create(b, loc, x, y, z); }

  /// The value of the lane whose number differs in the bits of `mask`; of `distance` lanes below.
  Value fromLane(Value word, int64_t mask) {
    return mlir::NVVM::ShflOp::create(b, loc, word.getType(), constant(~0u), word, constant(mask),
                                      constant(31), mlir::NVVM::ShflKind::bfly, mlir::UnitAttr());
  }
  Value fromLaneBelow(Value word, int64_t distance) {
    return mlir::NVVM::ShflOp::create(b, loc, word.getType(), constant(~0u), word,
                                      constant(distance), constant(0), mlir::NVVM::ShflKind::up,
                                      mlir::UnitAttr());
  }
  /// The value of one lane.
  Value broadcast(Value word, Value lane) {
    return mlir::NVVM::ShflOp::create(b, loc, word.getType(), constant(~0u), word, lane,
                                      constant(31), mlir::NVVM::ShflKind::idx, mlir::UnitAttr());
  }
  /// A bit per lane.
  Value ballot(Value condition) {
    return mlir::NVVM::VoteSyncOp::create(b, loc, i32(), constant(~0u), condition,
                                          mlir::NVVM::VoteSyncKind::ballot);
  }

  /// Bytes picked from the eight of y:x by the four low nibbles of `selector`.
  Value permute(Value x, Value y, Value selector) {
    return mlir::LLVM::CallIntrinsicOp::create(b, loc, i32(), b.getStringAttr("llvm.nvvm.prmt"),
                                               mlir::ValueRange{x, y, selector})
        .getResult(0);
  }
  Value element(Value vector, int64_t i) {
    return mlir::vector::ExtractOp::create(b, loc, vector, i);
  }

  /// Address of byte `offset` (i32 or i64) behind `base`.
  Value at(Value base, Value offset) {
    return mlir::LLVM::GEPOp::create(b, loc, base.getType(), i8(), base, offset);
  }
  Value isSet(Value pointer) {
    Value null = mlir::LLVM::ZeroOp::create(b, loc, pointer.getType());
    return mlir::LLVM::ICmpOp::create(b, loc, mlir::LLVM::ICmpPredicate::ne, pointer, null);
  }
  Value at(Value base, int64_t offset) {
    if (offset == 0)
      return base;
    // What a GEP keeps itself has 29 bits; rows of large heads are further apart.
    if (!llvm::isInt<29>(offset))
      return at(base, mlir::LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(offset)));
    return mlir::LLVM::GEPOp::create(
        b, loc, base.getType(), i8(), base,
        mlir::ArrayRef<mlir::LLVM::GEPArg>{static_cast<int32_t>(offset)});
  }
  Value load(Type type, Value address, int64_t alignment) {
    return mlir::LLVM::LoadOp::create(b, loc, type, address, alignment);
  }
  void store(Value value, Value address, int64_t alignment) {
    mlir::LLVM::StoreOp::create(b, loc, value, address, alignment);
  }
  /// Of all threads of the block, or of the first `meeting` where only those run the code. Each number
  /// of threads has a barrier of its own: racecheck loses track where one is used with several.
  void barrier() {
    if (meeting == 0) {
      mlir::NVVM::BarrierOp::create(b, loc);
      return;
    }
    Value number = constant(1 + (meeting / 32 - 1) % 15);
    mlir::NVVM::BarrierOp::create(b, loc, mlir::TypeRange(), number, constant(meeting), {}, Value());
  }

  /// `yes` where the condition holds, `no` elsewhere; without a condition always `yes`.
  template <typename Yes, typename No>
  llvm::SmallVector<Value> choose(Value condition, Yes yes, No no) {
    if (!condition)
      return yes();
    mlir::OpBuilder::InsertionGuard guard(b);
    mlir::Block *before = b.getInsertionBlock();
    auto point = b.getInsertionPoint();
    // Built aside first: the branch's result types are those of what `yes` yields.
    llvm::SmallVector<Value> yielded;
    auto thenBlock = std::make_unique<mlir::Block>(), elseBlock = std::make_unique<mlir::Block>();
    b.setInsertionPointToEnd(thenBlock.get());
    yielded = yes();
    mlir::scf::YieldOp::create(b, loc, yielded);
    b.setInsertionPointToEnd(elseBlock.get());
    mlir::scf::YieldOp::create(b, loc, no());
    b.setInsertionPoint(before, point);
    auto branch =
        mlir::scf::IfOp::create(b, loc, mlir::ValueRange(yielded).getTypes(), condition, true);
    for (auto [region, block] :
         {std::pair{&branch.getThenRegion(), &thenBlock}, {&branch.getElseRegion(), &elseBlock}}) {
      region->getBlocks().clear();
      region->push_back(block->release());
    }
    return llvm::to_vector_of<Value>(branch.getResults());
  }

  /// Runs `body` where the condition holds; without a condition always.
  template <typename Body>
  void when(Value condition, Body body) {
    if (!condition)
      return body();
    auto branch = mlir::scf::IfOp::create(b, loc, condition, false);
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&branch.getThenRegion().front());
    body();
  }

private:
  Value like(Value x, int64_t value) {
    return mlir::arith::ConstantOp::create(b, loc, b.getIntegerAttr(x.getType(), value));
  }
};

} // namespace cedilla::nvptx
