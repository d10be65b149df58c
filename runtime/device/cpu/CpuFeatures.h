//===- CpuFeatures.h - which x86 code can run on this processor -----------------------------------===//

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cedilla::cpu {

/// Features of this processor that the operating system lets programs use, of those any chip asks for.
std::vector<std::string_view> foundFeatures();

/// Fails when `chip` is unknown, or needs features that are not in `found`, naming both.
void checkFeatures(const std::string &chip, const std::vector<std::string_view> &found);

/// Greater for a level that holds more; -1 where there is no such level.
int rankOf(const std::string &chip);
/// "avx2, avx512"
std::string levelNames();

} // namespace cedilla::cpu
