//===- Buffers.h - the buffers of a tile kernel, as a bench package describes them ------------===//

#pragma once

#include "dialects/tile/Tile.h"
#include "runtime/package/Manifest.h"

namespace cedilla::bench {

/// One per memory argument. What the kernel stores is a result (kind workspace, no dtype); what it
/// only reads is an input whose dtype follows from how it is read (codes and scales of tile.decode)
/// or else from its element. Inputs of a fixed shape are weights. Fails on an input that no random
/// data fits.
std::vector<BufferInfo> describeBuffers(tile::KernelOp kernel, const std::string &prefix);

} // namespace cedilla::bench
