//===- Route.h - the router: k experts and their weights ----------------------------------------------===//
//
// Rows of logits are tiles; the k best experts are taken one after the other. Class "phase": a row is
// routed by its own logits.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

class RouteFamily : public Family {
public:
  mlir::StringRef name() const override { return "route"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

} // namespace cedilla
