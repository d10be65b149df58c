//===- Compare.cpp - what ced-run needs the interpreter for ----------------------------------------===//
//
// ced-run links no compiler. The program beside it does.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/ced-run/Compare.h"

#include "runtime/base/Error.h"
#include "runtime/debug/Record.h"
#include "runtime/driver/Options.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cedilla {

static std::string siblingPath() {
  std::error_code ignored;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (self.parent_path() / "ced-reference").string();
}

static std::string missing(const char *option, const std::string &sibling, int error) {
  return std::string(option) + ": cannot start '" + sibling + "': " + std::strerror(error) + "; build ced-reference beside ced-run";
}

int becomeReference(char **argv) {
  std::string sibling = siblingPath();
  execv(sibling.c_str(), argv);
  Error error(Err::NoSibling, Status::InvalidInput, missing("--reference", sibling, errno));
  std::fprintf(stderr, "error: %s\n", error.line().c_str());
  return static_cast<int>(Status::InvalidInput);
}

namespace {
/// A file of our own that goes away.
struct TemporaryFile {
  TemporaryFile() : path((std::filesystem::temp_directory_path() / "ced-compare.XXXXXX").string()) {
    int file = mkstemp(path.data());
    if (file < 0)
      fail(Err::WriteFile, path, ": ", std::strerror(errno));
    close(file);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  ~TemporaryFile() { unlink(path.c_str()); }
  std::string path;
};
} // namespace

static int runSibling(const std::string &sibling, std::vector<std::string> arguments) {
  std::vector<char *> argv = {const_cast<char *>(sibling.c_str())};
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  std::fflush(stdout);
  if (int error = posix_spawn(&child, sibling.c_str(), nullptr, nullptr, argv.data(), environ))
    fail(Err::NoSibling, missing("--compare", sibling, error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      failInternal("--compare: waiting for '", sibling, "': ", std::strerror(errno));
  if (!WIFEXITED(status))
    failInternal("--compare: '", sibling, "' ended with signal ", WTERMSIG(status));
  return WEXITSTATUS(status);
}

int runCompare(int argc, char **argv, const std::function<std::unique_ptr<PackageEngine>(const EngineRequest &)> &open) {
  Options options = parseOptions(argc, argv);
  std::string sibling = siblingPath();
  // Said before anything is run, which may take long.
  if (access(sibling.c_str(), X_OK) != 0)
    fail(Err::NoSibling, missing("--compare", sibling, errno));
  TemporaryFile file;
  const std::string &path = options.recordPath.empty() ? file.path : options.recordPath;
  auto writer = std::make_shared<SafetensorsWriter>(path);
  EngineRequest request = requestFor(options);
  request.record = path;
  {
    debug::RecordingEngine engine(open(request), writer);
    GenerateSettings settings;
    settings.maxNew = options.maxNew, settings.chunk = options.chunk, settings.sampler = options.sampler;
    settings.keepLogits = true;
    generate(engine, sequencesOf(options), settings);
    writer->write();
  }
  return runSibling(sibling, {"--reference", options.compareDir, "--follow", path});
}

} // namespace cedilla
