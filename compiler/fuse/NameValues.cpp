//===- NameValues.cpp - give every op of an imported function its name -----------------------------===//
//
// Ahead of all fusion. The names (dialects/ced/ValueNames.h) stay in locations, so no text of the IR changes; the
// schedule phase writes them on the buffers that hold the values.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/fuse/Passes.h"

#include "dialects/ced/ValueNames.h"

namespace cedilla {
#define GEN_PASS_DEF_CEDNAMEVALUES
#include "compiler/fuse/Passes.h.inc"
} // namespace cedilla

namespace {
struct NameValues : cedilla::impl::CedNameValuesBase<NameValues> {
  void runOnOperation() override {
    for (const auto &[op, name] : cedilla::ced::nameOps(getOperation()))
      cedilla::ced::setName(op, name);
  }
};
} // namespace
