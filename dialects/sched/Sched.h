//===- Sched.h - the sched dialect --------------------------------------------------------------===//

#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/sched/SchedDialect.h.inc"
#include "dialects/sched/SchedEnums.h.inc"
#define GET_OP_CLASSES
#include "dialects/sched/SchedOps.h.inc"

namespace cedilla::sched {

/// Bytes of a buffer type with `maxRows` in place of a dynamic first dim.
uint64_t getBufferBytes(mlir::MemRefType type, int64_t maxRows);

} // namespace cedilla::sched
