//===- Sched.cpp - verifiers of the sched dialect ---------------------------------------------------===//

#include "dialects/sched/Sched.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cedilla::sched;

#include "dialects/sched/SchedDialect.cpp.inc"
#include "dialects/sched/SchedEnums.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/sched/SchedOps.cpp.inc"

void SchedDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/sched/SchedOps.cpp.inc"
      >();
}

Attribute SchedDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  parser.emitError(parser.getNameLoc(), "the sched dialect has no attributes");
  return {};
}

void SchedDialect::printAttribute(Attribute, DialectAsmPrinter &) const {}

uint64_t cedilla::sched::getBufferBytes(MemRefType type, int64_t maxRows) {
  uint64_t bytes = (type.getElementTypeBitWidth() + 7) / 8;
  for (int64_t dim : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, ShapedType::isDynamic(dim) ? maxRows : dim);
  return bytes;
}

//===------------------------------------------------------------------------------------------===//
// buffer
//===------------------------------------------------------------------------------------------===//

/// What a buffer may hold at most: sums and products of a few sizes still fit 64 bits.
static constexpr uint64_t mostBytes = uint64_t(1) << 56, mostRowBytes = uint64_t(1) << 40;

LogicalResult BufferOp::verify() {
  auto type = dyn_cast<MemRefType>(getType());
  if (!type || !type.getElementType().isIntOrFloat())
    return emitOpError("expected a memref of numbers, got ") << getType();
  // C1
  if (!type.getLayout().isIdentity() || type.getMemorySpace())
    return emitOpError("expected a row-major type without memory space, got ") << type;
  for (int64_t dim : type.getShape().drop_front(type.getRank() ? 1 : 0))
    if (ShapedType::isDynamic(dim))
      return emitOpError("expected only the first dim to be dynamic, got ") << type;
  // C2
  bool described = getTensors() && getTensorDtype() && getTensorShape();
  if ((getKind() == BufferKind::Weight) != described)
    return emitOpError("expected 'tensors', 'tensor_dtype' and 'tensor_shape' exactly on weights");
  // C3
  if (getOffset() && int64_t(*getOffset()) < 0)
    return emitOpError("expected an 'offset' of at least 0, got ") << int64_t(*getOffset());
  // C4
  bool dynamic = type.getRank() > 0 && type.isDynamicDim(0);
  if (dynamic && getKind() != BufferKind::Input && getKind() != BufferKind::Workspace)
    return emitOpError("expected a static shape on a ")
           << stringifyBufferKind(getKind()) << " buffer, got " << type;
  // C5
  if (getPaged() && getKind() != BufferKind::State)
    return emitOpError("expected 'paged' on a state only");
  // C6
  if (uint64_t most = dynamic ? mostRowBytes : mostBytes; getBufferBytes(type, /*maxRows=*/1) > most)
    return emitOpError("expected at most ") << most << " bytes" << (dynamic ? " a row" : "") << ", got " << type;
  return success();
}

//===------------------------------------------------------------------------------------------===//
// phases
//===------------------------------------------------------------------------------------------===//

/// The sched dialect does not know tile, so one of them goes by its name.
static bool isKernel(Operation *op) {
  return isa_and_nonnull<KernelOp>(op) || (op && op->getName().getStringRef() == "tile.kernel");
}

/// Number of memory arguments of a tile.kernel or sched.phases; -1 of other ops.
static int64_t memoryArguments(Operation *kernel) {
  if (auto phases = dyn_cast<PhasesOp>(kernel))
    return phases.getNumBuffers();
  if (kernel->getName().getStringRef() != "tile.kernel")
    return -1;
  return kernel->getRegion(0).getNumArguments() - 1 - kernel->getAttrOfType<ArrayAttr>("grid").size();
}

