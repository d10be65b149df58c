//===- Passes.td - passes that every back end may use -----------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_TARGET_PASSES
#define CEDILLA_COMPILER_TARGET_PASSES

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"ced-expand-math"> {
  let summary = "Replace transcendental functions on f32 by our own polynomials";
  let description = [{
    `math.exp`, `log`, `log1p`, `sin`, `cos` and `rsqrt` on f32, scalar or vector, become arith ops and `math.fma`; results
    are then the same wherever those are. See ExpandMath.cpp for ranges and errors.

    ```mlir
    %y = math.rsqrt %x : f32
    // becomes
    %s = math.sqrt %x : f32
    %y = arith.divf %one, %s : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif
