//===- Record.h - what a package computed, for the interpreter to follow ---------------------------===//
//
// A file of every value that has a name, and of caches and states behind every step. The interpreter computes the same
// steps, compares each value with the recorded one, and goes on with the recorded one: so each op is judged by what it
// was given (tools/ced-reference, `--follow`). Written where the device is, read wherever the model is.
//
//   manifest          U8   the package's manifest, JSON
//   <i>.rows          I32  [5, T] tokens, kinds, positions, slots, starts of step i
//   <i>.decode        I32  [1]
//   <i>.reset         I32  slots that were reset before the step; absent: none
//   <i>.value.<name>  U8   bytes of the buffer, the step's rows of it
//   <i>.state.<name>  U8   bytes of the whole cache or state
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/debug/SteppedEngine.h"
#include "runtime/io/Safetensors.h"

namespace cedilla::debug {

class RecordingEngine final : public SteppedEngine {
public:
  /// The file is written when the last step has been run, by `writer`, whose owner calls write().
  RecordingEngine(std::unique_ptr<PackageEngine> engine, std::shared_ptr<SafetensorsWriter> writer);

  void resetSlot(int64_t slot) override;

private:
  void begin(const StepRows &rows, bool decode) override;
  void after(const Dispatch &dispatch, const StepRows &rows) override;
  void end(const StepRows &rows, bool decode) override;
  void add(const std::string &name, std::span<const std::byte> bytes);

  std::shared_ptr<SafetensorsWriter> writer;
  std::vector<int32_t> resets;
  int64_t steps = 0;
};

} // namespace cedilla::debug
