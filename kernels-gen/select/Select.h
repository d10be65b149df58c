//===- Select.h - top-k entries, block maxima and candidate blocks -----------------------------------===//
//
// ced.topk and ced.candidate_blocks, one block of the grid per row, both by tile.select_topk; ced.block_max, a few hundred maxima
// per block of the grid. Class "phase": a row's choice depends on its scores alone.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class SelectFamily : public Family {
public:
  mlir::StringRef name() const override { return "select"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
