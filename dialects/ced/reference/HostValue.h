//===- HostValue.h - what an MLIR value of a ced function is while it is interpreted --------------===//
//
// The relation of such values (a variant, in Array.h) to ced and tensor types: does a value fit a type, a
// zeroed cache of a type, a weight of a type from a checkpoint.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"
#include "dialects/ced/reference/Array.h"
#include "runtime/io/Safetensors.h"

#include <string>

namespace cedilla::reference {

ScaledFormat formatOf(ced::ScaledType type);

/// Empty when the value is one of the type; else what was expected and found. Dynamic dims fit any size.
std::string mismatch(mlir::Type type, const HostValue &value);

/// A zeroed cache or state of `slots` sequences; paged caches have `pages` pages.
HostValue zeroState(mlir::Type type, int64_t slots, int64_t pages);

/// The op's tensors, stacked when there are several. Fails, naming the tensor, when one is missing or has
/// another shape or dtype.
HostValue loadWeight(ced::WeightOp op, const Checkpoint &checkpoint);

} // namespace cedilla::reference
