//===- Linear.h - matrix products: block-scaled, bf16, grouped -----------------------------------===//
//
// out[t, o] = sum_k x[t, k] w[o, k] for ced.linear, ced.matmul and ced.grouped_linear. Weights are mma's
// A operand (its rows are output channels), activations its B; both are decoded to bf16, which is
// exact, and the f32 sum runs over K in increasing blocks. The accumulator [n, m] is stored transposed.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

/// What is asked, read from the body of a sched.kernel.
struct LinearProblem {
  mlir::Operation *op = nullptr;
  int64_t n = 0;      ///< output channels of one group
  int64_t k = 0;      ///< inputs of one group
  int64_t groups = 1; ///< slices of x's columns, each with its own n rows of w
  bool scaledX = false, scaledW = false;

  mlir::Value x() const { return op->getOperand(0); }
  mlir::Value w() const { return op->getOperand(1); }
  mlir::Value out() const { return op->getResult(0); }
  /// Bytes of weights a step reads.
  int64_t weightBytes() const;
};

class LinearFamily : public Family {
public:
  mlir::StringRef name() const override { return "linear"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches.
LinearProblem readLinearProblem(mlir::Block &body);

} // namespace cedilla
