//===- Passes.td - the tile phase -------------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_TILE_PASSES
#define CEDILLA_COMPILER_TILE_PASSES

include "mlir/Pass/PassBase.td"

def TileBuildKernels : Pass<"tile-build-kernels", "::mlir::ModuleOp"> {
  let summary = "Let each family build the tile.kernel of its sched.kernel";
  let description = [{
    A family that needs several phases builds several kernels, which a `sched.phases` joins. A kernel of a program learns which of its
    arguments no dispatch writes (`tile.constants`), so that a target may let it begin before its predecessor ends. Configs written by hand
    are checked first.
  }];
  let options = [Option<"nameOps", "name-ops", "bool", "false", "locations are named after the ced op that an op is there for">];
  let dependentDialects = ["::cedilla::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::math::MathDialect"];
}

def TileAddReadProgram : Pass<"tile-add-read-program", "::mlir::ModuleOp"> {
  let summary = "Add a program `read` whose kernel reads the largest weight: the read rate, for ced-bench";
  let description = [{
    A package for ced-bench holds it, so that shares of the read rate are taken on the machine that runs the rest.
  }];
  let dependentDialects = ["::cedilla::tile::TileDialect", "::mlir::arith::ArithDialect"];
}

#endif
