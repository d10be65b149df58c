//===- LayerFed.h - every layer fed with the captured input ------------------------------------------===//
//
// The check to rely on. At the marks `stream` and `pre` of layer L the engine's value is compared with
// the captured one and then replaced by it, so that layer L+1 starts from what the reference had and an
// error is seen in the layer that made it. Needs prompts whose rows are all captured.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/check/GoldenSet.h"
#include "runtime/check/Report.h"
#include "runtime/engine/Engine.h"

namespace cedilla::check {

FedReport checkLayerFed(Engine &engine, const GoldenSet &golden);

} // namespace cedilla::check
