//===- HyperConnectionTest.cpp - rmsnorm, sinkhorn, mix -------------------------------------------===//

#include "dialects/ced/reference/HyperConnection.h"
#include "dialects/ced/reference/Norm.h"
#include "test/dialects/ced/reference/Golden.h"

namespace cedilla::reference {

static void compareMix(Report &report, const Golden &golden, const std::string &group,
                       const std::string &name, const Mix &mix, double tolerance) {
  report.absolute(group, name + ".pre", mix.pre, golden.f32(name + ".pre"), tolerance);
  report.absolute(group, name + ".post", mix.post, golden.f32(name + ".post"), tolerance);
  report.absolute(group, name + ".comb", mix.comb, golden.f32(name + ".comb"), tolerance);
}

static void checkSinkhorn(const Golden &golden, Report &report, const std::string &name) {
  const nlohmann::json &parameters = golden.cases()[name];
  MixParameters mixing;
  mixing.iters = parameters["iters"];
  mixing.eps = parameters["eps"];
  Mix mix = splitMix(golden.f32(name + ".mixes"), golden.f32(name + ".scale"),
                     golden.f32(name + ".base"), 4, mixing);
  compareMix(report, golden, "sinkhorn", name, mix, 3e-7);
}

void checkHyperConnection(const Golden &golden, Report &report) {
  report.ulps("rmsnorm", "rmsnorm.y",
              rmsNorm(golden.bf16("rmsnorm.x"), golden.bf16("rmsnorm.w"), 1e-20f),
              golden.bf16("rmsnorm.y"), 1);
  checkSinkhorn(golden, report, "sinkhorn.real");
  checkSinkhorn(golden, report, "sinkhorn.short");

  Array<BF16> x = golden.bf16("mix.x");
  Mix mix = hcMix(x, golden.f32("mix.fn"), golden.f32("mix.scale"), golden.f32("mix.base"), {});
  compareMix(report, golden, "mix", "mix", mix, 1e-6);
  // The captured coefficients go in, so that only the op at hand is judged.
  report.ulps("mix", "mix.collapse", hcCollapse(x, golden.f32("mix.pre")),
              golden.bf16("mix.collapse"), 1);
  report.ulps("mix", "mix.x_next",
              hcPost(golden.bf16("mix.y"), x, golden.f32("mix.post"), golden.f32("mix.comb")),
              golden.bf16("mix.x_next"), 1);
}

} // namespace cedilla::reference
