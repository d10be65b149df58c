//===- NormCast.h - row-wise chains: collapse, norm, quantise ---------------------------------------===//
//
// Any sequence of ced.hc_collapse, ced.rms_norm, ced.quantize, ced.dequantize and ced.scale on the same
// rows, [T,D] or [T,H,D]. A block holds whole rows in a tile, computes one op after the other on it and
// stores whatever the group yields, intermediate values included. Each row is computed alone, so a row's
// result does not depend on the number of rows.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

/// What is asked, read from the body of a sched.kernel.
struct NormCastProblem {
  int64_t heads = 0;   ///< H of [T,H,D]; 0 for [T,D]
  int64_t cols = 0;    ///< D
  int64_t streams = 0; ///< n of the collapsed stream; 0 without hc_collapse
};

class NormCastFamily : public Family {
public:
  mlir::StringRef name() const override { return "norm_cast"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches.
NormCastProblem readNormCastProblem(mlir::Block &body);

} // namespace cedilla
