//===- Gather.h - gather: attention's sources as bf16 vectors, and one list over them --------------===//
//
// ced.gather_window and ced.gather_paged decode 64 rows of a cache in a block; ced.combine_lists makes the list of a
// row in a block. Nothing is summed.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class GatherFamily : public Family {
public:
  mlir::StringRef name() const override { return "gather"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
