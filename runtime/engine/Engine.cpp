//===- Engine.cpp - what an engine need not have ----------------------------------------------------===//

#include "runtime/engine/Engine.h"

#include "runtime/base/Error.h"

namespace cedilla {

void Engine::decodeAhead(const StepRows &, std::span<const RowSampling>, int64_t, std::span<int32_t>) {
  failInternal("the engine runs no steps ahead");
}

} // namespace cedilla
