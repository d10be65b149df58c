//===- ReadConfig.h - a configuration that is no file yet ------------------------------------------===//
//
// For whoever tries other values of a field: the checks are those of readModelConfig(path).
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"

#include <nlohmann/json.hpp>

namespace cedilla {

/// What readModelConfig says of a file of that name that holds `document`.
ModelConfig readModelConfig(const std::string &file, const nlohmann::json &document);

/// The configuration's file of a model directory, or the file itself.
std::string configPath(const std::string &path);

} // namespace cedilla
