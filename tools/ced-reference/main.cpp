//===- main.cpp - ced-reference: runs a model with the interpreter ------------------------------------===//
//
// The driver over a ReferenceEngine. `ced-run --reference` starts this program; they share all options.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"
#include "compiler/import/TensorNames.h"
#include "dialects/ced/reference/ReferenceEngine.h"
#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/driver/Main.h"
#include "runtime/driver/Options.h"
#include "tools/ced-reference/Follow.h"

#include "mlir/Parser/Parser.h"

#include <cstdlib>

using namespace cedilla;

/// A hook for tests, kept off the command line: ced IR of a later phase in place of the imported graph, with
/// the limits it was compiled for.
static const char *irFile() {
  const char *path = std::getenv("CEDILLA_REFERENCE_IR");
  return path && *path ? path : nullptr;
}

static mlir::OwningOpRef<mlir::ModuleOp> readModule(mlir::MLIRContext &context, const char *path) {
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(path, &context);
  if (!module)
    fail(Err::IrFile, path, ": expected a module of ced functions");
  return module;
}

/// Nothing is compiled, so the limits are what the work at hand needs.
static GraphOptions limitsFor(const EngineRequest &request) {
  GraphOptions options;
  options.maxRows = request.rows;
  options.maxContext = request.context;
  options.maxBatch = request.batch;
  options.woAFP8 = request.woAFP8;
  return options;
}

static std::unique_ptr<Engine> makeEngine(mlir::MLIRContext &context, const EngineRequest &request) {
  if (!request.package.empty())
    fail(Err::Option, request.package, ": ced-reference runs model directories; use ced-run for a package");
  ModelConfig config = readModelConfig(request.modelDir);
  auto checkpoint = std::make_shared<const Checkpoint>(request.modelDir);
  checkCheckpoint(config, *checkpoint);
  const char *file = irFile();
  auto module =
      file ? readModule(context, file) : buildGraph(context, config, limitsFor(request));
  ModelFacts facts = factsOf(*module);
  return std::make_unique<ReferenceEngine>(std::move(module), std::move(facts),
                                           std::move(checkpoint));
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<ced::CedDialect, mlir::func::FuncDialect>();
  mlir::MLIRContext context(registry);
  if (asksFor("--follow", argc, argv))
    return runProgram([&] {
      Options options = parseOptions(argc, argv);
      return followRecording(context, options.modelDir, options.followPath);
    });
  return driverMain(argc, argv,
                    [&](const EngineRequest &request) { return makeEngine(context, request); });
}
