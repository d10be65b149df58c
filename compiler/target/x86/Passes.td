//===- Passes.td - from tile to the LLVM dialect for a CPU --------------------------------*- tablegen -*-===//

#ifndef CEDILLA_COMPILER_TARGET_X86_PASSES
#define CEDILLA_COMPILER_TARGET_X86_PASSES

include "mlir/Pass/PassBase.td"

def X86PlanArena : Pass<"ced-x86-plan-arena", "::cedilla::tile::KernelOp"> {
  let summary = "Give every tile a place in the arena";
  let description = [{
    Writes `arena = array<i64: ..>` (a byte offset per tile result; for select_topk its scratch) on ops, `arena_temps` on an
    scf.yield that permutes tiles, and `arena_bytes` on the kernel. A loop's carried tile, its result and, where nothing else
    needs them, its initial and its yielded value share one place; places whose lifetimes do not meet are used again.

    ```mlir
    %a = tile.splat %x {arena = array<i64: 0>} : f32 -> <4x8xf32>
    ```
  }];
}

def X86LowerKernels : Pass<"ced-x86-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower tile.kernel ops to llvm.func ops of loops over 8-lane vectors";
  let description = [{
    Expects the offsets of ced-x86-plan-arena. The functions have the runtime's CPU signature (buffers, rows, block, arena)
    and hold scf, arith, math, vector and llvm ops; `index` has become i64, and bf16 an f32 whose low 16 bits are 0.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def X86CheckVectors : Pass<"ced-x86-check-vectors", "::mlir::ModuleOp"> {
  let summary = "Refuse vectors that are larger than two hardware registers";
  let description = [{
    LLVM takes seconds and hundreds of kilobytes for large vectors; two registers (8 x i64) are what an 8-lane loop needs.
  }];
}

#endif
