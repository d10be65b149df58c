//===- Passes.td - the tile phase -------------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_TILE_PASSES
#define CEDILLA_COMPILER_TILE_PASSES

include "mlir/Pass/PassBase.td"

def TileBuildKernels : Pass<"tile-build-kernels", "::mlir::ModuleOp"> {
  let summary = "Let each family build the tile.kernel of its sched.kernel";
  let dependentDialects = ["::cedilla::tile::TileDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::math::MathDialect"];
}

def TileAddReadProgram : Pass<"tile-add-read-program", "::mlir::ModuleOp"> {
  let summary = "Add a program `read` whose kernel reads the largest weight: the read rate, for ced-bench";
  let dependentDialects = ["::cedilla::tile::TileDialect", "::mlir::arith::ArithDialect"];
}

#endif
