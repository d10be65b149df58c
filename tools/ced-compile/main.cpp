//===- main.cpp - ced-compile: a model directory in, a package out ------------------------------------===//

#include "compiler/Pipeline.h"
#include "runtime/base/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace cedilla;
namespace cl = llvm::cl;

static cl::OptionCategory category("ced-compile options");
static cl::opt<std::string> input(cl::Positional, cl::Required, cl::cat(category),
                                  cl::desc("<model-dir | config.json | IR file with --from>"));
static cl::opt<std::string> output("o", cl::cat(category), cl::value_desc("file.ced"),
                                   cl::desc("package to write; IR with --to ('-': standard output)"));
static cl::opt<std::string> target("target", cl::cat(category), cl::init("x86"), cl::desc("back end, as name or name:chip; several with commas: a device takes the first it can run"));
static cl::opt<std::string> schedule("schedule", cl::cat(category), cl::init("auto"),
                                     cl::desc("auto, split (one kernel per group), or a file written by --to=schedule"));
static cl::opt<int64_t> maxContext("max-context", cl::cat(category), cl::init(0),
                                   cl::desc("tokens of the longest sequence (default: 4096, or all the model allows)"));
static cl::opt<int64_t> maxBatch("max-batch", cl::cat(category), cl::init(8), cl::desc("sequences at a time"));
static cl::opt<int64_t> maxRows("max-rows", cl::cat(category), cl::init(256),
                                cl::desc("rows of one step; longer prompts run in chunks"));
static cl::opt<std::string> to("to", cl::cat(category), cl::value_desc("phase"), cl::desc("stop after this phase and write its IR"));
static cl::opt<std::string> from("from", cl::cat(category), cl::value_desc("phase"), cl::desc("read the IR this phase takes and go on"));

/// "x86,nvptx:sm_90a"
static std::vector<TargetChoice> readTargets(llvm::StringRef text) {
  std::vector<TargetChoice> targets;
  for (llvm::StringRef each : llvm::split(text, ',')) {
    auto [name, chip] = each.split(':');
    targets.push_back({name.str(), chip.str()});
  }
  return targets;
}

/// The command line as options of the compiler.
static CompileOptions readOptions() {
  CompileOptions options;
  options.input = input;
  options.output = output;
  options.targets = readTargets(target);
  options.from = from;
  options.to = to;
  options.graph.maxContext = maxContext;
  options.graph.maxBatch = maxBatch;
  options.graph.maxRows = maxRows;
  if (schedule == "paper")
    fail("--schedule: expected auto, split or a file; the paper schedule is not built yet");
  options.schedule = schedule == "split" ? "split" : "auto";
  if (schedule != "auto" && schedule != "split") {
    if (!options.from.empty())
      fail("--schedule and --from cannot both name a file");
    options.input = schedule;
    options.from = "tile";
  }
  return options;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  // A wrong command line is a user's mistake: exit code 2, like every other one.
  if (!cl::ParseCommandLineOptions(argc, argv, "ced-compile: compile a model to a package\n", &llvm::errs()))
    return 2;
  try {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    mlir::MLIRContext context(registry);
    compile(context, readOptions());
    return 0;
  } catch (const Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return static_cast<int>(error.status());
  }
}
