//===- Lowering.cpp - the frame of a kernel's lowering: entry, dispatch over ops, tile values
//---===//

#include "compiler/target/nvptx/Lowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

//===------------------------------------------------------------------------------------------===//
// The function
//===------------------------------------------------------------------------------------------===//

/// Buffers in order, then the row count (runtime/package/Manifest.h); of a phase, what Phases.h says.
LLVM::LLVMFuncOp Lowering::createFunction() {
  SmallVector<Type> parameters(kernel.getNumMemoryArguments(), code.pointer(1));
  parameters.push_back(code.i64());
  std::string name = kernel.getSymName().str();
  if (form == Form::Phase) {
    llvm::append_range(parameters, phaseParameters(code));
    name = phaseFunctionName(name);
  }
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), parameters);
  auto function = LLVM::LLVMFuncOp::create(b, kernel.getLoc(), name, type);
  int32_t threads = getConfig(kernel, "warps", 1) * chip.warp;
  if (form == Form::Phase) {
    function.setLinkage(LLVM::Linkage::Internal);
    function.setAlwaysInline(true);
    function->setAttr(threadsAttr, b.getI64IntegerAttr(threads));
    code.meeting = threads;
  } else {
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
    function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), b.getDenseI32ArrayAttr({threads}));
  }
  if (Attribute bytes = kernel->getAttr(sharedBytesAttr))
    function->setAttr(sharedBytesAttr, bytes);
  if (waits() && chip.dependentLaunch) {
    Attribute constants = kernel->getAttr(constantsAttr);
    function->setAttr(constantsAttr, constants ? constants : b.getDenseI64ArrayAttr({}));
  }
  return function;
}

LogicalResult Lowering::run(LLVM::GlobalOp shared) {
  LLVM::LLVMFuncOp function = createFunction();
  OpBuilder::InsertionGuard guard(b);
  prepareEntry(function, shared);
  if (failed(lower(kernel.getBody().front())))
    return failure();
  waitForPredecessor();
  if (form == Form::Phase) // the next one uses the same shared memory
    NVVM::CpAsyncWaitGroupOp::create(b, code.loc, 0);
  LLVM::ReturnOp::create(b, kernel.getLoc(), ValueRange());
  return success();
}

void Lowering::prepareEntry(LLVM::LLVMFuncOp function, LLVM::GlobalOp shared) {
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  unsigned memories = kernel.getNumMemoryArguments();
  SmallVector<Value> blocks;
  if (form == Form::Phase) {
    auto own = entry->getArguments().drop_front(memories + 1);
    blocks.append(own.begin(), own.begin() + 3);
    gate = {own[3], own[4]};
    thread = own[5];
  } else {
    thread = NVVM::ThreadIdXOp::create(b, code.loc, code.i32());
    blocks = {NVVM::BlockIdXOp::create(b, code.loc, code.i32()),
              NVVM::BlockIdYOp::create(b, code.loc, code.i32()),
              NVVM::BlockIdZOp::create(b, code.loc, code.i32())};
  }
  sharedBase = LLVM::AddressOfOp::create(b, code.loc, shared);
  entryEnd = sharedBase.getDefiningOp();

  for (unsigned i = 0; i < memories; ++i)
    scalars.map(kernel.getBody().getArgument(i), entry->getArgument(i));
  auto toIndex = [&](Value value) {
    return arith::IndexCastOp::create(b, code.loc, b.getIndexType(), value);
  };
  scalars.map(kernel.getRows(), toIndex(entry->getArgument(memories)));
  for (unsigned dim = 0; dim < kernel.getGrid().size(); ++dim)
    scalars.map(kernel.getBlockId(dim),
                toIndex(arith::ExtUIOp::create(b, code.loc, code.i64(), blocks[dim])));
}

//===------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------===//

LogicalResult Lowering::refuse(Operation *op, const Twine &why) {
  return op->emitOpError(why) << ", in kernel '" << kernel.getSymName() << "'";
}

