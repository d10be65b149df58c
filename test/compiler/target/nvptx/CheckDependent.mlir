// RUN: ced-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(gpu.module(ced-nvptx-check-dependent))'

// A branch has waited where both sides have; a loop may run zero times; constants may be read at any time; the block's own
// memory is nobody else's.
gpu.module @kernels {
  llvm.mlir.global external @shared() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.func @good(%x: !llvm.ptr<1>, %w: !llvm.ptr<1>, %any: i1) attributes {tile.constants = array<i64: 1>} {
    %0 = llvm.mlir.addressof @shared : !llvm.ptr<3>
    %1 = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
    %a = llvm.getelementptr %w[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %b = llvm.load %a : !llvm.ptr<1> -> f32
    llvm.store %b, %1 : f32, !llvm.ptr
    scf.if %any {
      nvvm.griddepcontrol wait
    } else {
      nvvm.griddepcontrol wait
    }
    llvm.store %b, %x : f32, !llvm.ptr<1>
    llvm.return
  }
  // Launched in the ordinary way: nothing to wait for.
  llvm.func @plain(%x: !llvm.ptr<1>, %v: f32) {
    llvm.store %v, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @reads_early(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {tile.constants = array<i64: 1>} {
    %a = llvm.getelementptr %x[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    // expected-error @below {{in kernel 'reads_early' touches memory that another dispatch may write before it has waited for its predecessor}}
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    nvvm.griddepcontrol wait
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @one_side(%x: !llvm.ptr<1>, %any: i1, %v: f32) attributes {tile.constants = array<i64>} {
    scf.if %any {
      nvvm.griddepcontrol wait
    }
    // expected-error @below {{in kernel 'one_side' touches memory}}
    llvm.store %v, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @in_a_loop(%x: !llvm.ptr<1>, %v: f32, %m: i64) attributes {tile.constants = array<i64>} {
    %n = arith.index_cast %m : i64 to index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      nvvm.griddepcontrol wait
    }
    // expected-error @below {{in kernel 'in_a_loop' touches memory}}
    llvm.store %v, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expected every path to wait for the predecessor before it returns}}
  llvm.func @never(%w: !llvm.ptr<1>) attributes {tile.constants = array<i64: 0>} {
    %v = llvm.load %w : !llvm.ptr<1> -> f32
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
}

// -----

// One of two places: the other one counts.
gpu.module @kernels {
  llvm.func @either(%w: !llvm.ptr<1>, %x: !llvm.ptr<1>, %any: i1) attributes {tile.constants = array<i64: 0>} {
    %a = arith.select %any, %w, %x : !llvm.ptr<1>
    // expected-error @below {{in kernel 'either' touches memory}}
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    nvvm.griddepcontrol wait
    llvm.return
  }
}
