//===- Watch.cpp - runs passes and keeps book of them ------------------------------------------------------===//

#include "compiler/watch/Watch.h"

#include "runtime/io/OutputFile.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <span>

using namespace mlir;

namespace cedilla {

static Watch *watching = nullptr;

Watch *currentWatch() { return watching; }

/// Of this thread: the pass it is in. A crash is reported by the thread that crashes.
static thread_local StringRef runningPass;

/// Which pass runs, and which failed. Adaptors, which run other passes, have no name.
struct Watch::Recorder : PassInstrumentation {
  Recorder(Watch &watch, Run &run) : watch(watch), run(run) {}
  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      runningPass = pass->getArgument();
  }
  void runAfterPass(Pass *, Operation *) override { runningPass = ""; }
  void runAfterPassFailed(Pass *pass, Operation *) override {
    runningPass = "";
    if (pass->getArgument().empty())
      return;
    std::lock_guard lock(watch.mutex);
    run.failedPass = pass->getArgument().str();
  }
  Watch &watch;
  Run &run;
};

//===------------------------------------------------------------------------------------------===//
// Phases
//===------------------------------------------------------------------------------------------===//

void Watch::enter(size_t newNumber, StringRef newPhase, StringRef newVariant) {
  number = newNumber, phase = newPhase.str(), variant = newVariant.str();
  std::lock_guard lock(mutex);
  folders = 0;
  runs.clear();
  phaseTime.stop();
  phaseTime = allTime.nest((newPhase + (newVariant.empty() ? "" : " ") + newVariant).str());
}

void Watch::leave(ModuleOp module) {
  phaseTime.stop();
  if (module && dumps())
    dump(module);
}

std::string Watch::phaseName() const {
  std::string name = std::to_string(number) + "-" + phase;
  if (!variant.empty())
    name += "." + variant;
  llvm::replace(name, ':', '_');
  return name;
}

void Watch::dump(ModuleOp module) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags; // as --to=<phase> does
  if (phase == "fuse")
    flags.enableDebugInfo();
  module->print(stream, flags);
  text += "\n";
  OutputFile file((std::filesystem::path(options.dumpFolder) / (phaseName() + ".mlir")).string());
  file.write(std::as_bytes(std::span(text)));
  file.keep();
}

//===------------------------------------------------------------------------------------------===//
// Passes
//===------------------------------------------------------------------------------------------===//

/// A new one for each run of a pass manager, "<folder>/3-tile/00".
std::string Watch::folderOfRun() {
  std::lock_guard lock(mutex);
  std::string name = (folders < 10 ? "0" : "") + std::to_string(folders);
  ++folders;
  std::filesystem::path folder = std::filesystem::path(options.dumpFolder) / phaseName() / name;
  std::filesystem::create_directories(folder);
  return folder.string();
}

LogicalResult Watch::run(PassManager &passes, ModuleOp module, bool quietly) {
  Run *here;
  {
    std::lock_guard lock(mutex);
    here = &runs[std::this_thread::get_id()];
    *here = Run{module.clone(), {}, {}};
    llvm::raw_string_ostream stream(here->pipeline);
    passes.printAsTextualPipeline(stream);
  }
  passes.addInstrumentation(std::make_unique<Recorder>(*this, *here));
  TimingScope time;
  if (!quietly && options.timing)
    passes.enableTiming(time = phaseTime.nest("passes"));
  std::string folder; // outlives the passes
  if (!quietly && options.dumpPasses) {
    folder = folderOfRun();
    passes.enableIRPrintingToFileTree([](Pass *, Operation *) { return false; }, [](Pass *, Operation *) { return true; },
                                      /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/true,
                                      /*printAfterOnlyOnFailure=*/false, folder);
  }
  return passes.run(module);
}

void Watch::endRun(bool failed) {
  std::lock_guard lock(mutex);
  auto found = runs.find(std::this_thread::get_id());
  if (found == runs.end())
    return;
  if (failed && failedText.empty())
    failedPlace = placeOf(&found->second), failedText = textOf(found->second);
  runs.erase(found);
}

LogicalResult runWatched(PassManager &passes, ModuleOp module, bool quietly) {
  return watching ? watching->run(passes, module, quietly) : passes.run(module);
}

void endWatchedRun(bool failed) {
  if (watching)
    watching->endRun(failed);
}

TimingScope timeWatched(StringRef what) { return watching ? watching->time(what) : TimingScope(); }

//===------------------------------------------------------------------------------------------===//
// Its life
//===------------------------------------------------------------------------------------------===//

Watch::Watch(MLIRContext &context, WatchOptions given) : context(context), options(std::move(given)) {
  assert(!watching && "one compile is watched at a time");
  watching = this;
  times.setEnabled(options.timing);
  allTime = times.getRootScope();
  if (dumps())
    std::filesystem::create_directories(options.dumpFolder);
  // Files are numbered in the order of passes.
  if (options.dumpPasses)
    context.disableMultithreading();
  static bool handled = false; // for good: LLVM has no way to take a handler back
  if (!handled)
    llvm::sys::AddSignalHandler(onCrash, nullptr);
  handled = true;
}

Watch::~Watch() {
  phaseTime.stop();
  allTime.stop();
  watching = nullptr;
}

void Watch::onCrash(void *) {
  Watch *watch = std::exchange(watching, nullptr); // a crash in here is not watched
  if (!watch)
    return;
  std::string why, file = watch->writeReproducer("crashed", why);
  llvm::errs() << "error: internal: crash in " << watch->place();
  if (!file.empty())
    llvm::errs() << "; reproducer: " << file << " (ced-opt --run-reproducer)";
  llvm::errs() << "\n";
}

Watch::Run *Watch::runHere() {
  // Passes on functions run on threads of the context, for the one that waits for them.
  auto found = runs.find(std::this_thread::get_id());
  return found != runs.end() ? &found->second : runs.empty() ? nullptr : &runs.begin()->second;
}

std::string Watch::placeOf(const Run *run) const {
  std::string pass = !runningPass.empty() ? runningPass.str() : run ? run->failedPass : "";
  return "the " + phase + " phase" + (pass.empty() ? "" : ", pass '" + pass + "'");
}

std::string Watch::place() { return failedPlace.empty() ? placeOf(runHere()) : failedPlace; }

} // namespace cedilla
