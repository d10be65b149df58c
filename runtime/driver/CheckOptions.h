//===- CheckOptions.h - which options go together -----------------------------------------------------===//
//
// Fails with one line that names the options that do not.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/driver/Options.h"

namespace cedilla {

/// What stands for the model: a package and its weights, or a model directory.
void checkModel(const Options &options, bool deviceGiven);

/// What is to be done with it.
void checkWork(const Options &options);

/// What is written may not be what is read: the package, a file of weights, one of the model directory.
void checkOutputs(const Options &options);

} // namespace cedilla
