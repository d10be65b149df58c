//===- Recording.h - a file of runtime/debug/Record.h, read ----------------------------------------===//

#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/io/Safetensors.h"
#include "runtime/package/Manifest.h"

#include <map>
#include <optional>

namespace cedilla {

/// Which dispatch left a value.
struct MadeBy {
  const StepInfo *step;
  size_t index;
  const KernelInfo *kernel;
  const BufferInfo *buffer;
};

struct RecordedStep {
  StepRows rows;
  bool decode;
  std::vector<int32_t> resets;
};

class Recording {
public:
  /// Fails, naming what is missing, where the file is none.
  explicit Recording(const std::string &path);

  const Manifest &manifest() const { return theManifest; }
  const std::vector<RecordedStep> &steps() const { return list; }
  /// Null when it was not recorded.
  const TensorView *value(size_t step, const std::string &name) const;
  const TensorView *state(size_t step, const std::string &name) const;
  /// Null when no dispatch of the program leaves it.
  const MadeBy *maker(bool decode, const std::string &value) const;

private:
  const TensorView &get(const std::string &name) const;
  void readStep(size_t number);
  void findMakers(bool decode);

  SafetensorsFile file;
  Manifest theManifest;
  std::vector<RecordedStep> list;
  std::map<std::pair<bool, std::string>, MadeBy> makers;
};

} // namespace cedilla
