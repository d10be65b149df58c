//===- Assembler.h - PTX to cubin with NVIDIA's ptxas -----------------------------------------===//

#pragma once

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cedilla::nvptx {

/// What ptxas says of one kernel.
struct KernelUsage {
  std::string symbol;
  int64_t registers = 0;    ///< per thread
  uint64_t stackBytes = 0;  ///< per thread
  uint64_t spillBytes = 0;  ///< stores and loads, per thread
  uint64_t sharedBytes = 0; ///< static
};

struct Assembled {
  std::vector<char> cubin;
  std::vector<KernelUsage> kernels;
};

/// Path of ptxas: CEDILLA_PTXAS, PATH, a CUDA toolkit, or pip's nvidia-cuda-nvcc. On failure
/// `message` says where was looked.
mlir::FailureOr<std::string> findAssembler(std::string &message);

/// Fails with ptxas's own words in `message`.
mlir::FailureOr<Assembled> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                    std::string &message);

/// Parses the output of `ptxas -v`.
std::vector<KernelUsage> parseUsage(llvm::StringRef report);

} // namespace cedilla::nvptx
