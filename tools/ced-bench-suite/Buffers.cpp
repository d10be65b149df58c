//===- Buffers.cpp - the buffers of a tile kernel, as a bench package describes them ----------===//

#include "tools/ced-bench-suite/Buffers.h"

#include "runtime/base/Error.h"

using namespace mlir;

namespace cedilla::bench {

static std::string formatName(Type type) {
  return isa<Float8E4M3FNType>(type) ? "F8_E4M3" : isa<Float8E8M0FNUType>(type) ? "F8_E8M0" : "I8";
}

/// dtype of bytes, by the first decode that reads a tile of them.
static std::string dtypeOfBytes(BlockArgument memory) {
  for (Operation *user : memory.getUsers()) {
    auto load = dyn_cast<tile::LoadOp>(user);
    if (!load)
      continue;
    for (Operation *reader : load.getResult().getUsers())
      if (auto decode = dyn_cast<tile::DecodeOp>(reader))
        return formatName(decode.getCodes() == load.getResult() ? decode.getElement()
                                                                : decode.getScale());
  }
  return "";
}

static std::string dtypeOf(BlockArgument memory) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return element.isF32()        ? "F32"
         : element.isBF16()     ? "BF16"
         : element.isInteger(8) ? dtypeOfBytes(memory)
                                : "";
}

static std::string typeName(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return "i" + std::to_string(integer.getWidth());
  return element.isF32() ? "f32" : "bf16";
}

static bool isStored(BlockArgument memory) {
  return llvm::any_of(memory.getUsers(), [&](Operation *user) {
    auto select = dyn_cast<tile::SelectTopkOp>(user);
    return isa<tile::StoreOp, tile::ScatterOp>(user) || (select && select.getOut() == memory);
  });
}

std::vector<BufferInfo> describeBuffers(tile::KernelOp kernel, const std::string &prefix) {
  std::vector<BufferInfo> buffers;
  for (unsigned i = 0; i < kernel.getNumMemoryArguments(); ++i) {
    BlockArgument memory = kernel.getBody().getArgument(i);
    auto type = cast<MemRefType>(memory.getType());
    BufferInfo buffer;
    buffer.name = prefix + "." + std::to_string(i);
    buffer.type = typeName(type.getElementType());
    for (int64_t dim : type.getShape())
      buffer.shape.push_back(ShapedType::isDynamic(dim) ? -1 : dim);
    bool result = isStored(memory);
    buffer.dtype = result ? "" : dtypeOf(memory);
    if (!result && buffer.dtype.empty())
      fail(Err::Values, "kernel '", kernel.getSymName().str(), "': argument ", i,
           ": no random data fits what it is read for");
    buffer.kind = result || buffer.shape.front() == -1 ? "workspace" : "weight";
    buffers.push_back(buffer);
  }
  return buffers;
}

} // namespace cedilla::bench
