//===- Recording.cpp - a file of runtime/debug/Record.h, read --------------------------------------===//

#include "tools/ced-reference/Recording.h"

#include "runtime/base/Error.h"
#include "runtime/package/Package.h"

#include <cstring>

namespace cedilla {

Recording::Recording(const std::string &path) : file(path) {
  const TensorView &text = get("manifest");
  auto *begin = reinterpret_cast<const char *>(text.data);
  try {
    theManifest = nlohmann::json::parse(begin, begin + text.bytes).get<Manifest>();
    constexpr uint64_t unknown = uint64_t(1) << 56; // the package's sections are not in the recording
    checkManifest(theManifest, unknown, unknown, path + ": manifest");
  } catch (const nlohmann::json::exception &error) {
    fail(Err::GoldenData, path, ": manifest: ", error.what());
  }
  for (size_t number = 0; file.find(std::to_string(number) + ".rows"); ++number)
    readStep(number);
  if (list.empty())
    fail(Err::GoldenData, path, ": expected at least one step, got none");
  for (bool decode : {false, true})
    findMakers(decode);
}

const TensorView &Recording::get(const std::string &name) const {
  const TensorView *found = file.find(name);
  if (!found)
    fail(Err::GoldenData, file.path(), ": expected '", name, "', as ced-run --record writes it, got none");
  return *found;
}

static std::vector<int32_t> integersOf(const TensorView &view) {
  std::vector<int32_t> numbers(view.bytes / sizeof(int32_t));
  std::memcpy(numbers.data(), view.data, numbers.size() * sizeof(int32_t));
  return numbers;
}

void Recording::readStep(size_t number) {
  std::string prefix = std::to_string(number) + ".";
  std::vector<int32_t> all = integersOf(get(prefix + "rows")), flag = integersOf(get(prefix + "decode"));
  if (all.empty() || all.size() % 5 || flag.size() != 1)
    fail(Err::GoldenData, file.path(), ": step ", number, ": expected five columns of rows and a flag, got ", all.size(), " and ", flag.size(), " numbers");
  RecordedStep step{{}, flag[0] != 0, {}};
  auto part = all.begin();
  int64_t count = all.size() / 5;
  for (std::vector<int32_t> *column : {&step.rows.tokens, &step.rows.kinds, &step.rows.positions, &step.rows.slots, &step.rows.starts})
    column->assign(part, part + count), part += count;
  if (const TensorView *resets = file.find(prefix + "reset"))
    step.resets = integersOf(*resets);
  list.push_back(std::move(step));
}

/// A package of several chips has programs for each; they name the same values, and the first one is spoken of.
void Recording::findMakers(bool decode) {
  for (const ProgramInfo &program : theManifest.programs) {
    if (program.name != (decode ? "decode" : "prefill"))
      continue;
    for (size_t i = 0; i < program.steps.size(); ++i)
      for (int64_t buffer : program.steps[i].buffers) {
        const StepInfo &step = program.steps[i];
        if (step.op != "dispatch" || step.kernel < 0 || size_t(step.kernel) >= theManifest.kernels.size() || buffer < 0 ||
            size_t(buffer) >= theManifest.buffers.size())
          continue;
        const BufferInfo &info = theManifest.buffers[buffer];
        if (!info.value.empty())
          makers.try_emplace({decode, info.value}, MadeBy{&step, i, &theManifest.kernels[step.kernel], &info});
      }
    return;
  }
}

const TensorView *Recording::value(size_t step, const std::string &name) const {
  return file.find(std::to_string(step) + ".value." + name);
}

const TensorView *Recording::state(size_t step, const std::string &name) const {
  return file.find(std::to_string(step) + ".state." + name);
}

const MadeBy *Recording::maker(bool decode, const std::string &value) const {
  auto found = makers.find({decode, value});
  return found == makers.end() ? nullptr : &found->second;
}

} // namespace cedilla
