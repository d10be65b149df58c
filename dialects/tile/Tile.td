//===- Tile.td - the tile dialect: how one kernel does it -------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_TILE
#define CEDILLA_DIALECTS_TILE

include "dialects/tile/TileBase.td"
include "dialects/tile/TileLayout.td"
include "dialects/tile/ops/Kernel.td"
include "dialects/tile/ops/Memory.td"
include "dialects/tile/ops/Compute.td"
include "dialects/tile/ops/Scale.td"
include "dialects/tile/ops/Select.td"

#endif
