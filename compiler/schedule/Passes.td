//===- Passes.td - the schedule phase -------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_SCHEDULE_PASSES
#define CEDILLA_COMPILER_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def SchedPlanLimits : Pass<"sched-plan-limits", "::mlir::ModuleOp"> {
  let summary = "Make every dim but the step's rows static, from sched.limits";
  let description = [{
    The page table becomes max_batch x pages per slot; a score row becomes ceil(max_context / ratio) entries. After this pass only
    the first dim of a value is dynamic.
  }];
}

def ConvertCedToSched : Pass<"convert-ced-to-sched", "::mlir::ModuleOp"> {
  let summary = "Turn functions of groups into programs of dispatches on buffers";
  let description = [{
    Groups with the same body become one sched.kernel. Weights become buffers named by their tensors, caches stay where they are
    (an op that returns one writes it in place; a later use of the old value is an error), everything else lives in workspace
    buffers, whose offsets `sched-plan-workspace` sets.

    ```mlir
    %q = ced.group "norm_cast" (%x, %w) : ... { ... }
    // becomes
    sched.kernel @norm_cast_0 family "norm_cast" config {} { ... }
    sched.dispatch @norm_cast_0 [@prefill_v0, @w0, @prefill_v1, @prefill_v2] : "rms_norm, quantize" 3
    ```
  }];
  let options = [Option<"keepMisses", "keep-misses", "bool", "false",
                        "note on a kernel why nothing builds it (sched.miss) and go on, for who lists all of them">,
                 Option<"costsOnly", "costs-only", "bool", "false",
                        "of the tensors that lie in a weight name the first: for programs whose costs are wanted, and nothing else">];
  let dependentDialects = ["::cedilla::sched::SchedDialect"];
}

def SchedPlanWorkspace : Pass<"sched-plan-workspace", "::mlir::ModuleOp"> {
  let summary = "Give workspace buffers offsets: two share memory only if their lifetimes do not meet";
  let description = [{
    Each program on its own: a buffer lives from the first to the last op that names it, and lies at the lowest offset that no living
    buffer covers. What an earlier program has left for this one (the logits) stays where it is. Leaves `sched.workspace_bytes` on the module.
  }];
}

def SchedCheckWorkspace : Pass<"sched-check-workspace", "::mlir::ModuleOp"> {
  let summary = "Refuse a plan in which a buffer is written over while its contents are still needed";
  let description = [{
    Follows each program and keeps book of whose contents the bytes of the scratch area hold: offsets of the planner, or of an
    edited text.

    Dependent launch changes nothing: a kernel may begin before its predecessor ends, but it waits for all that ran before
    it ahead of its first access to any buffer that a dispatch writes (`tile` verifies it), so what one dispatch reads for the last
    time the next one may write over. Phases of one kernel are not told apart: what one dispatch names must lie apart.
  }];
}

def SchedCheckArguments : Pass<"sched-check-arguments", "::mlir::ModuleOp"> {
  let summary = "Refuse buffers of other types than a kernel takes, written weights, reads of what nobody has written";
  let description = [{
    The schedule phase makes no such program; edited text may. The error names the dispatch, the argument, both types.
  }];
}

def SchedCheckContract : Pass<"sched-check-contract", "::mlir::ModuleOp"> {
  let summary = "Refuse a program whose layers run in other kernels than its contract names";
  let description = [{
    `sched.contract` of a program has for a mode of layers one op for each kernel. The error names the layer, both counts, and what
    stayed outside the kernels of the contract, with the reason (`sched.not_fused`). Engram layers are not compared, nor is what copies or
    embeds the input of the first.

    ```mlir
    sched.program @decode logits @l attributes {sched.contract = {reuse = ["hc_mix", "linear", "append_window", ..]}} { .. }
    ```
  }];
}

def SchedSelectConfigs : Pass<"sched-select-configs", "::mlir::ModuleOp"> {
  let summary = "Choose each kernel's config: the cheapest candidate of its family for the chip";
  let description = [{
    Programs whose steps have fewer rows (`sched.rows`) may want another config for a kernel than others that dispatch it: then
    they get a kernel of their own, named after the program. Where configs do not depend on rows, nothing is doubled.
    A kernel whose config is not empty keeps it: a schedule edited by hand is obeyed.

    ```mlir
    sched.kernel @linear_0 family "linear" config {block_m = 64 : i64, ..} { ... }
    sched.kernel @linear_0_decode family "linear" config {block_m = 8 : i64, ..} { ... }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"x86\"", "back end">,
    Option<"chip", "chip", "std::string", "\"avx2\"", "chip">,
    Option<"keepMisses", "keep-misses", "bool", "false",
           "note on a kernel why no config fits (sched.miss) and go on, for who lists all of them">];
}

#endif
