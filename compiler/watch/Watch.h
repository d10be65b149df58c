//===- Watch.h - what a compile leaves for those who look into it -----------------------------------------===//
//
// A compile that is watched can say where its time went, write its IR behind every phase and pass, and leaves a reproducer
// when it fails by a fault of ours: the IR as it was ahead of the passes that failed, and those passes, in one file that
// `ced-opt --run-reproducer` runs again. Phases and back ends run their passes through `runWatched`, on any thread; where
// nobody watches that is all it does.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"

#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace cedilla {

struct WatchOptions {
  std::string reproducer;  ///< the file that a failed compile leaves
  std::string command;     ///< the command line, for its head
  std::string dumpFolder;  ///< one file of IR per phase; empty: none
  bool dumpPasses = false; ///< and one per pass, in a folder per phase
  bool timing = false;     ///< report to standard error at the end
};

/// Watches what runs in this process while it lives. There is one at a time; a crash is watched, too.
class Watch {
public:
  Watch(mlir::MLIRContext &context, WatchOptions options);
  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  /// A phase begins. `variant` tells those apart that run several times, as for several chips; may be empty.
  void enter(size_t number, llvm::StringRef phase, llvm::StringRef variant);
  /// It has ended and left `module`, which may be null.
  void leave(mlir::ModuleOp module);
  bool dumps() const { return !options.dumpFolder.empty(); }

  mlir::LogicalResult run(mlir::PassManager &passes, mlir::ModuleOp module, bool quietly);
  void endRun(bool failed);
  mlir::TimingScope time(llvm::StringRef what) { return phaseTime.nest(what); }

  /// Where it failed: "the tile phase, pass 'tile-build-kernels'"
  std::string place();
  /// Writes it, for an error of that text, and returns the file's name; empty where no IR was there to keep, or with `why` where
  /// it cannot be written.
  std::string writeReproducer(llvm::StringRef error, std::string &why);

private:
  struct Recorder;
  /// One call of a pass manager.
  struct Run {
    mlir::OwningOpRef<mlir::ModuleOp> before;
    std::string pipeline, failedPass;
  };

  void dump(mlir::ModuleOp module) const;
  std::string folderOfRun();
  std::string placeOf(const Run *run) const;
  std::string textOf(Run &run) const; ///< IR and passes
  Run *runHere();                     ///< of this thread, or of one that this one works for; may be null
  std::string phaseName() const;      ///< "3-tile", "1-fuse.x86_avx2"
  static void onCrash(void *);

  mlir::MLIRContext &context;
  WatchOptions options;
  mlir::DefaultTimingManager times;
  mlir::TimingScope allTime, phaseTime;
  size_t number = 0;
  std::string phase, variant;

  std::mutex mutex; ///< of what follows
  size_t folders = 0;       ///< of this phase's passes
  std::map<std::thread::id, Run> runs;
  std::string failedText, failedPlace; ///< of a run whose context is gone
};

/// The one that watches, or null.
Watch *currentWatch();

/// Runs the passes, watched where somebody does. Quietly: only for a reproducer.
mlir::LogicalResult runWatched(mlir::PassManager &passes, mlir::ModuleOp module, bool quietly = false);
/// Ahead of the end of a context that watched passes ran in on this thread: nothing of it is kept, or, where what they are part of
/// has failed, as text.
void endWatchedRun(bool failed);
/// The time until the result is destroyed counts as that of `what`.
mlir::TimingScope timeWatched(llvm::StringRef what);

} // namespace cedilla
