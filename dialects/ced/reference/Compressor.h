//===- Compressor.h - ced.compress -----------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/Array.h"

namespace cedilla::reference {

struct Compressed {
  Array<BF16> result; ///< [T,D]: the row that closes a group holds its mean, every other row is 0
  Array<float> open;  ///< [slots, ratio-1, 2, D]: (latent, gate) of unfinished groups
};

/// ced.compress: per channel the softmax(gate)-weighted mean of the latents of each closed group.
Compressed compress(const Array<float> &latent, const Array<float> &gate, const Array<float> &open,
                    const Array<int32_t> &positions, const Array<int32_t> &slots,
                    const Array<int32_t> &starts, int64_t ratio);

} // namespace cedilla::reference
