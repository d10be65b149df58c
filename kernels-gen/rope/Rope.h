//===- Rope.h - rotary position embedding --------------------------------------------------------------===//
//
// One ced.rope a kernel. A tile is one row of [T,D], or some heads of one row of [T,H,D]: all its rows turn
// by the same angles, which are made once per tile from the position and a constant table of frequencies.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

/// What is asked, read from the body of a sched.kernel.
struct RopeProblem {
  ced::RopeOp op;
  int64_t heads = 0; ///< H of [T,H,D]; 0 for [T,D]
  int64_t cols = 0;  ///< D
};

class RopeFamily : public Family {
public:
  mlir::StringRef name() const override { return "rope"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches.
RopeProblem readRopeProblem(mlir::Block &body);

} // namespace cedilla
