//===- Attention.h - attention over window and selected entries ----------------------------------===//
//
// One block per row and group of heads. The list of a row is walked in blocks of 64 slots, as ced.attention
// says: window slots, then selected entries. Where the window is no multiple of 64 one block holds some of
// both; it is made of two tiles of 64 that share one softmax step. Slots that hold nothing score -inf and
// have a vector of 0. Trailing blocks of either part that hold nothing are left out: they change no bit.
//
// Rotations of the query and of the result happen on the way.
//
// ced.attend is the same over vectors that lie gathered, with a list that says where.
//
// A step of few rows leaves most of a chip idle: there the list is split, each part has its own maximum and sums, and a second
// phase puts them together.
//
// Class "phase": the list, and with it every sum, is the same in every program whose list is not split.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Family.h"

namespace cedilla {

/// What is asked, read from the body of a sched.kernel.
struct AttentionProblem {
  ced::AttentionOp caches; ///< one of the two
  ced::AttendOp gathered;
  ced::RopeOp turnQuery, turnResult; ///< in front of it and behind; may be null
  mlir::Value q, sink, result;       ///< of all
  bool manyRows = false; ///< the step's rows lie beside the ring
  int64_t heads = 0;
  int64_t cols = 0;     ///< of a head
  int64_t window = 0;   ///< window slots of a list
  int64_t selected = 0; ///< slots of the index set; 0 without main KV
  int64_t rowBytes = 0; ///< of a window vector

  static constexpr int64_t blockSlots = 64; ///< slots of a list that share one step of the softmax
  int64_t blocks() const { return (window + selected + blockSlots - 1) / blockSlots; } ///< of a list
  /// Parts of a list in a program for these limits.
  int64_t splits(const Limits &limits) const;
  /// Blocks of each part but the last.
  int64_t blocksPerSplit(const Limits &limits) const { return (blocks() + splits(limits) - 1) / splits(limits); }
};

class AttentionFamily : public Family {
public:
  mlir::StringRef name() const override { return "attention"; }
  bool match(mlir::Block &body, std::string &reason) const override;
  /// Of a split list: the sums of each part, f32 [T, splits, H, D]; its maximum and denominator, f32 [T, splits, H, 2].
  llvm::SmallVector<mlir::MemRefType> scratch(mlir::Block &body, const Limits &limits) const override;
  llvm::SmallVector<Candidate> candidates(sched::KernelOp problem, const Chip &chip,
                                          const Limits &limits) const override;
  mlir::FailureOr<tile::KernelOp> build(mlir::OpBuilder &builder, sched::KernelOp problem,
                                        const Limits &limits) const override;
};

/// The problem of a body that matches.
AttentionProblem readAttentionProblem(mlir::Block &body);

} // namespace cedilla
