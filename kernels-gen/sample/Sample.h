//===- Sample.h - from logits to the rows of the next step ------------------------------------------------===//
//
// One op a kernel: ced.sample, one block a row, and ced.single_rows. Class "phase": a row's token depends on
// its logits alone.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class SampleFamily : public Family {
public:
  mlir::StringRef name() const override { return "sample"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  /// `cols`: logits of one pass over a row.
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
