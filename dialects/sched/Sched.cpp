//===- Sched.cpp - verifiers of the sched dialect ---------------------------------------------------===//

#include "dialects/sched/Sched.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

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
  uint64_t elements = 1;
  for (int64_t dim : type.getShape())
    elements *= ShapedType::isDynamic(dim) ? maxRows : dim;
  return elements * ((type.getElementTypeBitWidth() + 7) / 8);
}

//===------------------------------------------------------------------------------------------===//
// buffer
//===------------------------------------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  auto type = cast<MemRefType>(getType());
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
  if (getKind() == BufferKind::Workspace && !getOffset())
    return emitOpError("expected an 'offset' on a workspace buffer");
  // C4
  bool dynamic = type.getRank() > 0 && type.isDynamicDim(0);
  if (dynamic && getKind() != BufferKind::Input && getKind() != BufferKind::Workspace)
    return emitOpError("expected a static shape on a ")
           << stringifyBufferKind(getKind()) << " buffer, got " << type;
  // C5
  if (getPaged() && getKind() != BufferKind::State)
    return emitOpError("expected 'paged' on a state only");
  return success();
}

//===------------------------------------------------------------------------------------------===//
// dispatch, mark
//===------------------------------------------------------------------------------------------===//

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *module = (*this)->getParentOp()->getParentOp();
  // C1
  Operation *kernel = symbols.lookupSymbolIn(module, getKernelAttr());
  if (!kernel)
    return emitOpError("expected a kernel named '") << getKernel() << "'";
  // C2
  for (Attribute buffer : getBuffers())
    if (!symbols.lookupNearestSymbolFrom<BufferOp>(module, cast<FlatSymbolRefAttr>(buffer)))
      return emitOpError("expected a buffer named ") << buffer;
  // C3
  if (kernel->getName().getStringRef() != "tile.kernel")
    return success();
  unsigned grid = kernel->getAttrOfType<ArrayAttr>("grid").size();
  unsigned memory = kernel->getRegion(0).getNumArguments() - 1 - grid;
  if (memory != getBuffers().size())
    return emitOpError("expected ") << memory << " buffers for '" << getKernel() << "', got "
                                    << getBuffers().size();
  return success();
}

LogicalResult MarkOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *module = (*this)->getParentOp()->getParentOp();
  // C1
  if (!symbols.lookupNearestSymbolFrom<BufferOp>(module, getBufferAttr()))
    return emitOpError("expected a buffer named '") << getBuffer() << "'";
  return success();
}
