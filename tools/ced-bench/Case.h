//===- Case.h - one program of a bench package, and its memory --------------------------------===//
//
// A bench package holds programs of one dispatch, named <problem>/<target>/<config>. Weights have a
// dtype as in every package; workspace buffers with a dtype are inputs, those without one are
// results. All programs of a problem share their buffers, so one set of inputs serves them all.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/package/Package.h"
#include "tools/ced-bench/Compare.h"
#include "tools/ced-bench/Gpu.h"
#include "tools/ced-bench/Inputs.h"

#include <optional>

namespace cedilla::bench {

struct Case {
  std::string problem, target, config;
  const StepInfo *step = nullptr;
  const KernelInfo *kernel = nullptr;

  std::array<int64_t, 3> grid(int64_t rows) const;
};

/// The programs of a package. Fails on one that is no bench program.
std::vector<Case> readCases(const Package &package);

/// The buffers of a problem in host memory, for maxRows rows.
struct HostBuffers {
  std::vector<std::vector<std::byte>> bytes;
};

bool isResult(const BufferInfo &buffer);

/// Inputs from the seed, results poisoned.
HostBuffers makeBuffers(const Package &package, const Case &bench, InputRange range, uint64_t seed);

/// What a run with `rows` rows must move and compute, each operand once.
struct Work {
  double bytes = 0, flops = 0;
};
Work workOf(const Package &package, const Case &bench, int64_t rows);

/// Results of a case on the CPU / the GPU: the buffers of `inputs` with the results replaced.
HostBuffers runOnCpu(const Package &package, const Case &bench, const HostBuffers &inputs,
                     int64_t rows, Device &cpu);
HostBuffers runOnGpu(const Package &package, const Case &bench, const HostBuffers &inputs,
                     int64_t rows, Gpu &gpu);

/// All results of two runs.
Comparison compareResults(const Package &package, const Case &bench, const HostBuffers &ours,
                          const HostBuffers &theirs, int64_t rows);

/// Median seconds of one launch in a graph of launches that take turns over copies of the weights,
/// so that none of them is in the L2 when it is needed.
double timeOnGpu(const Package &package, const Case &bench, const HostBuffers &inputs, int64_t rows,
                 Gpu &gpu);

} // namespace cedilla::bench
