//===- EmitParts.h - code of a module, kernel by kernel ----------------------------------------===//
//
// Where a target can make code of kernels apart from each other (Target::split), every part is written as text, looked up in a
// cache, and made on one of the context's threads in a context of its own if it is not there. The text is all that the code
// depends on, beside the target, the chip and the tools; so the same module gives the same bytes, with a cache or without.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/ObjectCache.h"
#include "compiler/target/Target.h"

namespace cedilla {

struct PartCounts {
  int64_t parts = 0;  ///< made or found
  int64_t cached = 0; ///< found
};

/// One image or several, each with other kernels. `cache` may be null. Emits a diagnostic and fails where a kernel cannot be
/// built.
mlir::FailureOr<std::vector<CompiledImage>> emitInParts(const Target &target, mlir::ModuleOp module, mlir::StringRef chip,
                                                        const ObjectCache *cache, PartCounts &counts);

} // namespace cedilla
