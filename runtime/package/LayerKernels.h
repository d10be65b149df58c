//===- LayerKernels.h - which dispatches count as a layer's kernels --------------------------------===//

#pragma once

#include "runtime/package/Manifest.h"

#include <string_view>

namespace cedilla {

/// Whether a dispatch of this name ("embed", "rope; attention; rope") only makes what the first layer takes: rows of
/// the embedding, their copies as streams, numbers of Engram rows. Nobody counts that as a layer's. Nor, with `engramNext`,
/// the mixing that an Engram behind the layer keeps apart from the next layer's: it counts with the Engram.
bool isBeforeLayers(std::string_view name, bool engramNext);

/// Indices of the dispatches of a layer, in order.
std::vector<size_t> kernelsOfLayer(const ProgramInfo &program, const std::vector<LayerFacts> &layers, int64_t layer);

/// Keys of a contract beside modes: what a layer that makes a candidate pool, or has an Engram, needs more than others of its mode.
inline constexpr const char *contractPool = "pool", *contractEngram = "engram";

/// Kernels that the program's contract gives the layer; 0: it says nothing of layers like that.
int64_t promisedKernels(const ProgramInfo &program, const std::vector<LayerFacts> &layers, int64_t layer);

} // namespace cedilla
