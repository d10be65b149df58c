//===- GoldenSet.cpp - captured values of the published reference code ----------------------------===//

#include "runtime/check/GoldenSet.h"

#include "runtime/base/Error.h"
#include "runtime/check/Numbers.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace cedilla {

int64_t Capture::width() const {
  int64_t width = 1;
  for (size_t i = 1; i < shape.size(); ++i)
    width *= shape[i];
  return width;
}

template <typename T>
static std::vector<T> elements(const TensorView &tensor) {
  std::vector<T> values(tensor.bytes / sizeof(T));
  std::memcpy(values.data(), tensor.data, tensor.bytes);
  return values;
}

static Capture decode(const std::string &path, const TensorView &tensor) {
  Capture capture;
  capture.shape = tensor.shape;
  if (tensor.shape.empty())
    fail(Err::GoldenData, path, ": tensor '", tensor.name, "': expected at least one dim");
  if (tensor.dtype == "F32") {
    capture.floats = elements<float>(tensor);
  } else if (tensor.dtype == "BF16") {
    for (uint16_t bits : elements<uint16_t>(tensor))
      capture.floats.push_back(check::bf16ToFloat(bits));
  } else if (tensor.dtype == "I32") {
    capture.ints = elements<int32_t>(tensor);
  } else if (tensor.dtype == "BOOL") {
    for (uint8_t value : elements<uint8_t>(tensor))
      capture.ints.push_back(value);
  } else {
    fail(Err::GoldenData, path, ": tensor '", tensor.name, "': expected F32, BF16, I32 or BOOL, got ", tensor.dtype);
  }
  return capture;
}

static std::string goldenPath(const std::string &directory) {
  std::filesystem::path path = std::filesystem::path(directory) / "golden.safetensors";
  if (!std::filesystem::exists(path))
    fail(Err::GoldenData, directory, ": expected a file golden.safetensors");
  return path.string();
}

GoldenSet::GoldenSet(const std::string &directory) : file(goldenPath(directory)) {
  constexpr std::string_view ending = ".tokens";
  for (const auto &[name, tensor] : file.tensors())
    if (name.ends_with(ending) && name.find('.') == name.size() - ending.size())
      readPrompt(name.substr(0, name.size() - ending.size()));
  if (list.empty())
    fail(Err::GoldenData, path(), ": expected at least one prompt, 'P.tokens'");
  std::sort(list.begin(), list.end(), [](const GoldenPrompt &a, const GoldenPrompt &b) {
    return std::pair(a.size(), a.name) < std::pair(b.size(), b.name);
  });
}

const Capture *GoldenSet::load(const std::string &name) const {
  auto it = loaded.find(name);
  if (it != loaded.end())
    return &it->second;
  const TensorView *tensor = file.find(name);
  return tensor ? &loaded.emplace(name, decode(path(), *tensor)).first->second : nullptr;
}

const Capture &GoldenSet::need(const std::string &name) const {
  if (const Capture *capture = load(name))
    return *capture;
  fail(Err::GoldenData, path(), ": tensor '", name, "' is missing");
}

void GoldenSet::readPrompt(const std::string &name) {
  GoldenPrompt prompt;
  prompt.name = name;
  prompt.tokens = need(name + ".tokens").ints;
  prompt.rows = need(name + ".rows").ints;
  prompt.logits = need(name + ".logits");
  prompt.kinds.assign(prompt.tokens.size(), 0);
  if (const Capture *mask = load(name + ".image_mask"))
    prompt.kinds = mask->ints;
  if (prompt.tokens.empty() || prompt.kinds.size() != prompt.tokens.size() ||
      prompt.logits.rows() != prompt.size())
    fail(Err::GoldenData, path(), ": prompt '", name, "': tokens, image_mask and logits differ in length");
  for (size_t i = 0; i < prompt.rows.size(); ++i)
    if (prompt.rows[i] < 0 || prompt.rows[i] >= prompt.size() ||
        (i > 0 && prompt.rows[i] <= prompt.rows[i - 1]))
      fail(Err::GoldenData, path(), ": '", name, ".rows': expected ascending positions below ", prompt.size());
  if (const Capture *logits = load(name + ".dec.logits")) {
    prompt.decodeLogits = *logits;
    prompt.decodeTokens = need(name + ".dec.tokens").ints;
    if (int64_t(prompt.decodeTokens.size()) < logits->rows())
      fail(Err::GoldenData, path(), ": '", name, ".dec.tokens': expected at least ", logits->rows(), ", got ",
           prompt.decodeTokens.size());
    prompt.decodeTokens.resize(logits->rows());
  }
  list.push_back(std::move(prompt));
}

int64_t GoldenSet::longest() const {
  int64_t longest = 0;
  for (const GoldenPrompt &prompt : list)
    longest = std::max<int64_t>(longest, prompt.size() + prompt.decodeTokens.size());
  return longest;
}

void GoldenSet::checkAgainst(const ModelFacts &facts) const {
  if (longest() > facts.maxContext)
    fail(Err::GoldenData, path(), ": its longest prompt needs ", longest(), " tokens of context, the model has ",
         facts.maxContext);
  for (const GoldenPrompt &prompt : list) {
    if (prompt.logits.width() != facts.vocab)
      fail(Err::GoldenData, path(), ": '", prompt.name, ".logits': expected ", facts.vocab, " columns, got ",
           prompt.logits.width());
    for (int64_t layer = 0; layer < int64_t(facts.layers.size()); ++layer) {
      const Capture *x = find(prompt, layer, "x", prompt.rows.size());
      const Capture *pre = find(prompt, layer, "pre", prompt.rows.size());
      if (!x || !pre || x->width() != facts.streams * facts.hidden ||
          pre->width() != facts.streams)
        fail(Err::GoldenData, path(), ": '", prompt.name, ".l", layer, ".x' and '.pre': expected rows of ",
             facts.streams * facts.hidden, " and ", facts.streams,
             " values; the set is of another model");
    }
  }
}

const Capture *GoldenSet::find(const GoldenPrompt &prompt, const std::string &name,
                               int64_t rows) const {
  const Capture *capture = load(prompt.name + "." + name);
  if (capture && rows >= 0 && capture->rows() != rows)
    fail(Err::GoldenData, path(), ": '", prompt.name, ".", name, "': expected ", rows, " rows, got ",
         capture->rows());
  return capture;
}

} // namespace cedilla
