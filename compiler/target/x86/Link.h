//===- Link.h - object files to a shared image without imports --------------------------------===//

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace cedilla::x86 {

/// Links with LLVM's lld, run as a program. The same objects give the same bytes.
llvm::Expected<std::vector<char>> linkImage(llvm::ArrayRef<llvm::ArrayRef<char>> objects);

} // namespace cedilla::x86
