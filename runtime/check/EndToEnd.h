//===- EndToEnd.h - whole prompts, prefill and decode, without feeding anything -------------------===//

#pragma once

#include "runtime/check/GoldenSet.h"
#include "runtime/check/Report.h"
#include "runtime/engine/Engine.h"

namespace cedilla::check {

std::vector<EndReport> checkEndToEnd(Engine &engine, const GoldenSet &golden);

} // namespace cedilla::check
