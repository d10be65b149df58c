//===- Select.h - top-k entries and candidate blocks -------------------------------------------------===//
//
// ced.topk and ced.candidate_blocks, one block per row, both by tile.select_topk. Block maxima go through
// a scratch row in memory first. Class "phase": a row's choice depends on its scores alone.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class SelectFamily : public Family {
public:
  mlir::StringRef name() const override { return "select"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  /// candidate_blocks: the maximum of every block of a row, bf16.
  llvm::SmallVector<mlir::MemRefType> scratch(mlir::Block &body, const Limits &limits) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
