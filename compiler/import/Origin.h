//===- Origin.h - which model a module is of ---------------------------------------------------------===//
//
// Module attributes that import writes and every later phase carries: a digest of the whole imported graph, and
// digests of the files behind it, which end up in the package.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/import/ModelConfig.h"
#include "runtime/package/Manifest.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace cedilla {

class Checkpoint;

/// Module attribute: digest of the module as import left it, facts and limits included.
inline constexpr const char *kGraphDigestAttr = "ced.graph_digest";
/// Module attribute: {file or "file:tensor" = digest}.
inline constexpr const char *kSourcesAttr = "ced.sources";

/// For a module that was just built. `checkpoint` is null where there is a config.json alone.
void recordOrigin(mlir::ModuleOp module, const ModelConfig &config, const Checkpoint *checkpoint);

/// What the package keeps; empty for a module without the attribute.
std::vector<SourceInfo> sourcesOf(mlir::ModuleOp module);

/// Fails unless `module`, read from `file`, goes back to the same graph as `model`; then its sources become the
/// model's.
void adoptOrigin(mlir::ModuleOp module, const std::string &file, mlir::ModuleOp model);

} // namespace cedilla
