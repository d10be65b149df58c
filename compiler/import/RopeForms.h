//===- RopeForms.h - the spellings of rotary parameters
//------------------------------------------------===//
//
// `rope_scaling` (with `type` or `rope_type`), or `rope_parameters`: flat, with the base inside, or
// nested as {main, compress}. They are brought to one form; two that disagree are refused, and a
// scaling that is not understood is never dropped.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ConfigReader.h"
#include "compiler/import/ModelConfig.h"

namespace cedilla {

struct RopePair {
  RopeConfig window; ///< of layers without main KV: never scaled
  RopeConfig main;   ///< of layers with main KV: scaled where the config says so
};

RopePair readRope(const ConfigReader &text, int64_t dim);

} // namespace cedilla
