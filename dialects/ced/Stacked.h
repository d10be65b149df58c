//===- Stacked.h - weights of several tensors --------------------------------------------------------===//
//
// Tensors of a ced.weight with several names lie one behind the other along a new first dim. One name may be all there
// is of such a list (a layer with one expert): the op then has the unit attribute `ced.stacked`, because its first dim of 1
// is not the tensor's.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/Ced.h"

namespace cedilla::ced {

inline constexpr llvm::StringLiteral stackedAttr = "ced.stacked";

/// Whether the weight has a first dim that its tensors have not.
inline bool isStacked(WeightOp weight) { return weight.getNames().size() > 1 || weight->hasAttr(stackedAttr); }

} // namespace cedilla::ced
