//===- main.cpp - ced-test-watch: passes that fail or crash while somebody watches ----------------------===//
//
//   ced-test-watch <file.mlir> <pipeline> <reproducer>
//
// Runs the pipeline on the file as the tile phase does its own. Knows a pass more than the compiler: test-crash.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"
#include "compiler/watch/Watch.h"
#include "runtime/base/Program.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"

#include <cstdlib>

using namespace mlir;
using namespace cedilla;

namespace {
struct CrashPass : PassWrapper<CrashPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashPass)
  StringRef getArgument() const override { return "test-crash"; }
  void runOnOperation() override { std::abort(); }
};
} // namespace

static int run(const char *file, const char *pipeline, const char *reproducer) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  registerCompilerPasses();
  registerTransformsPasses();
  PassRegistration<CrashPass>();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  PassManager passes(&context);
  if (!module || failed(parsePassPipeline(pipeline, passes)))
    fail(Err::Unnumbered, "expected IR and a pipeline");
  WatchOptions options;
  options.reproducer = reproducer, options.command = "ced-test-watch";
  Watch watch(context, options);
  watch.enter(3, "tile", "");
  if (succeeded(runWatched(passes, *module)))
    return 0;
  std::string why, left = watch.writeReproducer("a pass failed", why);
  fail(Err::Unnumbered, watch.place(), "; reproducer: ", left.empty() ? why : left);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return runProgram([&] {
    if (argc != 4)
      fail(Err::Unnumbered, "usage: ced-test-watch <file.mlir> <pipeline> <reproducer>");
    return run(argv[1], argv[2], argv[3]);
  });
}
