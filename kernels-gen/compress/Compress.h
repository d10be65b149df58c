//===- Compress.h - gated pooling of token groups --------------------------------------------------===//
//
// The kernel reads the open groups of earlier steps and writes those that this step leaves open, in the
// same memory. What makes that safe: blocks own channels, and nothing else. A block walks all rows of the
// step in ascending order, so of one sequence it has read the old group (at the row that closes it) before
// it comes to the rows that it leaves open, and no other block touches its channels.
//
// Class "phase": a group is summed oldest token first, wherever its tokens come from.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class CompressFamily : public Family {
public:
  mlir::StringRef name() const override { return "compress"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
