//===- PackageCode.cpp - the programs of a package that a device runs ------------------------------===//

#include "runtime/session/PackageCode.h"

#include "runtime/base/Error.h"

#include <climits>

namespace cedilla {

/// "x86 avx2, nvptx sm_90a": everything that the package has programs for.
static std::string contentsOf(const Manifest &manifest) {
  std::string text;
  for (const ProgramInfo &program : manifest.programs) {
    CodeKind kind = codeOf(manifest, program);
    std::string each = kind.target + " " + kind.chip;
    if (text.find(each) == std::string::npos)
      text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

PackageCode::PackageCode(const Package &package, Device &device) : package(package), device(device) {
  const Manifest &manifest = package.manifest();
  if (manifest.programs.empty())
    fail(Err::NoProgram, package.path(), ": the package has no program");
  std::string refusals;
  Err number = Err::ChipFeatures;
  int best = INT_MIN;
  for (const ProgramInfo &program : manifest.programs) {
    CodeKind kind = codeOf(manifest, program);
    if (!device.runs(kind.target) || device.rankChip(kind.chip) <= best)
      continue;
    try {
      device.checkChip(kind.chip);
      chosen = kind;
      best = device.rankChip(kind.chip);
    } catch (const Error &error) {
      number = error.number();
      if (refusals.find(error.what()) == std::string::npos)
        refusals += (refusals.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (best != INT_MIN)
    return;
  if (refusals.empty())
    fail(Err::NoCode, package.path(), ": device '", device.name(), "' runs target '", device.target(),
         "', the package holds ", contentsOf(manifest));
  fail(number, package.path(), ": ", refusals);
}

PackageCode::~PackageCode() {
  for (void *module : modules)
    if (module)
      device.unloadModule(module);
}

void PackageCode::load() {
  const Manifest &manifest = package.manifest();
  modules.resize(manifest.objects.size(), nullptr);
  kernels.resize(manifest.kernels.size(), nullptr);
  for (const ProgramInfo &program : manifest.programs)
    for (const StepInfo &step : program.steps) {
      if (!isChosen(program) || step.op != "dispatch" || kernels[step.kernel])
        continue;
      const KernelInfo &kernel = manifest.kernels[step.kernel];
      const ObjectInfo &object = manifest.objects[kernel.object];
      std::string where = package.path() + ": object " + std::to_string(kernel.object) + " (" +
                          object.target + " " + object.chip + ")";
      void *&module = modules[kernel.object];
      if (!module)
        module = device.loadModule(package.object(kernel.object), object, where);
      kernels[step.kernel] = device.getKernel(module, kernel, where);
    }
}

const ProgramInfo *PackageCode::program(std::string_view name) const {
  for (const ProgramInfo &program : package.manifest().programs)
    if (isChosen(program) && program.name == name)
      return &program;
  return nullptr;
}

} // namespace cedilla
