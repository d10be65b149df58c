//===- IndexScores.h - score of every cache entry for every row ------------------------------------===//
//
// A row's entries are dealt to `splits` blocks. Without a pool each takes every splits-th stretch of 64
// entries: scores up to the visible ones, -inf behind them. With a pool the row's list of pool blocks is
// dealt out instead, so that the work follows the pool and not the context: a block scores the entries of
// its pool blocks and writes -inf between each of them and the next. Every element has one writer.
//
// Heads are rows of the score tile, and the sum over them runs down its columns, head after head.
// Class "phase": a score depends on its row and entry alone.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

/// What is asked, read from the body of a sched.kernel.
struct IndexScoresProblem {
  ced::IndexScoresOp op;
  int64_t heads = 0;
  int64_t entries = 0;   ///< width of a row of scores
  int64_t pool = 0;      ///< slots of the pool's list; 0: all entries are scored
  int64_t blockSize = 0; ///< entries of a pool block

  ced::PagedType keys() { return op.getKeys().getType(); }
};

class IndexScoresFamily : public Family {
public:
  mlir::StringRef name() const override { return "index_scores"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches.
IndexScoresProblem readIndexScoresProblem(mlir::Block &body);

} // namespace cedilla
