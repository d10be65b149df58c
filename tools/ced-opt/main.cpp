//===- main.cpp - ced-opt: run single passes on textual IR --------------------------------------===//
//
// Reads MLIR, runs the passes named on the command line, prints the result: what lit tests use. Knows
// every dialect and pass of upstream MLIR beside ours, since below `tile` there is only upstream IR.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/Pipeline.h"
#include "dialects/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  cedilla::registerCompilerPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  cedilla::registerCedillaDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "ced-opt: run passes on ced, sched and tile IR\n", registry));
}
