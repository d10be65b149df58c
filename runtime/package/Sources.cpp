//===- Sources.cpp - digests of a configuration and of side files ------------------------------------===//

#include "runtime/package/Sources.h"

#include "runtime/base/Error.h"
#include "runtime/io/Json.h"
#include "runtime/io/Safetensors.h"
#include "runtime/package/Layout.h"

#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;

namespace cedilla {

std::string digestOf(std::span<const std::byte> bytes) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(layout::hash(bytes)));
  return text;
}

std::string digestOf(std::string_view text) { return digestOf(std::as_bytes(std::span(text))); }

std::string configDigest(const std::string &path) {
  static constexpr const char *harmless[] = {
      "architectures", "model_type",        "transformers_version", "bos_token_id",
      "pad_token_id",  "initializer_range", "use_cache",            "attention_dropout"};
  nlohmann::json document = parseJsonFile(path), fields = nlohmann::json::object();
  if (!document.is_object())
    fail(Err::Json, path, ": /: expected an object");
  // A text config may stand by itself; null is absent.
  for (const nlohmann::json &place : {document, document.value("text_config", nlohmann::json())})
    if (place.is_object())
      for (const auto &[key, value] : place.items())
        if (!value.is_null() && key != "text_config")
          fields[key] = value;
  for (const char *key : harmless)
    fields.erase(key);
  return digestOf(fields.dump());
}

void checkSources(const Manifest &manifest, const Checkpoint &checkpoint) {
  for (const SourceInfo &source : manifest.sources) {
    std::string found, file = checkpoint.directory() + "/" + source.name;
    std::error_code ignored;
    if (source.name == kConfigSource && fs::exists(file, ignored))
      found = configDigest(file);
    else if (const TensorView *tensor = checkpoint.find(source.name))
      found = digestOf({tensor->data, tensor->bytes});
    if (!found.empty() && found != source.digest)
      fail(Err::OtherModel, file, ": expected what the package was compiled with (digest ", source.digest,
           "), got other contents (", found, "): compile the model again");
  }
}

} // namespace cedilla
