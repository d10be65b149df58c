//===- ReferenceEngine.h - the interpreter as an Engine ------------------------------------------------===//
//
// Holds the caches of all slots as raw bytes in the layouts of StateView and runs @prefill or @decode of a
// ced module for each step. The module comes from import, or from any later phase that is still ced: that
// is how a fused graph is compared with the original.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Interpreter.h"
#include "runtime/engine/StepCheck.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <vector>

namespace cedilla {

class ReferenceEngine final : public Engine {
public:
  /// The module's context must outlive the engine. Fails when the functions are not there or their
  /// arguments are not the step's rows, pages and named caches.
  ReferenceEngine(mlir::OwningOpRef<mlir::ModuleOp> module, ModelFacts facts,
                  std::shared_ptr<const Checkpoint> checkpoint);
  ReferenceEngine(const ReferenceEngine &) = delete;

  const ModelFacts &facts() const override { return modelFacts; }
  void resetSlot(int64_t slot) override;
  /// A step that fails leaves the caches as they were.
  void step(const StepRows &rows, bool decode, std::span<float> logits,
            const Observer &observer = {}) override;
  int64_t pageOf(int64_t slot, int64_t n) const override {
    return slot * modelFacts.pagesPerSlot() + n;
  }
  std::vector<StateView> states() override;

  // For looking at single ops (tools/ced-reference).

  mlir::func::FuncOp program(bool wantsDecode) const { return wantsDecode ? decode : prefill; }
  /// `watcher` is called behind each op of a step.
  void watch(std::function<void(mlir::Operation *, reference::Frame &)> watcher) { after = std::move(watcher); }
  /// A cache or state as the step under way found it.
  const reference::HostValue &stateBefore(llvm::StringRef name) const;

private:
  struct State {
    std::string name;
    mlir::Type type;
    reference::HostValue value;
  };
  mlir::func::FuncOp findProgram(llvm::StringRef name);
  void checkProgram(mlir::func::FuncOp function) const;
  const reference::HostValue &weight(ced::WeightOp op);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelFacts modelFacts;
  std::shared_ptr<const Checkpoint> checkpoint;
  StepCheck check;
  mlir::func::FuncOp prefill, decode;
  std::vector<State> state;
  std::function<void(mlir::Operation *, reference::Frame &)> after;
  reference::Array<int32_t> pages;
  /// Both programs name the same tensors; attributes are unique per context.
  llvm::DenseMap<mlir::Attribute, reference::HostValue> weights;
};

} // namespace cedilla
