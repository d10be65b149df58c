//===- TwinEngine.h - two engines of one model in step, kernel by kernel --------------------------===//

#pragma once

#include "runtime/session/PackageEngine.h"
#include "runtime/twin/TwinReport.h"

namespace cedilla::twin {

/// Behaves like `right`, whose results it gives, and compares every dispatch of `tried` with it.
class TwinEngine final : public Engine {
public:
  /// Fails when the two do not run the same list of dispatches on the same buffers.
  TwinEngine(std::unique_ptr<PackageEngine> tried, std::unique_ptr<PackageEngine> right,
             std::shared_ptr<TwinReport> report);

  const ModelFacts &facts() const override { return right->facts(); }
  void resetSlot(int64_t slot) override;
  void step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &observer = {}) override;
  int64_t pageOf(int64_t slot, int64_t n) const override { return right->pageOf(slot, n); }
  std::vector<StateView> states() override { return right->states(); }
  std::vector<StateView> stateShapes() override { return right->stateShapes(); }

private:
  using Bytes = std::vector<std::byte>;
  /// An operand of a dispatch on both sides.
  struct Operand {
    size_t tried, right; ///< index of the buffer
    const BufferInfo *info;
  };
  std::vector<Operand> operandsOf(const StepInfo &tried, const StepInfo &right) const;
  void runBoth(size_t index, bool decode, const StepRows &rows);
  /// Picks of `tried` from scores of its own, with the right ones given.
  void comparePicks(size_t index, bool decode, int64_t rows, std::span<const Operand> operands,
                    std::span<const Bytes> before, std::span<const Bytes> after, Entry &entry);

  std::unique_ptr<PackageEngine> tried, right;
  std::shared_ptr<TwinReport> report;
  std::map<size_t, Bytes> own; ///< what `tried` wrote in this step, by its buffer
};

} // namespace cedilla::twin
