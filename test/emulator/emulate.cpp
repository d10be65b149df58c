//===- emulate.cpp - ced-emulate: a whole model on the emulator -------------------------------===//
//
//   ced-emulate compile <model-dir> <package> [max-rows [schedule]]   as ced-compile --target=nvptx, but with LLVM IR
//     in place of cubins
//   ced-emulate <package> ..                              as ced-run, on the emulator
//
// CEDILLA_RACECHECK=1 turns the race check on. Memory is poisoned as with CEDILLA_POISON, and pages are handed out from the last
// one down; not with --record and --compare, because the interpreter that follows begins with zeroes and has pages in order.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"
#include "runtime/base/Error.h"
#include "runtime/debug/Watch.h"
#include "runtime/driver/Main.h"
#include "runtime/session/PackageEngine.h"
#include "test/emulator/Emulator.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <string_view>

using namespace cedilla;

static int compileModel(int argc, char **argv) {
  if (argc < 4)
    fail(Err::Unnumbered, "usage: ced-emulate compile <model-dir> <package> [max-rows [schedule]]");
  CompileOptions options;
  options.input = argv[2];
  options.output = argv[3];
  options.targets = {{"nvptx", ""}};
  options.backEnd = &emulator::emulatedNvptx();
  if (argc > 4)
    if (llvm::StringRef(argv[4]).getAsInteger(10, options.graph.maxRows) || options.graph.maxRows < 1)
      fail(Err::Unnumbered, "max-rows: expected a number of at least 1, got '", argv[4], "'");
  if (argc > 5)
    options.schedule = argv[5];
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  compile(context, options);
  return 0;
}

static debug::Watch watch;

static std::unique_ptr<Engine> makeEngine(const EngineRequest &request) {
  emulator::options().racecheck = std::getenv("CEDILLA_RACECHECK") != nullptr;
  EngineOptions options;
  options.poison = request.record.empty(); // an interpreter that follows begins with zeroes
  options.pagesFromTop = request.record.empty(); // the interpreter, which may follow, has pages in order
  options.checkEachKernel = request.check;
  auto package = std::make_shared<const Package>(request.package);
  auto engine = std::make_unique<PackageEngine>(std::move(package), Device(emulator::emulatorDevice, {}), request.modelDir, options);
  return watch.around(std::move(engine), request.check, request.record);
}

int main(int argc, char **argv) {
  try {
    if (argc > 1 && std::string_view(argv[1]) == "compile")
      return compileModel(argc, argv);
  } catch (const Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return static_cast<int>(error.status());
  }
  return watch.finish(driverMain(argc, argv, makeEngine));
}
