//===- Passes.td - costs of a schedule ---------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_COST_PASSES
#define CEDILLA_COMPILER_COST_PASSES

include "mlir/Pass/PassBase.td"

def SchedAnnotateCosts : Pass<"sched-annotate-costs", "::mlir::ModuleOp"> {
  let summary = "Write the bytes and flops of every dispatch beside it, as formulas over the step";
  let description = [{
    From types alone; a buffer of the scratch area that no other dispatch uses counts as `inside`.

    ```mlir
    sched.dispatch @linear_0 [@x, @x_scale, @w, @w_scale, @y] : "linear" 3
    // becomes
    sched.dispatch @linear_0 [@x, @x_scale, @w, @w_scale, @y] : "linear" 3
      {sched.cost = {chain = 1 : i64, flops = {fp8 = "32768 rows"}, pieces = 64 : i64, read = "16448 + 264 rows", written = "128 rows"}}
    ```
  }];
}

#endif
