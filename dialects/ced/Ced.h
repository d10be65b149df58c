//===- Ced.h - the ced dialect: what the model computes ---------------------------------------===//
//
// The one header of the dialect: types, attributes, ops and the few functions that belong to them.
// Nothing here computes a model; that is dialects/ced/reference.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>
#include <vector>

#include "dialects/ced/Real.h"

#include "dialects/ced/CedDialect.h.inc"
#include "dialects/ced/CedEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/ced/CedAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ced/CedTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/ced/CedOps.h.inc"

namespace cedilla::ced {

/// Rotation per position of each of the `dim / 2` pairs, every step in f32 as `#ced.rope` describes it.
/// Kernels take these values as a constant table: two power functions may differ by 2 ulp, and at position
/// 1M that is 3e-2 in a cosine.
void ropeFrequencies(RopeAttr rope, std::vector<float> &frequencies);

} // namespace cedilla::ced
