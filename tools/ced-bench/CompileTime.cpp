//===- CompileTime.cpp - how long the compiler takes --------------------------------------------===//
//
// Starts the ced-compile beside this program, once for each target, and shows the report it writes with what the system says of
// the process: time of processors includes the programs it starts (ptxas, the linker).
//
//===------------------------------------------------------------------------------------------===//

#include "tools/ced-bench/CompileTime.h"

#include "runtime/base/Error.h"
#include "runtime/base/Program.h"
#include "runtime/io/Json.h"
#include "runtime/io/OutputFile.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

namespace fs = std::filesystem;
extern char **environ;

namespace cedilla::bench {

const char *const compileUsage =
    "usage: ced-bench compile <model directory | config.json> [options]\n"
    "  seconds of each phase of ced-compile, its memory, distinct kernels and dispatches\n"
    "  --target NAME[:CHIP],..   each is compiled by itself (x86:avx2,nvptx:sm_90a)\n"
    "  --warm             each a second time, with what the first has left in a cache\n"
    "  --cache DIR        that cache (a folder that is empty and deleted at the end)\n"
    "  --json [FILE]      one JSON object instead of lines\n"
    "  -- ARGUMENT..      more arguments for ced-compile, as --max-context";

namespace {
struct Options {
  std::string model, cache, jsonFile;
  std::vector<std::string> targets = {"x86:avx2", "nvptx:sm_90a"}, more;
  bool warm = false, json = false;
};

/// A folder of our own that goes with the object.
struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "ced-bench-XXXXXX").string();
    if (!mkdtemp(name.data()))
      fail(Err::WriteFile, name, ": cannot be made: ", std::strerror(errno));
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};
} // namespace

static std::vector<std::string> splitList(const std::string &text) {
  std::vector<std::string> list;
  for (size_t begin = 0, comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = text.find(',', begin);
    list.push_back(text.substr(begin, comma == std::string::npos ? comma : comma - begin));
  }
  return list;
}

static Options parseOptions(int argc, char **argv) {
  Options o;
  for (int i = 0; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&]() -> std::string {
      if (i + 1 == argc)
        fail(Err::Option, argument, ": expected a value");
      return argv[++i];
    };
    if (argument == "--") {
      o.more.assign(argv + i + 1, argv + argc);
      break;
    }
    if (argument == "--target")
      o.targets = splitList(value());
    else if (argument == "--cache")
      o.cache = value();
    else if (argument == "--warm")
      o.warm = true;
    else if (argument == "--json") {
      o.json = true;
      if (i + 1 < argc && argv[i + 1][0] != '-' && !o.model.empty())
        o.jsonFile = argv[++i];
    } else if (argument.starts_with("--") || !o.model.empty())
      fail(Err::Option, "unknown argument '", argument, "'", helpHint);
    else
      o.model = argument;
  }
  if (o.model.empty())
    fail(Err::Option, "expected a model", helpHint);
  return o;
}

//===------------------------------------------------------------------------------------------===//
// Running it
//===------------------------------------------------------------------------------------------===//

static std::string findCompiler() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  fs::path compiler = self.parent_path() / "ced-compile";
  if (!fs::exists(compiler, error))
    fail(Err::NoSibling, "expected the program '", compiler.string(), "' beside this one, found none: build ced-compile");
  return compiler.string();
}

static double seconds(const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; }

/// What it says goes where ours does. Fails with its exit code.
static rusage runProgramOf(const std::vector<std::string> &arguments) {
  std::vector<char *> list;
  for (const std::string &argument : arguments)
    list.push_back(const_cast<char *>(argument.c_str()));
  list.push_back(nullptr);
  pid_t child;
  if (int error = posix_spawn(&child, list[0], nullptr, nullptr, list.data(), environ))
    fail(Err::NoSibling, "cannot start '", arguments[0], "': ", std::strerror(error));
  int status = 0;
  rusage usage;
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR)
      failInternal("wait4: ", std::strerror(errno));
  if (!WIFEXITED(status))
    failInternal(arguments[0], " was ended by signal ", WTERMSIG(status));
  if (WEXITSTATUS(status) == int(Status::InvalidInput))
    fail(Err::Option, arguments[0], " ended with exit code ", WEXITSTATUS(status), ", see its message above");
  if (WEXITSTATUS(status) != 0)
    failInternal(arguments[0], " ended with exit code ", WEXITSTATUS(status));
  return usage;
}

static nlohmann::json compileOnce(const Options &o, const std::string &target, const std::string &cache, const Folder &folder) {
  std::string report = folder.path / "report.json", package = folder.path / "package.ced";
  std::vector<std::string> arguments = {findCompiler(), o.model, "--target", target, "-o", package, "--report", report};
  if (!cache.empty())
    arguments.insert(arguments.end(), {"--cache", cache});
  arguments.insert(arguments.end(), o.more.begin(), o.more.end());
  auto start = std::chrono::steady_clock::now();
  rusage usage = runProgramOf(arguments);
  std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  nlohmann::json result = parseJsonFile(report);
  result["target"] = target;
  result["seconds"] = wall.count();
  result["cpu_seconds"] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result["package_bytes"] = fs::file_size(package);
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Showing it
//===------------------------------------------------------------------------------------------===//

static void print(const nlohmann::json &run) {
  std::printf("%s%s:\n", run["target"].get<std::string>().c_str(), run["warm"] ? ", again" : "");
  for (const nlohmann::json &phase : run["phases"])
    std::printf("  %-9s %7.2f s, %7.2f s of processors\n", phase["name"].get<std::string>().c_str(), phase["seconds"].get<double>(),
                phase["cpu_seconds"].get<double>());
  std::printf("  %-9s %7.2f s, %7.2f s of processors, %.0f MB of memory (%.0f MB the largest program it starts)\n", "all",
              run["seconds"].get<double>(), run["cpu_seconds"].get<double>(), run["memory"].get<double>() / 1e6,
              run["memory_of_programs"].get<double>() / 1e6);
  for (const nlohmann::json &code : run["codes"])
    std::printf("  %lld kernels for %lld dispatches, made as %lld objects, %lld of them from the cache, %.1f MB of code\n",
                code["kernels"].get<long long>(), code["dispatches"].get<long long>(), code["objects"].get<long long>(),
                code["cached"].get<long long>(), code["bytes"].get<double>() / 1e6);
  std::fflush(stdout);
}

int compileMain(int argc, char **argv) {
  Options o = parseOptions(argc, argv);
  Folder folder;
  std::string cache = !o.cache.empty() ? o.cache : o.warm ? (folder.path / "cache").string() : "";
  nlohmann::json runs = nlohmann::json::array();
  for (const std::string &target : o.targets)
    for (bool warm : {false, true}) {
      if (warm && !o.warm)
        continue;
      runs.push_back(compileOnce(o, target, cache, folder));
      runs.back()["warm"] = warm;
      if (!o.json)
        print(runs.back());
    }
  std::string text = nlohmann::json{{"model", o.model}, {"runs", runs}}.dump(1) + "\n";
  if (o.json && o.jsonFile.empty())
    std::printf("%s", text.c_str());
  if (!o.jsonFile.empty()) {
    OutputFile file(o.jsonFile);
    file.write(std::as_bytes(std::span(text)));
    file.keep();
  }
  return 0;
}

} // namespace cedilla::bench
