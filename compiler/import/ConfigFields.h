//===- ConfigFields.h - every field but the layer lists
//-----------------------------------------------===//

#pragma once

#include "compiler/import/ConfigReader.h"
#include "compiler/import/ModelConfig.h"

namespace cedilla {

/// Fills `config` from the file's top object and its text config (the same object where the file is
/// flat). Returns the number of layers; what they are is read by readLayerTable.
int64_t readFields(const ConfigReader &top, const ConfigReader &text, ModelConfig &config);

} // namespace cedilla
