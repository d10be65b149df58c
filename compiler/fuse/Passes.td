//===- Passes.td - the fuse phase --------------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_FUSE_PASSES
#define CEDILLA_COMPILER_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def CedNameValues : Pass<"ced-name-values", "::mlir::func::FuncOp"> {
  let summary = "Give every op of an imported function its name";
  let description = [{
    The first pass of the phase. A name is where an op stands: layer, kind, how many of the kind came before. It goes into the
    location, and from there onto the buffer that holds the value (`sched.value`).

    ```mlir
    %q = ced.linear %x, %w : ... loc("ced:2.linear.0"("model.mlir":7:8))
    ```
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFormGroups : Pass<"ced-form-groups", "::mlir::func::FuncOp"> {
  let summary = "Put every ced op into a ced.group that becomes one kernel";
  let description = [{
    Each computing op starts a group of its kernel family, unless a row of the fusion table lets it join the group of the op that
    produces its operand. A group stands where its first op stood. Weights move to the top of the function; marks and reshapes
    stay outside.

    ```mlir
    %n = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
    %q = ced.quantize %n : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    // becomes
    %q = ced.group "norm_cast" (%x, %w) : ... {
    ^bb0(%a: tensor<?x64xbf16>, %b: tensor<64xbf16>):
      %n = ced.rms_norm %a, %b eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      %r = ced.quantize %n : tensor<?x64xbf16> -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
      ced.yield %r : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    }
    ```
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedSplitAttention : Pass<"ced-split-attention", "::mlir::func::FuncOp"> {
  let summary = "Attention of many rows in steps: gather both caches, combine the lists, attend";
  let description = [{
    Ahead of `ced-form-groups`. Every bit stays.

    ```mlir
    %o = ced.attention %q, %sink window %ring fresh %kv main %cache select %set at %p, %s, %b, %t : ...
    // becomes
    %r = ced.gather_window %ring : ...
    %f = ced.dequantize %kv : ...
    %m = ced.gather_paged %cache at %t : ...
    %l = ced.combine_lists window 128 ring 136 select %set ratio 2 at %p, %b : ...
    %o = ced.attend %q, %sink list %l window 128 of %r, %f at %s main %m : ...
    ```
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseGather : Pass<"ced-fuse-gather", "::mlir::func::FuncOp"> {
  let summary = "A gathered ring, the step's rows decoded beside it, and their way into the ring become one kernel";
  let description = [{
    The ring and the step's rows are decoded side by side; the rows then take the place of the oldest ones in the ring, which nobody
    else reads any more.
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedAddContract : Pass<"ced-add-contract", "::mlir::func::FuncOp"> {
  let summary = "Write on a function in which kernels its Reuse and window layers must run (sched-check-contract)";
  let description = [{
    The counts that the published model states for a Reuse layer, 15 for many rows and 11 for few, as lists of one op for each kernel.
    Layers without main KV have one gather less; others an indexer, a compressor, a candidate pool, an Engram more.
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseSiblings : Pass<"ced-fuse-siblings", "::mlir::func::FuncOp"> {
  let summary = "Products of the same rows become one kernel";
  let description = [{
    Two products that read the same rows and write the same type run side by side, as one product of both weights: the rows are read
    once, and one launch has the blocks of both.
  }];
  let options = [Option<"branchesApart", "branches-apart", "bool", "false",
                        "only those that compute for the same attention, index scores or cache">];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseRouter : Pass<"ced-fuse-router", "::mlir::func::FuncOp"> {
  let summary = "The router's product and the choice of experts become one kernel";
  let description = [{
    The product has few columns and nobody but the choice reads it.
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseExperts : Pass<"ced-fuse-experts", "::mlir::func::FuncOp"> {
  let summary = "Routed and shared experts up to their sum become one kernel";
  let description = [{
    Starts at the sum and takes in every product, cast and activation that nothing outside reads. What several sublayers' inputs have
    in common, the norm in front of them, and the router stay outside.
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseAttention : Pass<"ced-fuse-attention", "::mlir::func::FuncOp"> {
  let summary = "Attention and the rotations around it become one kernel";
  let description = [{
    A rotation that only the attention reads, and one that alone reads its result, become one body with it; what casts that result
    and nothing else is a phase of the same kernel.
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseGlue : Pass<"ced-fuse-glue", "::mlir::func::FuncOp"> {
  let summary = "Norms, casts, rotations, mixing and cache writes between the same products become one kernel";
  let description = [{
    A node's level is the number of products that have to run before it; glue of one level is merged, across layers only where the
    later one takes what the earlier one gives.
  }];
  let options = [Option<"branchesApart", "branches-apart", "bool", "false",
                        "only what computes for the same attention, index scores or cache; and what rotates, and casts or writes what "
                        "was rotated, is a kernel of its own where others read what it rotates or, in programs of many rows, what "
                        "that comes with">];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedFuseEnds : Pass<"ced-fuse-ends", "::mlir::func::FuncOp"> {
  let summary = "A cast of a product's result, and the choice of experts behind glue, become the last phase of that kernel";
  let description = [{
    Behind `ced-fuse-glue`. Fewer kernels; whether that is faster depends on what a launch costs beside a hand-over between phases.
  }];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedGroupRandomly : Pass<"ced-group-randomly", "::mlir::func::FuncOp"> {
  let summary = "Merge kernels by chance, where the order of reads and writes allows it; for tests";
  let description = [{
    Every grouping that the graph allows must compute the same bits.
  }];
  let options = [Option<"seed", "seed", "uint64_t", "1", "of the random numbers">];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

def CedExplainGroups : Pass<"ced-explain-groups", "::mlir::func::FuncOp"> {
  let summary = "Write on each group why it is not one kernel with the group before it";
  let description = [{
    The last pass of the phase; the attribute is for people and goes with the dispatch (`sched.not_fused`).

    ```mlir
    %y = ced.group "linear" (%q, %w) {ced.not_fused = "ced-fuse-glue joins norms, casts, .. of one level with each other; 'linear' is a product"} : ...
    ```
  }];
  let options = [Option<"split", "split", "bool", "false", "no fusion pass has run">,
                 Option<"expertsApart", "experts-apart", "bool", "false", "ced-fuse-experts has not run">];
  let dependentDialects = ["::cedilla::ced::CedDialect"];
}

#endif
