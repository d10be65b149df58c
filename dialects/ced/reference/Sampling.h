//===- Sampling.h - ced.sample ------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

struct Sampled {
  Array<int32_t> tokens, next; ///< [T]
  Array<int32_t> chosen;       ///< [slots, N]
};

/// ced.sample: the token of each row and its position; the list gets the choice.
Sampled sample(const Array<float> &logits, const Array<int32_t> &sampling,
               const Array<int32_t> &chosen, const Array<int32_t> &positions,
               const Array<int32_t> &slots);

} // namespace cedilla::reference
