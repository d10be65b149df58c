//===- Family.cpp - defaults of a family -----------------------------------------------------------===//

#include "kernels-gen/common/Family.h"

using namespace mlir;
using namespace cedilla;

SmallVector<Candidate> Family::candidates(sched::KernelOp problem, const Chip &, const Limits &) const {
  Candidate only;
  only.config = DictionaryAttr::get(problem.getContext());
  return {only};
}

DictionaryAttr cedilla::makeConfig(MLIRContext *context, ArrayRef<std::pair<StringRef, int64_t>> members) {
  Builder b(context);
  SmallVector<NamedAttribute> attributes;
  for (auto [name, value] : members)
    attributes.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  return b.getDictionaryAttr(attributes);
}
