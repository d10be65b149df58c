//===- Builtins.h - the functions of the GPU that kernels call --------------------------------===//
//
// One table by name. A file per subject adds its functions: Builtins.cpp (registers, numbers,
// barriers), Copies.cpp, Warp.cpp, Matrix.cpp.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "test/emulator/Block.h"

#include <map>
#include <string>
#include <string_view>

namespace cedilla::emulator {

using Table = std::map<std::string, Builtin, std::less<>>;

/// Keys are names of LLVM intrinsics, or the text of inline assembly.
const Table &builtins();
const std::string &nameOf(const Builtin &builtin);

void addNumbers(Table &table);
void addCopies(Table &table);
void addWarp(Table &table);
void addMatrix(Table &table);

/// bar.warp.sync: what lanes meet at to order their memory accesses.
void synchronizeWarp(const Lanes &lanes);

} // namespace cedilla::emulator
