//===- Ced.td - the ced dialect: what the model computes -----------------------*- tablegen -*-===//
//
// The one file TableGen is run on. Types, attributes, and the ops by subject are in the files included
// below; every op's description holds its numbered constraints, and its reference evaluation is the
// function of the same name in dialects/ced/reference.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CEDILLA_DIALECTS_CED
#define CEDILLA_DIALECTS_CED

include "dialects/ced/CedBase.td"
include "dialects/ced/CedTypes.td"
include "dialects/ced/CedAttrs.td"
include "dialects/ced/ops/Structure.td"
include "dialects/ced/ops/Quantize.td"
include "dialects/ced/ops/Linear.td"
include "dialects/ced/ops/Norm.td"
include "dialects/ced/ops/HyperConnection.td"
include "dialects/ced/ops/Rotary.td"
include "dialects/ced/ops/Compressor.td"
include "dialects/ced/ops/Indexer.td"
include "dialects/ced/ops/Attention.td"
include "dialects/ced/ops/Gather.td"
include "dialects/ced/ops/Moe.td"
include "dialects/ced/ops/Embedding.td"
include "dialects/ced/ops/Cache.td"
include "dialects/ced/ops/Sampling.td"

#endif
