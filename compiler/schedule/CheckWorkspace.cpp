//===- CheckWorkspace.cpp - no buffer is written over while it is needed --------------------------------===//
//
// Expects workspace buffers with offsets. Shares no arithmetic with the planner: it does not compare
// lifetimes, it follows the program and asks, wherever a buffer is used again, whether another one has
// been put over it since.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/schedule/Passes.h"
#include "kernels-gen/common/Signature.h"

#include "llvm/ADT/MapVector.h"

namespace cedilla {
#define GEN_PASS_DEF_SCHEDCHECKWORKSPACE
#include "compiler/schedule/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

namespace {
/// Bytes [begin, end) of the scratch area, and who took them away since.
struct Place {
  uint64_t begin = 0, end = 0;
  sched::BufferOp thief;
  Operation *theft = nullptr;
};

class Book {
public:
  Book(SymbolTable &symbols, int64_t rows, uint64_t area) : symbols(symbols), rows(rows), area(area) {}
  LogicalResult use(Operation *op, ArrayRef<StringRef> names);

private:
  LogicalResult claim(Operation *op, sched::BufferOp buffer);

  SymbolTable &symbols;
  int64_t rows;
  uint64_t area;
  llvm::MapVector<Operation *, Place> places;
};
} // namespace

static bool overlap(const Place &a, const Place &b) { return a.begin < b.end && b.begin < a.end; }

/// First use: whatever lay there is lost.
LogicalResult Book::claim(Operation *op, sched::BufferOp buffer) {
  if (!buffer.getOffset())
    return buffer.emitOpError("expected an 'offset', which sched-plan-workspace gives");
  uint64_t begin = *buffer.getOffset();
  Place place{begin, begin + sched::getBufferBytes(cast<MemRefType>(buffer.getType()), rows), {}, nullptr};
  if (place.end > area)
    return buffer.emitOpError("expected to end inside the scratch area of ") << area << " bytes, ends at " << place.end;
  for (auto &[other, known] : places)
    if (!known.thief && overlap(place, known))
      known.thief = buffer, known.theft = op;
  places[buffer] = place;
  return success();
}

LogicalResult Book::use(Operation *op, ArrayRef<StringRef> names) {
  SmallVector<sched::BufferOp> used;
  for (StringRef name : names) {
    auto buffer = symbols.lookup<sched::BufferOp>(name);
    if (buffer && buffer.getKind() == sched::BufferKind::Workspace && !llvm::is_contained(used, buffer))
      used.push_back(buffer);
  }
  for (sched::BufferOp buffer : used)
    if (!places.contains(buffer) && failed(claim(op, buffer)))
      return failure();
  for (sched::BufferOp buffer : used) {
    const Place &place = places[buffer];
    if (!place.thief)
      continue;
    sched::BufferOp thief = place.thief;
    auto error = op->emitError("uses buffer '") << buffer.getSymName() << "', but '" << thief.getSymName()
                                                << "' lies over it and is written "
                                                << (place.theft == op ? "by the same dispatch" : "before");
    if (place.theft != op)
      error.attachNote(place.theft->getLoc()) << "written here";
    return error;
  }
  return success();
}

namespace {
struct CheckWorkspace : cedilla::impl::SchedCheckWorkspaceBase<CheckWorkspace> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Limits> limits = getLimits(module);
    auto area = module->getAttrOfType<IntegerAttr>("sched.workspace_bytes");
    if (!area)
      module.emitError("expected attribute 'sched.workspace_bytes'");
    if (failed(limits) || !area)
      return signalPassFailure();
    SymbolTable symbols(module);
    for (auto program : module.getOps<sched::ProgramOp>()) {
      Book book(symbols, limits->maxRows, area.getInt());
      for (Operation &op : program.getBody().front()) {
        SmallVector<StringRef> names;
        if (auto dispatch = dyn_cast<sched::DispatchOp>(op))
          for (Attribute name : dispatch.getBuffers())
            names.push_back(cast<FlatSymbolRefAttr>(name).getValue());
        if (auto mark = dyn_cast<sched::MarkOp>(op))
          names.push_back(mark.getBuffer());
        if (failed(book.use(&op, names)))
          return signalPassFailure();
      }
      if (failed(book.use(program, {program.getLogits()})))
        return signalPassFailure();
    }
  }
};
} // namespace
