//===- SplitAttention.cpp - attention of many rows in steps -------------------------------------===//
//
// Where a step's rows lie beside the ring, the caches are decoded to bf16 first, window positions and selected entries
// become one list, and attention walks it: the published prefill. Every bit of the result stays.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/Passes.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDSPLITATTENTION
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static void split(ced::AttentionOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto bf16 = [&](ArrayRef<int64_t> shape) { return RankedTensorType::get(shape, b.getBF16Type()); };
  constexpr int64_t open = ShapedType::kDynamic;
  auto window = cast<ced::WindowType>(op.getWindow().getType());
  int64_t columns = window.getRow().getCols(), selected = 0;

  Value ring = ced::GatherWindowOp::create(b, loc, bf16({open, window.getRingRows(), columns}), op.getWindow());
  Value fresh = ced::DequantizeOp::create(b, loc, bf16({open, columns}), op.getFresh());
  Value main;
  IntegerAttr ratio;
  if (op.getMain()) {
    main = ced::GatherPagedOp::create(b, loc, bf16({open, open, columns}), op.getMain(), op.getPages());
    ratio = b.getI64IntegerAttr(cast<ced::PagedType>(op.getMain().getType()).getRatio());
    selected = cast<ced::IndexSetType>(op.getIndex().getType()).getK();
  }
  auto lists = RankedTensorType::get({open, window.getSize() + selected}, b.getI32Type());
  Value list = ced::CombineListsOp::create(b, loc, lists, op.getIndex(), op.getPositions(), op.getStarts(),
                                           b.getI64IntegerAttr(window.getSize()), b.getI64IntegerAttr(window.getRingRows()), ratio);
  Value result = ced::AttendOp::create(b, loc, op.getType(), op.getQ(), op.getSink(), list, ring, fresh, op.getSlots(), main,
                                       b.getI64IntegerAttr(window.getSize()));
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct SplitAttention : cedilla::impl::CedSplitAttentionBase<SplitAttention> {
  void runOnOperation() override {
    getOperation().walk([](ced::AttentionOp op) {
      if (op.getFresh())
        split(op);
    });
  }
};
} // namespace
