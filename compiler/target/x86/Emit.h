//===- Emit.h - from the LLVM dialect to an object file ---------------------------------------===//

#pragma once

#include "compiler/target/x86/Chips.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace cedilla::x86 {

struct Object {
  std::vector<char> bytes;
  llvm::StringMap<uint64_t> codeBytes; ///< of each function
};

/// Optimises and compiles a module of the LLVM dialect. Emits a diagnostic where LLVM refuses it,
/// or where the code would need a function from outside; those that the module declares are other objects'.
mlir::FailureOr<Object> emitObject(mlir::ModuleOp module, const Chip &chip);

} // namespace cedilla::x86
