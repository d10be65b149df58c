//===- LevelTest.cpp - which level of a package's code a processor gets -----------------------------===//
//
// The processors are made up: nothing is run. What the code of a level needs is said by CpuFeatures.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/package/Package.h"
#include "runtime/session/PackageCode.h"
#include "test/runtime/Expect.h"

#include <filesystem>
#include <unistd.h>

namespace cedilla::test {

using Features = std::vector<std::string_view>;
static const Features old = {"avx2", "fma", "f16c"};
static const Features modern = {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"};
static const Features early = {"avx2", "fma", "f16c", "avx512f", "avx512cd"}; // AVX-512 without its byte and short ops

/// A package with a program of each level, in that order.
static std::string writeLevels(const std::vector<std::string> &levels) {
  Manifest m;
  m.compiler = "test";
  m.facts.vocab = 16, m.facts.hidden = 4, m.facts.streams = 1, m.facts.slack = 1, m.facts.page = 8, m.facts.headDim = 4;
  m.facts.maxRows = 8, m.facts.maxContext = 16, m.facts.maxBatch = 1;
  m.workspaceBytes = 512;
  m.buffers = {{"logits", "workspace", "f32", {-1, 16}, 512, 0, false, {}, "", {}, false}};
  for (const std::string &level : levels) {
    int64_t number = m.objects.size();
    m.objects.push_back({"x86", level, uint64_t(64 * number), 16, 0});
    m.kernels.push_back({"k", "k", number, 64, 0, 0, false, "run", "", 1});
    StepInfo dispatch{"dispatch", number, {{1, 0}}, {0}, "all", 0};
    m.programs.push_back({"prefill", {dispatch}, 0, "x86", level});
  }
  std::string path = std::filesystem::temp_directory_path() / ("ced-test-levels." + std::to_string(getpid()));
  std::vector<std::byte> objects(64 * levels.size());
  writePackage(path, m, objects, {});
  return path;
}

static std::string choose(const std::vector<std::string> &levels, const Features &features, const char *name = "cpu") {
  std::string path = writeLevels(levels);
  DeviceOptions options;
  options.features = features;
  std::string chip;
  try {
    Package package(path);
    Device device = openDevice(name, options);
    chip = PackageCode(package, device).kind().chip;
  } catch (...) {
    std::filesystem::remove(path);
    throw;
  }
  std::filesystem::remove(path);
  return chip;
}

void testLevels() {
  EXPECT(choose({"avx2", "avx512"}, modern) == "avx512");
  EXPECT(choose({"avx512", "avx2"}, modern) == "avx512");
  EXPECT(choose({"avx512", "avx2"}, old) == "avx2");
  EXPECT(choose({"avx512", "avx2"}, early) == "avx2");
  EXPECT(choose({"avx2"}, modern) == "avx2");
  expectFails("chip 'avx512' needs avx2 fma f16c avx512f avx512bw avx512cd avx512dq avx512vl, this processor has avx2 fma f16c (no avx512f)",
              [] { choose({"avx512"}, old); });

  // A level by name.
  EXPECT(choose({"avx2", "avx512"}, modern, "cpu:avx2") == "avx2");
  EXPECT(choose({"avx2", "avx512"}, modern, "cpu:avx512") == "avx512");
  expectFails("chip 'avx512' needs", [] { choose({"avx2", "avx512"}, old, "cpu:avx512"); });
  expectFails("device 'cpu:avx512' runs chip 'avx512' alone, the package holds 'avx2'", [] { choose({"avx2"}, modern, "cpu:avx512"); });
  expectFails("device 'cpu:sse2': expected a level of avx2, avx512 behind 'cpu:', got 'sse2'", [] { choose({"avx2"}, modern, "cpu:sse2"); });
}

} // namespace cedilla::test
