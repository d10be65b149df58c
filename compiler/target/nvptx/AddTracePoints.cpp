//===- AddTracePoints.cpp - blocks write down when they begin, have waited and end -------------===//
//
// For ced-bench --trace (runtime/package/Trace.h says what lies where). Every entry gets a global `<entry>_trace` with a line of events for
// each of its first blocks; thread 0 of a block writes them, one behind the other, and a later launch goes on where the last one ended.
// What a block knows of its line is kept in 16 bytes of shared memory, so that functions of phases need not know whose they are.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/Target.h"
#include "compiler/target/nvptx/Code.h"
#include "runtime/package/Trace.h"

namespace cedilla::nvptx {
#define GEN_PASS_DEF_NVPTXADDTRACEPOINTS
#include "compiler/target/nvptx/Passes.h.inc"
} // namespace cedilla::nvptx

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

namespace {
class TracePoints {
public:
  TracePoints(gpu::GPUModuleOp module, OpBuilder &b) : module(module), b(b), code(b, module.getLoc()) {}
  void add();

private:
  void begin(LLVM::LLVMFuncOp entry);
  void point(TracePoint kind);
  Value place() { return LLVM::AddressOfOp::create(b, code.loc, own); }
  Value read(const char *text, Type type);
  Value isFirstThread() { return code.equal(NVVM::ThreadIdXOp::create(b, code.loc, code.i32()), 0); }
  Value numberOfBlock();

  gpu::GPUModuleOp module;
  OpBuilder &b;
  Code code;
  LLVM::GlobalOp own; ///< i64 address of the block's line, 0 for none; i64 events in it
};
} // namespace

/// A special register, read here and not elsewhere.
Value TracePoints::read(const char *text, Type type) {
  return LLVM::InlineAsmOp::create(b, code.loc, type, ValueRange(), text, type == code.i64() ? "=l,~{memory}" : "=r,~{memory}",
                                   /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

Value TracePoints::numberOfBlock() {
  Value x = NVVM::BlockIdXOp::create(b, code.loc, code.i32()), y = NVVM::BlockIdYOp::create(b, code.loc, code.i32());
  Value z = NVVM::BlockIdZOp::create(b, code.loc, code.i32());
  Value line = code.add(y, code.mul(z, Value(NVVM::GridDimYOp::create(b, code.loc, code.i32()))));
  return code.add(x, code.mul(line, Value(NVVM::GridDimXOp::create(b, code.loc, code.i32()))));
}

void TracePoints::begin(LLVM::LLVMFuncOp entry) {
  b.setInsertionPoint(entry);
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), traceBlocks * traceLineBytes);
  auto lines = LLVM::GlobalOp::create(b, code.loc, bytes, /*isConstant=*/false, LLVM::Linkage::External,
                                      entry.getSymName().str() + traceSuffix, Attribute(), /*alignment=*/16, /*addrSpace=*/1);
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&lines.getInitializerRegion());
    LLVM::ReturnOp::create(b, code.loc, ValueRange{LLVM::ZeroOp::create(b, code.loc, bytes)});
  }
  b.setInsertionPointToStart(&entry.front());
  code.when(isFirstThread(), [&] {
    Value number = numberOfBlock();
    Value kept = code.less(number, code.constant(traceBlocks));
    Value base = LLVM::AddressOfOp::create(b, code.loc, lines);
    Value line = code.at(base, code.mul(code.select(kept, number, code.constant(0)), traceLineBytes));
    Value address = LLVM::PtrToIntOp::create(b, code.loc, code.i64(), line);
    Value count = code.load(code.i64(), line, 8);
    code.store(code.select(kept, address, code.constant64(0)), place(), 8);
    code.store(count, code.at(place(), 8), 8);
  });
  point(TracePoint::Begin);
}

void TracePoints::point(TracePoint kind) {
  code.when(isFirstThread(), [&] {
    Value address = code.load(code.i64(), place(), 8);
    Value some = code.compare(arith::CmpIPredicate::ne, address, code.constant64(0));
    code.when(some, [&] {
      Value count = code.load(code.i64(), code.at(place(), 8), 8);
      Value line = LLVM::IntToPtrOp::create(b, code.loc, code.pointer(1), address);
      Value event = code.at(line, code.mul(code.add(code.rem(count, traceEvents), 1), traceEventBytes));
      code.store(read("mov.u64 $0, %globaltimer;", code.i64()), event, 8);
      Value multiprocessor = read("mov.u32 $0, %smid;", code.i32());
      code.store(read("mov.u32 $0, %clock;", code.i32()), code.at(event, 8), 4);
      code.store(code.orBits(multiprocessor, code.constant(uint32_t(kind) << 16)), code.at(event, 12), 4);
      Value next = code.add(count, 1);
      code.store(next, code.at(place(), 8), 8);
      if (kind == TracePoint::End)
        code.store(next, line, 8);
    });
  });
}

void TracePoints::add() {
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(code.i64(), 2);
  own = LLVM::GlobalOp::create(b, code.loc, type, /*isConstant=*/false, LLVM::Linkage::Internal, "trace_own", Attribute(),
                               /*alignment=*/16, /*addrSpace=*/3);
  for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    if (function.isExternal())
      continue;
    bool entry = function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
    SmallVector<Operation *> waits;
    function.walk([&](Operation *op) {
      auto control = dyn_cast<NVVM::GriddepcontrolOp>(op);
      // A loop without results is one that looks at a counter (Phases.cpp).
      if ((control && control.getKind() == NVVM::GridDepActionKind::wait) || (isa<scf::WhileOp>(op) && op->getNumResults() == 0))
        waits.push_back(op);
    });
    for (Operation *wait : waits) {
      b.setInsertionPointAfter(wait);
      point(isa<scf::WhileOp>(wait) ? TracePoint::Passed : TracePoint::Waited);
    }
    if (!entry)
      continue;
    begin(function);
    b.setInsertionPoint(function.front().getTerminator());
    point(TracePoint::End);
  }
}

namespace {
struct AddTracePoints : nvptx::impl::NvptxAddTracePointsBase<AddTracePoints> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    OpBuilder builder(module.getContext());
    if (module->getParentOfType<ModuleOp>()->hasAttr(tracePointsAttr))
      TracePoints(module, builder).add();
  }
};
} // namespace
