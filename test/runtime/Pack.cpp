//===- Pack.cpp - ced-test-pack: a package from a hand-written manifest ---------------------------===//
//
//   ced-test-pack <manifest.json> <image> <out.ced> [/json/pointer=value ...]
//
// The image becomes the code of every object and the constants section holds the manifest's "testConstants" (floats).
// Pointers replace values before anything is checked, so that a test can write a package with one
// mistake.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Program.h"
#include "runtime/io/Json.h"
#include "runtime/io/MappedFile.h"
#include "runtime/package/Package.h"

using namespace cedilla;

static void replace(nlohmann::json &json, const std::string &change) {
  size_t equals = change.find('=');
  if (equals == std::string::npos)
    fail(Err::Unnumbered, "expected /json/pointer=value, got '", change, "'");
  json[nlohmann::json::json_pointer(change.substr(0, equals))] =
      nlohmann::json::parse(change.substr(equals + 1));
}

static void pack(int argc, char **argv) {
  if (argc < 4)
    fail(Err::Unnumbered, "expected <manifest.json> <image> <out.ced> [/json/pointer=value ...]");
  nlohmann::json json = parseJsonFile(argv[1]);
  MappedFile image(argv[2]);
  for (nlohmann::json &object : json["objects"])
    object["offset"] = 0, object["bytes"] = image.size();
  for (int i = 4; i < argc; ++i)
    replace(json, argv[i]);
  std::vector<float> constants = json.value("testConstants", std::vector<float>());
  json.erase("testConstants");
  writePackage(argv[3], json.get<Manifest>(), {image.data(), image.size()},
               std::as_bytes(std::span(constants)));
}

int main(int argc, char **argv) {
  return runProgram([&] { return pack(argc, argv), 0; });
}
