//===- Sources.h - which model a package was compiled for --------------------------------------------===//
//
// Dtypes and shapes of weights do not tell two configurations apart that differ in a window, a rotary base or
// the length of a list. So a package keeps digests of what the compiler read beside the weights, and whoever
// binds a model directory compares them.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/package/Manifest.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cedilla {

class Checkpoint;

/// Name of the digest of a configuration; every other name is a tensor of a side file, "file:tensor".
inline constexpr const char *kConfigSource = "config.json";

/// XXH3-64 as 16 hexadecimal digits.
std::string digestOf(std::span<const std::byte> bytes);
std::string digestOf(std::string_view text);

/// Of a config.json: spelling, nesting and fields without consequence for what is computed do not count.
std::string configDigest(const std::string &path);

/// Fails, naming the file, when one that the directory has differs from what the package was compiled for.
void checkSources(const Manifest &manifest, const Checkpoint &checkpoint);

} // namespace cedilla
