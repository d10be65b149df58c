//===- Targets.cpp - the list of back ends ----------------------------------------------------===//
//
// A back end is one line here: its object and the function that registers its passes.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/Passes.h"
#include "compiler/target/Target.h"
#include "compiler/target/null/NullTarget.h"
#include "compiler/target/nvptx/NvptxTarget.h"
#include "compiler/target/x86/X86Target.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace cedilla {

namespace {
struct Entry {
  const Target &(*target)();
  void (*registerPasses)(); ///< null: it has none
};
} // namespace

static constexpr Entry entries[] = {
    {x86Target, registerX86Passes},
    {nvptxTarget, registerNvptxPasses},
    {nullTarget, nullptr},
};

const Target *findTarget(StringRef name) {
  for (const Entry &entry : entries)
    if (entry.target().name() == name)
      return &entry.target();
  return nullptr;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const Entry &entry : entries)
    names.push_back(entry.target().name().str());
  return names;
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  PassOptions::Option<std::string> chip{
      *this, "chip", llvm::cl::desc("chip; the back end's default when empty"), llvm::cl::init("")};
};
} // namespace

void registerTargetPasses() {
  registerTargetCommonPasses();
  for (const Entry &entry : entries) {
    if (entry.registerPasses)
      entry.registerPasses();
    const Target &target = entry.target();
    PassPipelineRegistration<PipelineOptions>(
        "ced-target-" + target.name().str(),
        "tile.kernel ops to the LLVM dialect for this back end",
        [&target](OpPassManager &passes, const PipelineOptions &options) {
          target.buildPipeline(passes, options.chip.empty() ? target.defaultChip()
                                                            : StringRef(options.chip));
        });
  }
}

} // namespace cedilla
