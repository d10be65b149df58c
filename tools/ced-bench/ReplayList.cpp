//===- ReplayList.cpp - cases that a package carries with inputs and right results ------------===//

#include "tools/ced-bench/ReplayList.h"

#include "runtime/base/Error.h"

#include <algorithm>

using namespace cedilla::reference;

namespace cedilla::bench {

HostValue ReplayResult::like() const {
  if (kind == "f32")
    return Array<float>();
  if (kind == "bf16")
    return Array<BF16>();
  if (kind == "i32")
    return Array<int32_t>();
  if (kind == "i64")
    return Array<int64_t>();
  if (kind == "bytes")
    return PagedCache();
  if (kind != "scaled")
    fail(Err::NotToMeasure, "replay list: unknown kind of value '", kind, "'");
  ScaledArray value;
  value.shape = shape;
  value.format.element = fp4 ? ScaledFormat::Element::E2M1 : ScaledFormat::Element::E4M3;
  value.format.scale = e4m3Scales ? ScaledFormat::Scale::E4M3 : ScaledFormat::Scale::UE8M0;
  value.format.blockRows = blockRows;
  value.format.blockCols = blockCols;
  return value;
}

ReplayResult ReplayResult::of(const HostValue &value) {
  static constexpr const char *kinds[] = {"f32", "bf16", "i32", "i64", "scaled", "bytes", "bytes"};
  static_assert(std::size(kinds) == std::variant_size_v<HostValue>);
  ReplayResult result;
  result.kind = kinds[value.index()];
  if (const auto *scaled = std::get_if<ScaledArray>(&value)) {
    result.shape = scaled->shape;
    result.fp4 = scaled->format.isFP4();
    result.e4m3Scales = scaled->format.scale == ScaledFormat::Scale::E4M3;
    result.blockRows = scaled->format.blockRows;
    result.blockCols = scaled->format.blockCols;
  }
  return result;
}

std::vector<ReplayCase> readReplayList(const Package &package) {
  const std::vector<BufferInfo> &buffers = package.manifest().buffers;
  auto list = std::find_if(buffers.begin(), buffers.end(), [](const BufferInfo &buffer) {
    return buffer.kind == "constant" && buffer.name == replayListName;
  });
  if (list == buffers.end())
    fail(Err::NotToMeasure, package.path(), ": no cases to replay; ced-conformance --save writes such packages");
  std::span<const std::byte> text = package.constant(*list);
  std::vector<ReplayCase> cases;
  try {
    auto *begin = reinterpret_cast<const char *>(text.data());
    cases = nlohmann::json::parse(begin, begin + text.size());
  } catch (const nlohmann::json::exception &error) {
    fail(Err::NotToMeasure, package.path(), ": replay list: ", error.what());
  }
  auto check = [&](const std::vector<int64_t> &indices) {
    for (int64_t index : indices)
      if (index < 0 || uint64_t(index) >= buffers.size())
        fail(Err::NotToMeasure, package.path(), ": replay list: expected buffers below ", buffers.size(), ", got ", index);
  };
  for (const ReplayCase &each : cases) {
    check(each.buffers);
    check(each.written);
    for (const ReplayInput &input : each.generated)
      check({input.buffer});
    for (const ReplayResult &result : each.results) {
      check(result.found);
      check(result.expected);
    }
  }
  return cases;
}

} // namespace cedilla::bench
