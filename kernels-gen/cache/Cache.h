//===- Cache.h - writing window rings and paged caches ---------------------------------------------------===//
//
// One ced.append_window or ced.append_paged a kernel, one block a row. A cache row is the codes, then the
// scales, of the row. Every cache row has at most one writer in a step, whatever order blocks run in; rows
// that write nothing store zero elements.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class CacheFamily : public Family {
public:
  mlir::StringRef name() const override { return "cache"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
