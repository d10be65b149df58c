//===- Embed.h - rows of the embedding table --------------------------------------------------------------===//
//
// One ced.embed a kernel, one block a row. An id outside the table reads row 0, as the op says: padding
// rows may carry anything.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class EmbedFamily : public Family {
public:
  mlir::StringRef name() const override { return "embed"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
