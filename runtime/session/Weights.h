//===- Weights.h - checkpoint tensors become a package's weight buffers ---------------------------===//
//
// First everything is compared (checkWeights: dtype and shape of each tensor, nothing is read), then
// bound. On a device with host memory a single tensor is used where it is mapped; stacked tensors, and
// those whose place in the file is not aligned for their type, are copied once.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/io/Safetensors.h"

namespace cedilla {

/// Fails with all that is wrong summed up: the first mismatch, or the missing tensors and their number.
void checkWeights(const Manifest &manifest, const Checkpoint &checkpoint);

/// True when the buffer can be the mapped file's own bytes.
bool usesMapping(const BufferInfo &buffer, const Checkpoint &checkpoint, const Device &device);

/// Puts the tensors of a weight buffer at `address`, one behind the other.
void copyWeight(const BufferInfo &buffer, const Checkpoint &checkpoint, Device &device,
                DeviceAddress address);

} // namespace cedilla
