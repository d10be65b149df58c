//===- AddContract.cpp - how many kernels a layer may take, and which ----------------------------===//
//
// The counts that the published model states for a Reuse layer, 15 for many rows and 11 for few, as lists of one op for each
// kernel (../../dialects/sched/README.md says how they are compared); layers without main KV have one gather less, others an indexer,
// a compressor, a candidate pool, an Engram more.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/Passes.h"

#include "compiler/import/BuildGraph.h"
#include "dialects/ced/Ced.h"
#include "runtime/package/LayerKernels.h"
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

// What others have beside those, for any number of rows.
static constexpr StringRef indexer[] = {"linear", "matmul", "rope", "index_scores", "topk"};
static constexpr StringRef compressor[] = {"matmul", "rms_norm", "append_paged", "matmul", "append_paged"};
static constexpr StringRef pool[] = {"block_max", "candidate_blocks"};
static constexpr StringRef engram[] = {"engram_lookup", "quantize", "linear", "engram_inject"};

namespace {
struct AddContract : cedilla::impl::CedAddContractBase<AddContract> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool attends = false;
    function.walk([&](Operation *op) { attends |= isa<ced::AttentionOp, ced::AttendOp>(op); });
    if (!attends)
      return;
    SmallVector<StringRef> reuse(function->hasAttr(kRowsAttr) ? ArrayRef<StringRef>(fewRows) : ArrayRef<StringRef>(manyRows));
    SmallVector<StringRef> window, reindex(reuse), full;
    llvm::copy_if(reuse, std::back_inserter(window), [](StringRef op) { return op != "gather_paged"; });
    llvm::append_range(reindex, indexer);
    full = reindex;
    llvm::append_range(full, compressor);
    Builder b(&getContext());
    SmallVector<NamedAttribute> lists;
    for (auto [name, ops] : {std::pair<StringRef, ArrayRef<StringRef>>("reuse", reuse), {"swa", window}, {"reindex", reindex},
                             {"full", full}, {contractPool, pool}, {contractEngram, engram}})
      lists.push_back(b.getNamedAttr(name, b.getStrArrayAttr(ops)));
    function->setAttr("ced.contract", b.getDictionaryAttr(lists));
  }
};
} // namespace
