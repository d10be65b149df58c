//===- NameOps.h - which ced op a tile op is there for ----------------------------------------------------===//

#pragma once

#include "kernels-gen/common/Signature.h"

#include "dialects/tile/Tile.h"

namespace cedilla {

/// Gives every op of a kernel that a family has built a location that is named after the ced op it is there for ("ced.rms_norm"),
/// and the kernel one named after all of them in order. A family builds a body as a whole, so the name is found from its memory: a
/// load is there for the first op that takes what it reads, a store for the one whose result it writes, and everything between for
/// the last of the ops its operands are there for.
void nameOps(sched::KernelOp problem, tile::KernelOp built, const Limits &limits);

} // namespace cedilla
