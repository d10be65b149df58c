//===- Twin.h - tile kernels on the emulator beside their x86 twins ---------------------------===//

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla::emulator {

/// Every kernel of a file, on random inputs, with each number of rows; results as ced-bench compares
/// them. Whether all agree.
bool checkTwins(const std::string &file, const std::vector<int64_t> &rowCounts);

} // namespace cedilla::emulator
