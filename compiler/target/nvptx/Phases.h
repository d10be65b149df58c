//===- Phases.h - entry points of kernels of several phases -----------------------------------===//
//
// A phase is a function like a kernel's with six more parameters: its block (three numbers), the gate
// that it opens before it touches what others write, and its thread. The entry of a sched.phases runs the blocks
// of one phase after the other on a grid that is resident as a whole:
//
//   entry(buffers.., i64 rows, i32 first, i32 end, i32 blocks[3] per phase)
//     for each stage: phases that need nothing of each other
//       for (b = own block; b < blocks of the stage; b += size of the grid)
//         call the phase that block b belongs to
//       arrive at the stage's counter
//
// Where all that a stage needs of the one before has been made by the first phase of that one, and is needed by its own first phase,
// and both are one block in this launch, block 0 does both and nobody arrives: so row after row of a chain in a decode step.
//
// A launch runs the phases from `first` up to `end`.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/nvptx/Code.h"

#include "dialects/sched/Sched.h"

namespace cedilla::nvptx {

/// Open when the top bit of the counter is no longer `sense`. A null counter: nothing to wait for.
struct PhaseGate {
  mlir::Value counter; ///< global address of an i32
  mlir::Value sense;   ///< i32, 0 or the top bit
};

/// Types of what follows a phase's rows: block x, y, z; counter and sense of its gate; the thread.
llvm::SmallVector<mlir::Type> phaseParameters(Code &code);
std::string phaseFunctionName(llvm::StringRef kernel);

/// Reads the counter until the gate is open; what others wrote before they arrived can be read then.
void spin(Code &code, const PhaseGate &gate);

/// Phases that may run at the same time: none uses a buffer that another one writes.
struct Stage {
  llvm::SmallVector<unsigned> phases;
  /// Of what ran since the last stage without this, only the first phase of each stage matters here, and only to the first phase.
  bool chained = false;
};

/// As few stages as there can be; a phase is in the last one it can be in, where the copies it begins with hide others' waits.
llvm::SmallVector<Stage> stagesOf(sched::PhasesOp phases);

/// Builds the entry behind the functions of its phases. `stages` was found before the kernels were
/// lowered.
void buildPhases(sched::PhasesOp phases,
                 llvm::ArrayRef<Stage> stages, const Chip &chip,
                 mlir::gpu::GPUModuleOp module);

} // namespace cedilla::nvptx
