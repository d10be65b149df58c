//===- NullTarget.cpp - the back end that only lists kernels ----------------------------------===//
//
// The smallest complete back end, to copy: no passes, and an image that is a text with one kernel
// name a line. A package built with it can be inspected everywhere and run on the null device.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/null/NullTarget.h"

#include "dialects/sched/Sched.h"
#include "dialects/tile/Tile.h"

using namespace mlir;
using namespace cedilla;

namespace {
class NullTarget : public Target {
public:
  StringRef name() const override { return "null"; }
  StringRef defaultChip() const override { return "none"; }
  std::vector<std::string> chips() const override { return {"none"}; }
  void buildPipeline(OpPassManager &, StringRef) const override {}
  void buildChecks(OpPassManager &, StringRef) const override {}

  FailureOr<CompiledImage> emit(ModuleOp module, StringRef chip) const override {
    CompiledImage image;
    image.target = name().str();
    image.chip = chip.str();
    for (Operation &op : *module.getBody()) {
      if (!isa<tile::KernelOp, sched::PhasesOp>(op))
        continue;
      StringRef symbol = SymbolTable::getSymbolName(&op);
      image.bytes.insert(image.bytes.end(), symbol.begin(), symbol.end());
      image.bytes.push_back('\n');
      image.kernels.push_back({symbol.str(), symbol.str()});
    }
    return image;
  }
};
} // namespace

const Target &cedilla::nullTarget() {
  static const NullTarget target;
  return target;
}
