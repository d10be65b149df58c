//===- ScriptConfig.h - the reference script's spelling of a configuration -------------------------===//
//
// The code that is published with the weights has a configuration file of its own (`inference/config.json`), with other
// words for the same fields. It is said again in the hub's words here, so that every check exists once; messages name the
// fields as the file does.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ConfigReader.h"

namespace cedilla {

/// Whether the file speaks the script's language, whatever its model.
bool isScriptConfig(const nlohmann::json &document);

/// The same in the hub's words, as a text config alone. Fails where the file is of another model or is quantised in another
/// way. `names` learns how the file calls what is renamed.
nlohmann::json fromScriptConfig(const std::string &file, const nlohmann::json &document, FieldNames &names);

} // namespace cedilla
