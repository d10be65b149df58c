//===- schedule.cpp - `--schedule <file>`: text of a schedule, edited ----------------------------===//
//
// An input is a list of edits, a line each, of the schedule that the compiler writes for a model (CEDILLA_FUZZ_MODEL,
// a config.json; CEDILLA_FUZZ_SCHEDULE, how it is scheduled). The edited text goes where ced-compile reads it: parser,
// verifiers, the comparison with the model, and the tile phase.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"
#include "test/fuzz/Fuzz.h"
#include "test/fuzz/TextEdits.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace cedilla;
using namespace cedilla::fuzz;

static mlir::DialectRegistry &registry() {
  static mlir::DialectRegistry dialects;
  [[maybe_unused]] static bool filled = (registerCompilerDialects(dialects), true);
  return dialects;
}

static std::string fromEnvironment(const char *name) {
  const char *value = std::getenv(name);
  if (!value)
    std::fprintf(stderr, "expected the environment to have %s\n", name), std::exit(1);
  return value;
}

static CompileOptions options(const std::string &schedule, const char *to) {
  CompileOptions options;
  options.input = fromEnvironment("CEDILLA_FUZZ_MODEL");
  options.schedule = schedule, options.to = to;
  return options;
}

/// The text that inputs edit.
static const TextEdits &original() {
  static const TextEdits edits = [] {
    mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
    CompileOptions wanted = options(fromEnvironment("CEDILLA_FUZZ_SCHEDULE"), "schedule");
    wanted.graph.maxBatch = 2, wanted.graph.maxContext = 128;
    std::string text;
    llvm::raw_string_ostream stream(text);
    runPhases(context, wanted)->print(stream);
    return TextEdits(text);
  }();
  return edits;
}

/// Ahead of the first input, whose time is limited.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  original();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Scratch scratch;
  scratch.write("schedule.mlir", original().apply(textOf(data, size)));
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  int errors = 0;
  mlir::ScopedDiagnosticHandler counter(&context, [&](mlir::Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return mlir::success();
  });
  bool explained = true;
  bool accepted = isAccepted([&] {
    try {
      runPhases(context, options(scratch.path("schedule.mlir"), "tile"));
    } catch (const Error &error) {
      explained = errors || !std::strstr(error.what(), "see the message");
      throw;
    }
  });
  if (!explained)
    std::fprintf(stderr, "expected a message that says what is wrong, got none\n"), std::abort();
  if (accepted && errors)
    std::fprintf(stderr, "expected the schedule to be refused after an error, got success\n"), std::abort();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  std::string text = original().mutate(textOf(data, size), seed);
  if (text.size() > maxSize)
    text.clear();
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
