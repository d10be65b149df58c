//===- Link.h - one object file to a shared image without imports -----------------------------===//

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace cedilla::x86 {

/// Links with LLVM's lld, run as a program. The same object gives the same bytes.
llvm::Expected<std::vector<char>> linkImage(llvm::ArrayRef<char> object);

} // namespace cedilla::x86
