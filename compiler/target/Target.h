//===- Target.h - what a back end is ----------------------------------------------------------===//
//
// A back end turns the tile.kernel ops of a module into one native image. It is a folder beside
// this file with a pass pipeline and an emitter, and one line in Targets.cpp.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cedilla {

/// What the runtime must know of one compiled kernel (see KernelInfo in
/// runtime/package/Manifest.h).
struct CompiledKernel {
  std::string name;   ///< the tile.kernel's symbol
  std::string symbol; ///< in the image
  uint64_t codeBytes = 0;
  uint64_t arenaBytes = 0;
  int64_t threads = 0;
  uint64_t sharedBytes = 0;
  bool dependent = false;  ///< may be launched before its predecessor ends: it waits itself
  int64_t registers = 0;   ///< per thread, as the assembler reports; 0 where none does
  uint64_t spillBytes = 0; ///< per thread, as the assembler reports
};

struct CompiledImage {
  std::string target; ///< "x86", "nvptx"
  std::string chip;   ///< "avx2", "sm_90a"
  std::vector<char> bytes;
  std::vector<CompiledKernel> kernels;
  int64_t toolkit = 0; ///< CUDA version of the assembler, 1000 * major + 10 * minor; 0: none
};

/// Attribute of the module that `emit` is given: a file for the text of the assembler, where the target has one.
inline constexpr const char *ptxFileAttr = "nvptx.ptx_file";

/// Of a module whose kernels write down when their blocks begin, have waited and end.
inline constexpr const char *tracePointsAttr = "nvptx.trace_points";

/// Attribute of the module that `emit` is given: locations are lines of a file, and the code is to say which it comes from.
inline constexpr const char *lineInfoAttr = "nvptx.line_info";

class Target {
public:
  virtual ~Target() = default;
  virtual mlir::StringRef name() const = 0;
  virtual mlir::StringRef defaultChip() const = 0;
  /// Chips this back end knows; a chip outside the list is refused by the command line with this
  /// list.
  virtual std::vector<std::string> chips() const = 0;
  /// Says what `emit` needs of this machine and is not there, before anything is compiled; empty: nothing.
  virtual std::string findMissing() const { return {}; }
  /// Passes from tile.kernel ops to the LLVM dialect, for `--to=target` and ced-opt.
  virtual void buildPipeline(mlir::OpPassManager &passes, mlir::StringRef chip) const = 0;
  /// The passes from tile.kernel ops on that may refuse one: what is known of a kernel before code is made of it.
  virtual void buildChecks(mlir::OpPassManager &passes, mlir::StringRef chip) const = 0;
  /// Lowers and emits every tile.kernel of `module` (which is left unchanged). Emits a diagnostic
  /// and fails where a kernel cannot be built.
  virtual mlir::FailureOr<CompiledImage> emit(mlir::ModuleOp module,
                                              mlir::StringRef chip) const = 0;

  // Optional, for code that is made kernel by kernel (EmitParts.h). A target that has no parts makes one image.

  /// Modules of kernels whose code can be made apart from that of all others.
  virtual std::vector<mlir::OwningOpRef<mlir::ModuleOp>> split(mlir::ModuleOp module) const { return {}; }
  /// Code of one of them (which may be changed). Called on several threads, each with a context of its own.
  virtual mlir::FailureOr<CompiledImage> emitPart(mlir::ModuleOp part, mlir::StringRef chip) const { return emit(part, chip); }
  /// The images of a package from the parts of `module`, in their order.
  virtual mlir::FailureOr<std::vector<CompiledImage>> link(mlir::ModuleOp module, mlir::StringRef chip,
                                                           std::vector<CompiledImage> parts) const {
    return parts;
  }
  /// Versions of programs that make code, as far as it depends on them.
  virtual std::string tools() const { return {}; }
};

/// The back end of that name, or null. `targetNames` lists them for messages.
const Target *findTarget(mlir::StringRef name);
std::vector<std::string> targetNames();

} // namespace cedilla
