//===- AddContract.cpp - how many kernels a layer may take, and which ----------------------------===//
//
// The counts that the published model states for a Reuse layer, 15 for many rows and 11 for few, as lists of one op for each
// kernel (../../dialects/sched/README.md says how they are compared); layers without main KV have one gather less.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/Passes.h"

#include "compiler/import/BuildGraph.h"
#include "dialects/ced/Ced.h"
#include "llvm/ADT/STLExtras.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDADDCONTRACT
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

static constexpr StringRef manyRows[] = {"hc_mix",       "linear",        "rms_norm", "linear",         "rope",
                                         "gather_paged", "gather_window", "combine_lists", "attend",    "grouped_linear",
                                         "quantize",     "linear",        "hc_mix",   "matmul",         "combine"};
static constexpr StringRef fewRows[] = {"hc_mix",   "linear", "append_window", "linear", "attention", "grouped_linear",
                                        "quantize", "linear", "hc_mix",        "matmul", "combine"};

namespace {
struct AddContract : cedilla::impl::CedAddContractBase<AddContract> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool attends = false;
    function.walk([&](Operation *op) { attends |= isa<ced::AttentionOp, ced::AttendOp>(op); });
    if (!attends)
      return;
    bool few = function->hasAttr(kRowsAttr);
    SmallVector<StringRef> reuse(few ? ArrayRef<StringRef>(fewRows) : ArrayRef<StringRef>(manyRows)), window;
    llvm::copy_if(reuse, std::back_inserter(window), [](StringRef op) { return op != "gather_paged"; });
    Builder b(&getContext());
    function->setAttr("ced.contract", b.getDictionaryAttr({b.getNamedAttr("reuse", b.getStrArrayAttr(reuse)),
                                                           b.getNamedAttr("swa", b.getStrArrayAttr(window))}));
  }
};
} // namespace
