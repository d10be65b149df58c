//===- Mix.h - hyper-connections: expand, mixing coefficients, post -----------------------------------===//
//
// One op a kernel: ced.hc_expand copies a row to all streams, ced.hc_mix computes the coefficients of a
// sublayer, ced.hc_post mixes its output in. (ced.hc_collapse begins norm_cast's chains.) Everything is
// f32 inside, every sum runs in an order that knows only n and d.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/KernelBuilder.h"

namespace cedilla {

/// What is asked, read from the body of a sched.kernel.
struct MixProblem {
  mlir::Operation *op = nullptr;
  int64_t streams = 0; ///< n
  int64_t cols = 0;    ///< d

  int64_t outputs() const { return 2 * streams + streams * streams; } ///< of hc_mix

  // hc_mix in two phases: K in slices, each a part of one stream, and what follows from their sums.
  static constexpr int64_t sliceCols = 256;
  int64_t slicesPerStream() const { return ceilDiv(cols, sliceCols); }
  int64_t slices() const { return streams * slicesPerStream(); }
};

class MixFamily : public Family {
public:
  mlir::StringRef name() const override { return "mix"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  llvm::SmallVector<mlir::MemRefType> scratch(mlir::Block &body, const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches.
MixProblem readMixProblem(mlir::Block &body);

/// The bodies; `k` has the grid that MixFamily::build gives them.
void buildExpand(KernelBuilder &k, const MixProblem &problem);
void buildCoefficients(KernelBuilder &k, const MixProblem &problem, sched::KernelOp kernel);
/// The same as two kernels: sums of slices to scratch [T, slices, outputs + 1], then the rest for a row a block.
void buildSliceSums(KernelBuilder &k, const MixProblem &problem, sched::KernelOp kernel);
void buildFromSums(KernelBuilder &k, const MixProblem &problem, sched::KernelOp kernel);
void buildPost(KernelBuilder &k, const MixProblem &problem, int64_t blockCols);

} // namespace cedilla
