//===- PackageText.h - lines about a package that several commands print -------------------------------------===//

#pragma once

#include "runtime/package/Package.h"

namespace cedilla::inspect {

/// The file: format version, length, sections with their hashes.
void printFile(const Package &package);

} // namespace cedilla::inspect
