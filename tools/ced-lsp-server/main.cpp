//===- main.cpp - ced-lsp-server: what an editor asks about ced, sched and tile IR ------------------------===//
//
// Speaks the language server protocol on standard input and output, as upstream's mlir-lsp-server does: diagnostics while
// typing, definitions and uses of values, symbols and blocks, hover texts. Knows what ced-opt knows.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  cedilla::registerCedillaDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
