//===- Experts.h - routed experts, SwiGLU, combine -----------------------------------------------------===//
//
// A slot is one choice of one row, number row * k + choice. A block of expert_up / expert_down belongs to
// one expert and a share of its output columns: it looks through the ids for the slots that chose its
// expert, takes `block_m` of them at a time as rows of the product, and decodes each weight once for all.
// An expert that nobody chose costs one look at the ids.
//
// swiglu and combine are elementwise; combine adds a row's experts in increasing id.
//
// Class "batch": sums run over K in increasing blocks, whatever rows share the tile.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

/// What is asked by ced.expert_up or ced.expert_down.
struct ExpertProblem {
  mlir::Operation *op = nullptr;
  mlir::Value x, ids, out;
  mlir::Value routing;                     ///< weights of the slots; null: none
  llvm::SmallVector<mlir::Value, 2> w;     ///< w1 and w3, or w2
  int64_t experts = 0, n = 0, k = 0;       ///< of the weights [experts, n, k]
  int64_t choices = 0;                     ///< slots of a row
  bool xPerSlot = false;                   ///< x has a row for each slot, not for each row
  double limit = 0;
};

class ExpertsFamily : public Family {
public:
  mlir::StringRef name() const override { return "experts"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  /// Of a product: numbers of all slots by expert, i32 [T, choices].
  llvm::SmallVector<mlir::MemRefType> scratch(mlir::Block &body, const Limits &limits) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches and holds a product.
ExpertProblem readExpertProblem(mlir::Block &body);

class Scalars;

/// silu(gate) * up on f32 scalars, with the clamps of `limit` (0: none).
mlir::Value clampedSwiglu(Scalars &s, mlir::Value gate, mlir::Value up, double limit);

mlir::FailureOr<tile::KernelOp> buildExpertProduct(mlir::OpBuilder &builder, sched::KernelOp kernel, const Limits &limits);
mlir::FailureOr<tile::KernelOp> buildSwiglu(mlir::OpBuilder &builder, sched::KernelOp kernel, const Limits &limits);
mlir::FailureOr<tile::KernelOp> buildCombine(mlir::OpBuilder &builder, sched::KernelOp kernel, const Limits &limits);

} // namespace cedilla
