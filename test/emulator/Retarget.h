//===- Retarget.h - LLVM IR of kernels, changed so that the CPU can run it --------------------===//

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cedilla::emulator {

/// Calls of the GPU's functions go to the emulator, accesses to memory are announced to it, shared
/// memory lies at `sharedBase`, what is undefined is NaN, and for each kernel there is a
/// function `<kernel>.entry` that takes a list of addresses of the parameters' values. Tables of
/// constants lie where `place` puts their bytes. Fails with the name of a function that is not
/// emulated.
llvm::Error retarget(llvm::Module &module, uint64_t sharedBase,
                     llvm::function_ref<uint64_t(llvm::StringRef bytes)> place);

} // namespace cedilla::emulator
