//===- Reproducer.cpp - the file that a failed compile leaves ---------------------------------------------===//

#include "compiler/watch/Watch.h"

#include "runtime/base/Program.h"
#include "runtime/io/OutputFile.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

#include <span>

using namespace mlir;

namespace cedilla {

/// Text that may hold several lines, as one comment.
static std::string comment(StringRef text) { return "// " + printable(text.str()) + "\n"; }

/// IR, with the pipeline where --run-reproducer looks for it.
std::string Watch::textOf(Run &run) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ModuleOp module = run.before.get();
  AsmState state(module.getOperation());
  state.attachResourcePrinter("mlir_reproducer", [&](Operation *, AsmResourceBuilder &builder) {
    builder.buildString("pipeline", run.pipeline);
    builder.buildBool("disable_threading", true);
    builder.buildBool("verify_each", true);
  });
  module->print(stream, state);
  return text + "\n";
}

/// Takes no lock: it is asked for at the end, or by a thread that has crashed and may hold it.
std::string Watch::writeReproducer(StringRef error, std::string &why) {
  Run *run = runHere();
  if (options.reproducer.empty() || (failedText.empty() && !run))
    return "";
  try {
    std::string text = "// ced-compile " CEDILLA_VERSION ", LLVM " LLVM_VERSION_STRING ": " + place() + "\n";
    text += comment(error) + comment("command: " + options.command) + comment("again: ced-opt --run-reproducer " + options.reproducer);
    text += failedText.empty() ? textOf(*run) : failedText;
    OutputFile file(options.reproducer);
    file.write(std::as_bytes(std::span(text)));
    file.keep();
    return options.reproducer;
  } catch (...) {
    why = currentError().what();
    return "";
  }
}

} // namespace cedilla
