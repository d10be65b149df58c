//===- WorkspaceCheck.cpp - a dispatch writes its own results and nothing else ---------------------===//

#include "runtime/debug/WorkspaceCheck.h"

#include <algorithm>

namespace cedilla::debug {

/// Host-side bytes: a step's rows of each input that a session fills.
void WorkspaceCheck::begin() {
  workspace = engine.readWorkspace();
  inputs.clear();
  const std::vector<BufferInfo> &buffers = engine.manifest().buffers;
  for (size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].kind == "input")
      inputs.emplace_back(i, engine.read(i, engine.facts().maxRows));
}

std::string WorkspaceCheck::changedInput() const {
  for (const auto &[buffer, was] : inputs) {
    std::vector<std::byte> is = engine.read(buffer, engine.facts().maxRows);
    auto differ = std::mismatch(was.begin(), was.end(), is.begin());
    if (differ.first != was.end())
      return "byte " + std::to_string(differ.first - was.begin()) + " of the input '" + engine.manifest().buffers[buffer].name + "'";
  }
  return "";
}

/// The newest buffer that lies there; places are used again when what they held is not needed any more.
std::string WorkspaceCheck::nameOf(uint64_t byte, const Dispatch &dispatch, const std::vector<Dispatch> &list) const {
  std::string found = "byte " + std::to_string(byte) + " of the workspace, where nothing lies";
  for (const Dispatch &earlier : list) {
    for (size_t made : earlier.makes) {
      const BufferInfo &buffer = engine.manifest().buffers[made];
      if (byte >= buffer.offset && byte - buffer.offset < buffer.bytes)
        found = "byte " + std::to_string(byte - buffer.offset) + " of '" + buffer.name + "'" +
                (buffer.value.empty() ? "" : " (" + buffer.value + ")") + ", which dispatch " + std::to_string(earlier.index) +
                " '" + earlier.info->name + "' makes";
    }
    if (earlier.index == dispatch.index)
      break;
  }
  return found;
}

std::string WorkspaceCheck::changedBy(const Dispatch &dispatch, int64_t rows, const std::vector<Dispatch> &list) {
  std::vector<std::byte> now = engine.readWorkspace();
  // What it may write is taken over; what then still differs it may not have written.
  for (size_t made : dispatch.makes) {
    const BufferInfo &buffer = engine.manifest().buffers[made];
    uint64_t bytes = isScratch(buffer) ? buffer.bytes : engine.read(made, rows).size();
    std::copy_n(now.begin() + buffer.offset, bytes, workspace.begin() + buffer.offset);
  }
  auto differ = std::mismatch(workspace.begin(), workspace.end(), now.begin());
  std::string found = changedInput();
  if (differ.first != workspace.end())
    found = nameOf(differ.first - workspace.begin(), dispatch, list);
  workspace = std::move(now);
  return found;
}

} // namespace cedilla::debug
