//===- Passes.td - from tile.kernel to nvvm ----------------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_TARGET_NVPTX_PASSES
#define CEDILLA_TARGET_NVPTX_PASSES

include "mlir/Pass/PassBase.td"

def NvptxAssignLayouts : Pass<"ced-nvptx-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "give every tile a layout, insert the exchanges between layouts";
  let description = [{
    Matrix products choose first: warps are dealt over rows, columns and k, and the operands follow. Everything else takes
    the layout of what it reads or of what reads it. Where the two differ, a `tile.relayout` is inserted.

    ```mlir
    %r = tile.mma %a, %b, %c : ...
    // becomes
    %r = tile.mma %a, %b, %c {tile.instruction = "bf16",
                              tile.layouts = [#tile.layout<mma_acc, split = [2, 1, 1], vec = 2>]} : ...
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip whose facts are used">];
  let dependentDialects = ["::cedilla::tile::TileDialect"];
}

def NvptxPlaceShared : Pass<"ced-nvptx-place-shared", "::mlir::ModuleOp"> {
  let summary = "stage the loads of K loops through shared memory; give every ring and exchange its place";
  let description = [{
    A load in the body of an innermost loop whose tile is read by fragments (mma operands, codes and scales) gets a
    `tile.staging`: a ring of `stages` slots that asynchronous copies fill ahead of time. A load that cannot be copied
    that way (not contiguous, alignment unknown) stays as it is and is read from global memory directly.
    The kernel gets `tile.shared_bytes`.
  }];
  let options = [Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip whose facts are used">];
  let dependentDialects = ["::cedilla::tile::TileDialect"];
}

def NvptxConvertTile : Pass<"ced-nvptx-convert-tile", "::mlir::ModuleOp"> {
  let summary = "tile.kernel with layouts and places to an llvm.func of one thread";
  let description = [{
    Every register tile becomes the words one thread holds; staged loops are software-pipelined; matrix products become
    mma.sync. Leaves scf, arith and math on scalars and small vectors, llvm loads and stores, nvvm ops, in a
    `gpu.module @kernels`.
  }];
  let options = [Option<"chip", "chip", "std::string", "\"sm_90a\"", "chip whose facts are used">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def NvptxCheckDependent : Pass<"ced-nvptx-check-dependent", "::mlir::gpu::GPUModuleOp"> {
  let summary = "a kernel launched before its predecessor ends waits on every path";
  let description = [{
    A function with `tile.constants` may touch nothing but those arguments in global memory before `nvvm.griddepcontrol wait`, and
    every path through it waits before it returns: the wait of its successor ends when this kernel has ended, not when
    its predecessor has. Changes nothing; names the access or the path that does not wait.
  }];
}

def NvptxAddTracePoints : Pass<"ced-nvptx-add-trace-points", "::mlir::gpu::GPUModuleOp"> {
  let summary = "blocks write down when they begin, have waited and end";
  let description = [{
    Of a module with `nvptx.trace_points` (`ced-compile --trace-points`); does nothing to others. runtime/package/Trace.h says what is
    written.
  }];
}

#endif