int64_t PhasesOp::getNumBuffers() {
  int64_t count = 0;
  for (auto list : getArguments().getAsRange<DenseI64ArrayAttr>())
    for (int64_t argument : list.asArrayRef())
      count = std::max(count, argument + 1);
  return count;
}

LogicalResult PhasesOp::verify() {
  // C1
  if (getKernels().size() < 2 || getKernels().size() != getArguments().size())
    return emitOpError("expected two kernels or more and a list of arguments for each, got ")
           << getKernels().size() << " and " << getArguments().size();
  // C3
  for (auto list : getArguments().getAsRange<DenseI64ArrayAttr>())
    for (int64_t argument : list.asArrayRef())
      if (argument < 0 || argument > 65535)
        return emitOpError("expected arguments from 0 to 65535, got ") << argument;
  std::vector<bool> seen(getNumBuffers(), false);
  for (auto list : getArguments().getAsRange<DenseI64ArrayAttr>())
    for (int64_t argument : list.asArrayRef())
      seen[argument] = true;
  for (size_t i = 0; i < seen.size(); ++i)
    if (!seen[i])
      return emitOpError("expected every buffer in an argument list, none has ") << i;
  return success();
}

LogicalResult PhasesOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (auto [name, list] : llvm::zip_equal(getKernels().getAsRange<FlatSymbolRefAttr>(),
                                           getArguments().getAsRange<DenseI64ArrayAttr>())) {
    // C2
    Operation *kernel = symbols.lookupSymbolIn((*this)->getParentOp(), name);
    if (!isKernel(kernel))
      return emitOpError("expected a kernel of one phase named ") << name;
    // C4
    int64_t memory = memoryArguments(kernel);
    if (memory >= 0 && memory != list.size())
      return emitOpError("expected ") << memory << " arguments for " << name << ", got " << list.size();
  }
  return success();
}

//===------------------------------------------------------------------------------------------===//
// dispatch, mark
//===------------------------------------------------------------------------------------------===//

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *module = (*this)->getParentOp()->getParentOp();
  // C1
  Operation *kernel = symbols.lookupSymbolIn(module, getKernelAttr());
  if (!isKernel(kernel) && !isa_and_nonnull<PhasesOp>(kernel))
    return emitOpError("expected a kernel named '") << getKernel() << "'";
  // C2
  for (Attribute buffer : getBuffers())
    if (!symbols.lookupNearestSymbolFrom<BufferOp>(module, cast<FlatSymbolRefAttr>(buffer)))
      return emitOpError("expected a buffer named ") << buffer;
  // C3
  int64_t memory = memoryArguments(kernel);
  if (memory >= 0 && memory != static_cast<int64_t>(getBuffers().size()))
    return emitOpError("expected ") << memory << " buffers for '" << getKernel() << "', got "
                                    << getBuffers().size();
  return success();
}

LogicalResult MarkOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *module = (*this)->getParentOp()->getParentOp();
  // C1
  if (!symbols.lookupNearestSymbolFrom<BufferOp>(module, getBufferAttr()))
    return emitOpError("expected a buffer named '") << getBuffer() << "'";
  // C2
  Operation *before = (*this)->getPrevNode();
  auto previous = dyn_cast_or_null<MarkOp>(before);
  if (getPhase() && previous && previous.getPhase().value_or(INT64_MAX) > *getPhase())
    return emitOpError("expected a place behind that of the mark before it, got phase ") << *getPhase();
  if (!getPhase())
    return success();
  while (before && isa<MarkOp>(before))
    before = before->getPrevNode();
  auto dispatch = dyn_cast_or_null<DispatchOp>(before);
  auto phases =
      dispatch ? dyn_cast_or_null<PhasesOp>(symbols.lookupSymbolIn(module, dispatch.getKernelAttr())) : PhasesOp();
  if (!phases || *getPhase() < 1 || *getPhase() >= phases.getKernels().size())
    return emitOpError("expected a dispatch of more than ") << *getPhase() << " phases before it";
  return success();
}
