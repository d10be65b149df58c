//===- Weights.cpp - checkpoint tensors become a package's weight buffers -------------------------===//

#include "runtime/session/Weights.h"

#include "runtime/base/Error.h"
#include "runtime/package/Package.h"

namespace cedilla {

/// Scales are bytes whatever the exporter called them; they are always decoded as what the package says.
static bool sameDtype(std::string_view wanted, std::string_view found) {
  return wanted == found || (wanted == "F8_E8M0" && (found == "U8" || found == "I8"));
}

static void checkTensor(const BufferInfo &buffer, const TensorView &tensor,
                        const std::string &directory) {
  if (!sameDtype(buffer.dtype, tensor.dtype))
    fail(directory, ": tensor '", tensor.name, "': expected dtype ", buffer.dtype, ", got ",
         tensor.dtype);
  if (tensor.shape != buffer.tensorShape)
    fail(directory, ": tensor '", tensor.name, "': expected shape ",
         shapeText(buffer.tensorShape), ", got ", shapeText(tensor.shape));
}

void checkWeights(const Manifest &manifest, const Checkpoint &checkpoint) {
  size_t missing = 0, wanted = 0;
  std::string first;
  for (const BufferInfo &buffer : manifest.buffers) {
    if (buffer.kind != "weight")
      continue;
    for (const std::string &name : buffer.tensors) {
      ++wanted;
      // A side file that is absent has its own message, with the way to make it.
      const TensorView *tensor = name.find(':') == std::string::npos ? checkpoint.find(name)
                                                                      : &checkpoint.get(name);
      if (tensor)
        checkTensor(buffer, *tensor, checkpoint.directory());
      else if (missing++ == 0)
        first = name;
    }
  }
  if (missing)
    fail(checkpoint.directory(), ": tensor '", first, "' is not in the checkpoint (", missing,
         " of the ", wanted, " tensors this package needs are missing)");
}

bool usesMapping(const BufferInfo &buffer, const Checkpoint &checkpoint, const Device &device) {
  if (!device.hostMemory() || buffer.tensors.size() != 1)
    return false;
  auto address = reinterpret_cast<uintptr_t>(checkpoint.get(buffer.tensors[0]).data);
  return address % elementBytes(buffer.type) == 0;
}

void copyWeight(const BufferInfo &buffer, const Checkpoint &checkpoint, Device &device,
                DeviceAddress address) {
  for (const std::string &name : buffer.tensors) {
    const TensorView &tensor = checkpoint.get(name);
    device.upload(address, tensor.data, tensor.bytes);
    address += tensor.bytes;
  }
}

} // namespace cedilla
