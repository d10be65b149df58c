//===- Family.h - what a kernel family is --------------------------------------------------------===//
//
// A family builds the kernels of one kind of group. It reads in the order problem -> candidates ->
// cost -> config -> body; choosing and building are separate. A family is a folder beside this one and
// one line in Families.cpp. The problem is the body of the `sched.kernel`: ops and types say it all.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/sched/Sched.h"
#include "dialects/tile/Tile.h"
#include "kernels-gen/common/Chip.h"
#include "kernels-gen/common/Signature.h"

#include <string>

namespace cedilla {

/// A config that could be used, or why it cannot.
struct Candidate {
  mlir::DictionaryAttr config;
  double cost = 0;       ///< predicted seconds for one step at the limits; only for comparing
  std::string rejection; ///< empty: usable
};

class Family {
public:
  virtual ~Family() = default;
  virtual mlir::StringRef name() const = 0;
  /// Whether the family can build this body; otherwise `reason` says what it lacks.
  virtual bool match(mlir::Block &body, std::string &reason) const = 0;
  /// Memory that a kernel of this body needs for itself: workspace buffers behind the body's results. A
  /// dynamic first dim is the step's rows.
  virtual llvm::SmallVector<mlir::MemRefType> scratch(mlir::Block &body, const Limits &limits) const { return {}; }
  /// Configs for a chip, usable ones and rejected ones. Default: the one empty config.
  virtual llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                                  const Limits &limits) const;
  /// Builds the tile.kernel of the same name at the builder's insertion point from the problem and its
  /// `config`. Emits a diagnostic when it cannot.
  virtual mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                                const Limits &limits) const = 0;
};

/// The config {name = value, ..}, all i64.
mlir::DictionaryAttr makeConfig(mlir::MLIRContext *context,
                                llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> members);

/// All families, in the order in which they are asked.
llvm::ArrayRef<const Family *> families();
const Family *findFamily(mlir::StringRef name);

} // namespace cedilla
