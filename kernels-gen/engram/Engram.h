//===- Engram.h - hashed n-gram rows: numbers, lookup, injection ------------------------------------------===//
//
// One op a kernel: ced.engram_rows (row numbers, and the history of each sequence), ced.engram_lookup and
// ced.engram_inject. The first is integers alone; row numbers are 64-bit throughout.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/KernelBuilder.h"

namespace cedilla {

class EngramFamily : public Family {
public:
  mlir::StringRef name() const override { return "engram"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The bodies. Grids: one block a row; column x row; stream x row.
void buildEngramRows(KernelBuilder &k, ced::EngramRowsOp op);
void buildEngramLookup(KernelBuilder &k, ced::EngramLookupOp op);
void buildEngramInject(KernelBuilder &k, ced::EngramInjectOp op);

} // namespace cedilla
