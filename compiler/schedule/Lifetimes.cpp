//===- Lifetimes.cpp - when the scratch buffers of a program are in use --------------------------------===//

#include "compiler/schedule/Lifetimes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace cedilla {

/// Alignment of every buffer: whole cache lines on a CPU, the widest access on a GPU.
static constexpr uint64_t alignment = 256;

std::vector<Lifetime> computeLifetimes(sched::ProgramOp program, SymbolTable &symbols, int64_t rows) {
  llvm::MapVector<Operation *, Lifetime> lifetimes;
  int64_t step = 0;
  auto use = [&](FlatSymbolRefAttr name) {
    auto buffer = symbols.lookup<sched::BufferOp>(name.getValue());
    if (!buffer || buffer.getKind() != sched::BufferKind::Workspace)
      return;
    Lifetime &lifetime = lifetimes[buffer];
    if (!lifetime.buffer) {
      uint64_t bytes = sched::getBufferBytes(cast<MemRefType>(buffer.getType()), rows);
      lifetime = {buffer, step, step, (bytes + alignment - 1) / alignment * alignment,
                  uint64_t(buffer.getOffset().value_or(0))};
    }
    lifetime.last = step;
  };
  for (Operation &op : program.getBody().front()) {
    if (auto dispatch = dyn_cast<sched::DispatchOp>(op))
      for (Attribute buffer : dispatch.getBuffers())
        use(cast<FlatSymbolRefAttr>(buffer));
    if (auto mark = dyn_cast<sched::MarkOp>(op))
      use(mark.getBufferAttr());
    ++step;
  }
  use(program.getLogitsAttr());
  std::vector<Lifetime> result;
  for (auto &entry : lifetimes)
    result.push_back(entry.second);
  return result;
}

} // namespace cedilla
