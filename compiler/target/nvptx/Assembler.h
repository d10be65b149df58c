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
  int64_t toolkit = 0; ///< 1000 * major + 10 * minor of its CUDA version; 0: it does not say
};

/// Path of ptxas: CEDILLA_PTXAS, PATH, a CUDA toolkit, or pip's nvidia-cuda-nvcc. On failure
/// `message` says where was looked.
mlir::FailureOr<std::string> findAssembler(std::string &message);

/// What `ptxas --version` says, asked once; empty where there is none.
const std::string &describeAssembler();

/// Fails with ptxas's own words in `message`. With `lineInfo` the cubin keeps the lines that the PTX names.
mlir::FailureOr<Assembled> assemble(llvm::StringRef ptx, llvm::StringRef chip, std::string &message,
                                    bool lineInfo = false);

/// 13000 from "Cuda compilation tools, release 13.0, V13.0.88" in the output of `ptxas --version`; 0
/// where there is no such line.
int64_t parseVersion(llvm::StringRef report);

/// Parses the output of `ptxas -v`.
std::vector<KernelUsage> parseUsage(llvm::StringRef report);

} // namespace cedilla::nvptx
