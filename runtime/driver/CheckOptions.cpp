//===- CheckOptions.cpp - which options go together ---------------------------------------------------===//

#include "runtime/driver/CheckOptions.h"

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"

#include <filesystem>

namespace cedilla {

void checkModel(const Options &o, bool deviceGiven) {
  if (o.reference) {
    if (!o.package.empty())
      fail(Err::Option, "--reference: runs no package, got '", o.package, "'");
    if (deviceGiven)
      fail(Err::Option, "--device: not with --reference");
    if (o.syntheticSeed)
      fail(Err::Option, "--synthetic-weights: not with --reference");
    if (o.engram != "auto")
      fail(Err::Option, "--engram: not with --reference");
    if (!o.twin.empty())
      fail(Err::Option, "--twin: not with --reference");
    if (o.check)
      fail(Err::Option, "--check: not with --reference");
    if (!o.ab.empty() || !o.compareDir.empty() || !o.recordPath.empty())
      fail(Err::Option, "--ab, --compare, --record: not with --reference");
    return;
  }
  if (!o.followPath.empty())
    fail(Err::Option, "--follow: only with --reference");
  if (o.woAFP8)
    fail(Err::Option, "--wo-a-activations: only with --reference; a package was compiled with one or the other");
  if (o.package.empty())
    fail(Err::Option, "expected a package, <file.ced>, or --reference <model-dir>", helpHint);
  if (o.modelDir.empty() && !o.syntheticSeed)
    fail(Err::Option, "expected --weights <model-dir>");
  if (!o.modelDir.empty() && o.syntheticSeed)
    fail(Err::Option, "expected one of --weights and --synthetic-weights");
}

void checkWork(const Options &o) {
  if (!o.packPath.empty())
    return; // nothing runs, see parseOptions
  if (o.count) {
    if (o.reference || !o.sequences.empty() || !o.goldenDir.empty() || !o.dumpPath.empty() || !o.twin.empty() || o.check)
      fail(Err::Option, "--count: not with --reference, --tokens, --tokens-file, --check-golden, --dump, --twin or --check");
    return;
  }
  if (!o.twin.empty() && (!o.goldenDir.empty() || o.dumpAll))
    fail(Err::Option, "--twin: not with --check-golden, --dump-all or --dump-golden");
  if (o.check && (!o.goldenDir.empty() || o.dumpAll || !o.twin.empty()))
    fail(Err::Option, "--check: not with --check-golden, --dump-all, --dump-golden or --twin");
  if (!o.followPath.empty()) {
    if (!o.sequences.empty() || !o.goldenDir.empty() || !o.dumpPath.empty() || o.count || o.woAFP8)
      fail(Err::Option, "--follow: not with --tokens, --tokens-file, --check-golden, --dump, --count or --wo-a-activations");
    return;
  }
  if ((!o.compareDir.empty() || !o.recordPath.empty()) &&
      (!o.goldenDir.empty() || o.dumpAll || !o.twin.empty() || o.check || !o.ab.empty() || o.repeat > 1))
    fail(Err::Option, "--compare, --record: not with --check-golden, --dump-all, --twin, --check, --ab or --repeat");
  if (!o.compareDir.empty() && o.syntheticSeed)
    fail(Err::Option, "--compare: not with --synthetic-weights, which no model directory holds");
  if (!o.ab.empty() && (!o.goldenDir.empty() || !o.dumpPath.empty() || !o.twin.empty() || o.check || o.repeat > 1 || o.count))
    fail(Err::Option, "--ab: not with --check-golden, --dump, --twin, --check, --count or --repeat");
  if (!o.goldenDir.empty()) {
    if (o.woAFP8)
      fail(Err::Option, "--check-golden: not with --wo-a-activations fp8, whose numbers are not the reference's");
    if (!o.sequences.empty() || !o.dumpPath.empty())
      fail(Err::Option, "--check-golden: not with --tokens or --dump");
    return;
  }
  if (o.maxMedian)
    fail(Err::Option, "--max-median: only with --check-golden");
  if (o.sequences.empty())
    fail(Err::Option, "expected --tokens, --tokens-file, --check-golden, --count or --pack");
  if (o.sequences.size() > 1 && !o.manySequences)
    fail(Err::Option, "--tokens: expected once; several sequences go into --tokens-file");
  if (!o.kinds.empty() &&
      (o.manySequences || o.kinds.size() != o.sequences[0].size()))
    fail(Err::Option, "--kinds: expected one kind for each of --tokens");
  if (!o.continueWith.empty() && o.manySequences)
    fail(Err::Option, "--continue-with: not with --tokens-file");
  if (o.dumpAll && o.dumpPath.empty())
    fail(Err::Option, o.dumpGolden ? "--dump-golden" : "--dump-all", ": needs --dump <file>");
}

/// Files that are there stay; a pack would become one that the reader looks for, whatever its name.
static void checkOutput(const std::string &option, const std::string &path, const Options &o) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (path.empty())
    return;
  for (const std::string &input : {o.package, o.modelDir, o.twin})
    if (!input.empty() && fs::equivalent(path, input, none))
      fail(Err::WriteFile, option, ": ", path, " cannot be written: it is read, too");
  fs::path place = fs::weakly_canonical(path, none).parent_path();
  for (const std::string &folder : {o.modelDir, o.compareDir})
    if (!folder.empty() && (fs::exists(path, none) || option == "--pack") && fs::equivalent(place, folder, none))
      fail(Err::WriteFile, option, ": ", path, " cannot be written: it would be a file of the model directory that is read");
}

void checkOutputs(const Options &o) {
  checkOutput("--dump", o.dumpPath, o);
  checkOutput("--record", o.recordPath, o);
  checkOutput("--pack", o.packPath, o);
}

} // namespace cedilla
