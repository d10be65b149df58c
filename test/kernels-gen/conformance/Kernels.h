//===- Kernels.h - a function as compiled kernels on a device ---------------------------------------------===//
//
// Groups of the function become kernels exactly as in a compile (fuse, limits, configs, families, back
// end); the dispatches are run one after the other. Every value has memory of its own between guard
// bytes, and what no kernel wrote is NaN.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/Target.h"
#include "dialects/ced/reference/HostValue.h"
#include "kernels-gen/common/Signature.h"
#include "runtime/device/Device.h"
#include "test/kernels-gen/conformance/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace cedilla::conformance {

class Kernels {
public:
  /// Compiles a clone of `function`; throws when it cannot be compiled (diagnostics have been printed).
  Kernels(mlir::func::FuncOp function, const Target &target, mlir::StringRef chip, const Limits &limits, bool printTile);
  ~Kernels();

  /// Runs on the arguments, blocks in ascending or descending order; values of the results, with `like` (the
  /// right ones) telling their kind. Throws when a kernel writes outside of its results or changes what it
  /// only reads.
  std::vector<reference::HostValue> run(Device &device, const std::vector<reference::HostValue> &arguments,
                                        const std::vector<reference::HostValue> &like, int64_t rows, bool descending);

  /// What a run consists of.
  struct Recording {
    std::vector<Memories::Part> parts; ///< contents as before the run
    struct Dispatch {
      const CompiledKernel *kernel;
      std::vector<size_t> parts;
      std::vector<std::array<int64_t, 3>> grids; ///< by phase
    };
    std::vector<Dispatch> dispatches;
    std::vector<std::vector<size_t>> results;    ///< parts by result
    std::vector<reference::HostValue> kinds;     ///< of the results, with the shapes of their parts
  };
  Recording record(const std::vector<reference::HostValue> &arguments,
                   const std::vector<reference::HostValue> &like, int64_t rows) const;
  const CompiledImage &getImage() const { return image; }

private:
  struct Kernel;
  /// Calls `dispatch` for every kernel in order, with the parts it works on.
  void forEachDispatch(Memories &memories, const std::vector<reference::HostValue> &arguments,
                       llvm::function_ref<void(const Kernel &, const std::vector<size_t> &)> dispatch) const;
  void compile(const Target &target, mlir::StringRef chip, bool printTile);
  void load(Device &device);

  Limits limits;
  mutable mlir::OwningOpRef<mlir::ModuleOp> module; ///< the function, its groups formed; ops know no const
  std::vector<Kernel> kernels;              ///< one per group, in order
  CompiledImage image;
  void *loaded = nullptr;
  Device *device = nullptr;
};

} // namespace cedilla::conformance
