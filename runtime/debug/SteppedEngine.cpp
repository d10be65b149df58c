//===- SteppedEngine.cpp - a package that runs one dispatch at a time, watched ---------------------===//

#include "runtime/debug/SteppedEngine.h"

#include "runtime/base/Error.h"

#include <set>

namespace cedilla::debug {

std::vector<Dispatch> dispatchesOf(const ProgramInfo &program, const Manifest &manifest) {
  std::vector<Dispatch> list;
  std::set<size_t> made;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const StepInfo &info = program.steps[i];
    if (info.op != "dispatch")
      continue;
    Dispatch dispatch{&info, i, {}, {}, {}};
    std::set<size_t> seen;
    for (size_t buffer : info.buffers) {
      const std::string &kind = manifest.buffers[buffer].kind;
      if (!seen.insert(buffer).second)
        continue;
      if (kind == "state")
        dispatch.states.push_back(buffer);
      else if (kind == "workspace")
        (made.count(buffer) ? dispatch.reads : dispatch.makes).push_back(buffer);
    }
    made.insert(dispatch.makes.begin(), dispatch.makes.end());
    list.push_back(std::move(dispatch));
  }
  return list;
}

std::string describe(const Dispatch &dispatch, const Manifest &manifest) {
  return "layer " + std::to_string(dispatch.info->layer) + ", dispatch " + std::to_string(dispatch.index) + " '" +
         dispatch.info->name + "' (kernel '" + manifest.kernels[dispatch.info->kernel].name + "')";
}

SteppedEngine::SteppedEngine(std::unique_ptr<PackageEngine> engine) : package(std::move(engine)) {
  prefillList = dispatchesOf(package->program(/*decode=*/false), manifest());
  decodeList = dispatchesOf(package->program(/*decode=*/true), manifest());
}

void SteppedEngine::step(const StepRows &rows, bool decode, std::span<float> logits, const Observer &observer) {
  if (observer)
    fail(Err::Option, "a package that runs dispatch by dispatch shows no marks");
  package->beginStep(rows, decode, logits.size());
  begin(rows, decode);
  for (const Dispatch &dispatch : dispatches(decode)) {
    before(dispatch, rows);
    package->runDispatch(decode, dispatch.index, rows.size());
    after(dispatch, rows);
  }
  end(rows, decode);
  package->endStep(rows, decode, logits);
}

} // namespace cedilla::debug