LogicalResult Lowering::lower(Block &block) {
  for (Operation &op : block.without_terminator()) {
    code.loc = op.getLoc();
    if (accessesOthers(&op))
      waitForPredecessor();
    prepare(&op);
    if (!op.hasAttr(stagingAttr)) // those are ordered where their copies begin
      orderGlobal(&op);
    if (failed(lower(&op)))
      return failure();
  }
  prepare(block.getTerminator());
  return success();
}

LogicalResult Lowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tile::LoadOp each) { return lowerLoad(each); })
      .Case([&](tile::StoreOp each) { return lowerStore(each); })
      .Case([&](tile::GatherOp each) { return lowerGather(each); })
      .Case([&](tile::ScatterOp each) { return lowerScatter(each); })
      .Case([&](tile::SplatOp each) { return lowerSplat(each); })
      .Case([&](tile::ConstantOp each) { return lowerConstant(each); })
      .Case([&](tile::MapOp each) { return lowerMap(each); })
      .Case([&](tile::ReduceOp each) { return lowerReduce(each); })
      .Case([&](tile::DeinterleaveOp each) { return lowerDeinterleave(each); })
      .Case([&](tile::InterleaveOp each) { return lowerInterleave(each); })
      .Case([&](tile::ExtractOp each) { return lowerExtract(each); })
      .Case([&](tile::EncodeOp each) { return lowerEncode(each); })
      .Case([&](tile::DecodeOp each) { return lowerDecode(each); })
      .Case([&](tile::MmaOp each) { return lowerMma(each); })
      .Case([&](tile::RelayoutOp each) { return lowerRelayout(each); })
      .Case([&](tile::SelectTopkOp each) { return lowerSelectTopk(each); })
      .Case([&](scf::ForOp each) { return lowerLoop(each); })
      .Case([&](scf::IfOp each) { return lowerIf(each); })
      .Default([&](Operation *each) -> LogicalResult {
        if (auto choice = dyn_cast<arith::SelectOp>(each))
          if (isa<tile::TileType>(choice.getType()))
            return lowerChoice(choice);
        if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(each->getDialect()))
          return refuse(each, "is not carried by target 'nvptx' yet");
        b.clone(*each, scalars);
        return success();
      });
}

//===------------------------------------------------------------------------------------------===//
// Tile values
//===------------------------------------------------------------------------------------------===//

/// Type, layout and geometry of a tile; how to get at its words is for the caller to add.
FailureOr<TileValue> Lowering::declare(Value tile) {
  TileValue value;
  value.type = cast<tile::TileType>(tile.getType());
  value.layout = getLayout(tile);
  Operation *op =
      tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentBlock()->getParentOp();
  if (!value.layout)
    return refuse(op, "expected a layout; run ced-nvptx-assign-layouts first");
  if (value.layout.getKind() == tile::LayoutKind::Memory)
    return value;
  std::string reason;
  FailureOr<Geometry> geometry = getGeometry(value.layout, value.type, reason);
  if (failed(geometry))
    return op->emitOpError("a tile ") << value.type << " in layout " << value.layout << ": "
                                      << reason << ", in kernel '" << kernel.getSymName() << "'";
  value.geometry = *geometry;
  return value;
}

/// `like` with its words in registers, one entry per chunk, rows outermost.
TileValue Lowering::hold(const TileValue &like, std::vector<Words> words) {
  TileValue value = like;
  int64_t perRow = like.geometry.colOffsets.size();
  value.reads.clear();
  value.chunk = [perRow, words = std::move(words)](int64_t r, int64_t c) {
    return words[r * perRow + c];
  };
  return value;
}

Words Lowering::allWords(const TileValue &tile) {
  Words all;
  for (size_t r = 0; r < tile.geometry.rowOffsets.size(); ++r)
    for (size_t c = 0; c < tile.geometry.colOffsets.size(); ++c)
      all.append(tile.chunk(r, c));
  return all;
}

int64_t Lowering::wordsPerChunk(const TileValue &tile) const {
  return tile.geometry.vec / perWord(tile.type.getElement(), tile.geometry.vec);
}
