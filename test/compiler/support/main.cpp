//===- main.cpp - ced-test-support: any configuration is planned or refused by name ---------------------===//
//
//   ced-test-support <config.json> <count> [--seed N] [--first N] [--emit-every N] [--keep DIR]
//   ced-test-support <config.json> <count> --write DIR [--seed N] [--first N]
//
// Configurations by chance, made from the given one, go through import, plan and support, each in a child of its own: one
// that crashes, hangs or fails in any other way is shown with its number (the run can be repeated with `--only N`) and kept
// under DIR. Every Nth that is planned is compiled up to its machine code, too: nothing may be refused there any more.
// With --write, small ones that are accepted are written to DIR/<number>.json, for who runs them.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/support/Support.h"
#include "compiler/import/ReadConfig.h"
#include "runtime/base/Program.h"
#include "runtime/io/Json.h"
#include "test/compiler/support/RandomConfig.h"

#include "mlir/IR/MLIRContext.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cedilla;
using namespace cedilla::property;

namespace {
struct Options {
  std::string config, keep, write;
  int64_t count = 0, seed = 1, first = 0, only = -1, emitEvery = 0;
};

/// Of one child.
enum Outcome { Planned = 0, Faulty = 1, Refused = 2 };
} // namespace

/// Of processor time: on a machine with other work a clock would measure that. The clock is for one that waits for ever.
static constexpr unsigned secondsPerCase = 300, waitingPerCase = 3600;

static SupportRequest randomRequest(const nlohmann::json &base, const Options &options, int64_t number) {
  Chance chance(uint64_t(options.seed) * 1000003 + uint64_t(number));
  SupportRequest request;
  request.file = "config.json";
  bool small = !options.write.empty();
  request.document = randomConfig(base, chance, {.small = small, .legal = small});
  request.target.name = chance.of<const char *>({"x86", "x86", "nvptx", "null"});
  if (request.target.name == "nvptx")
    request.target.chip = chance.of<const char *>({"sm_90a", "sm_80"});
  request.schedule = chance.of<const char *>({"fused", "fused", "paper", "split", "auto", "random:7"});
  request.nearest = chance.oneIn(16);
  if (small) {
    request.target = {"x86", ""}, request.schedule = "auto", request.nearest = false;
  } else if (chance.oneIn(4)) {
    request.limits.maxContext = chance.of<int64_t>({1, 64, 65, 4096, 5000, 1 << 20});
    request.limits.maxBatch = chance.of<int64_t>({1, 2, 33, 1 << 16});
    request.limits.maxRows = chance.of<int64_t>({1, 2, 257, 8192, 1 << 21});
  }
  return request;
}

//===------------------------------------------------------------------------------------------===//
// One case
//===------------------------------------------------------------------------------------------===//

/// The line names a field of the file, a limit, a kernel or the memory, and is one line.
static bool isNamed(const std::string &line) {
  bool place = line.starts_with("config.json: ") || line.starts_with("--") || line.starts_with("kernel ") || line.starts_with("memory: ");
  return place && line.find('\n') == std::string::npos && line.size() < 2000;
}

/// What was accepted compiles: an error is a late refusal.
static std::string emit(mlir::MLIRContext &context, const SupportRequest &request) {
  ModelConfig config = readModelConfig(request.file, request.document);
  CompileOptions compile;
  compile.input = request.file, compile.model = &config, compile.to = "target";
  compile.targets = {request.target}, compile.schedule = request.schedule, compile.graph = request.limits;
  std::string said;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    said += diagnostic.str() + "; ";
    return mlir::success();
  });
  try {
    runPhases(context, compile);
    return "";
  } catch (const Error &error) {
    return "refused late: " + said + error.what();
  }
}

/// Text of the outcome to `out`.
static Outcome runCase(mlir::MLIRContext &context, const SupportRequest &request, bool emits, std::ostream &out) {
  try {
    SupportReport report = checkSupport(context, request);
    for (const Miss &miss : report.misses) {
      out << miss.line() << "\n";
      if (!isNamed(miss.line()) || !isNamed(miss.why))
        return out << "is not a named refusal in one line\n", Faulty;
    }
    if (!report.runs())
      return Refused;
    std::string late = emits ? emit(context, request) : "";
    out << late;
    return late.empty() ? Planned : Faulty;
  } catch (...) {
    out << "exception: " << currentError().what();
    return Faulty;
  }
}

/// In a child. Its text is what it wrote, and why it ended where that was no exit.
static Outcome runApart(mlir::MLIRContext &context, const SupportRequest &request, bool emits, std::string &text) {
  int ends[2];
  if (::pipe(ends))
    failInternal("pipe: ", std::strerror(errno));
  std::cout.flush();
  pid_t child = ::fork();
  if (child < 0)
    failInternal("fork: ", std::strerror(errno));
  if (child == 0) {
    ::close(ends[0]);
    ::dup2(ends[1], 2); // asserts, too
    rlimit limit{secondsPerCase, secondsPerCase};
    ::setrlimit(RLIMIT_CPU, &limit);
    ::alarm(waitingPerCase);
    std::ostringstream out;
    Outcome outcome = runCase(context, request, emits, out);
    std::string said = out.str();
    [[maybe_unused]] ssize_t written = ::write(ends[1], said.data(), std::min<size_t>(said.size(), 60000));
    ::_exit(outcome);
  }
  ::close(ends[1]);
  char bytes[4096];
  for (ssize_t got; (got = ::read(ends[0], bytes, sizeof bytes)) > 0;)
    text.append(bytes, got);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    text += std::string("\nended by ") + ::strsignal(WTERMSIG(status));
  return WIFEXITED(status) ? Outcome(WEXITSTATUS(status)) : Faulty;
}

//===------------------------------------------------------------------------------------------===//
// All
//===------------------------------------------------------------------------------------------===//

static void writeJson(const std::string &folder, int64_t number, const nlohmann::json &document) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/" + std::to_string(number) + ".json") << document.dump(1);
}

static int runAll(const Options &options) {
  nlohmann::json base = parseJsonFile(options.config);
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::map<int, int64_t> counts;
  int64_t written = 0;
  bool writes = !options.write.empty();
  // Small ones are written until there are enough.
  int64_t end = options.first + options.count * (writes ? 100 : 1);
  for (int64_t number = options.first; number < end && !(writes && written == options.count); ++number) {
    if (options.only >= 0 && number != options.only)
      continue;
    SupportRequest request = randomRequest(base, options, number);
    std::string text;
    bool emits = options.emitEvery && counts[Planned] % options.emitEvery == 0;
    auto begin = std::chrono::steady_clock::now();
    Outcome outcome = runApart(context, request, emits, text);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ++counts[outcome];
    if (outcome != Planned && outcome != Refused) {
      std::cout << "case " << number << " (" << request.target.name << " " << request.target.chip << ", " << request.schedule
                << "): " << text << "\n";
      if (!options.keep.empty())
        writeJson(options.keep, number, request.document);
    } else if (options.only >= 0) {
      std::cout << text << seconds << " s\n";
    }
    if (writes && outcome == Planned)
      writeJson(options.write, written++, request.document);
    if (number % 500 == 499)
      std::cerr << number + 1 << ": " << counts[Planned] << " planned, " << counts[Refused] << " refused\n";
  }
  int64_t all = 0;
  for (auto [outcome, count] : counts)
    all += count;
  std::cout << all << " configs: " << counts[Planned] << " planned, " << counts[Refused] << " refused, "
            << all - counts[Planned] - counts[Refused] << " faults\n";
  return all - counts[Planned] - counts[Refused] ? 1 : 0;
}

int main(int argc, char **argv) {
  return runProgram([&] {
    Options options;
    if (argc < 3 || argc % 2 == 0)
      fail(Err::Unnumbered, "usage: ced-test-support <config.json> <count> [--seed N] [--first N] [--only N] [--emit-every N] [--keep DIR] [--write DIR]");
    options.config = argv[1], options.count = std::stoll(argv[2]);
    for (int i = 3; i + 1 < argc; i += 2) {
      std::string name = argv[i], value = argv[i + 1];
      if (name == "--keep" || name == "--write")
        (name == "--keep" ? options.keep : options.write) = value;
      else if (name == "--seed" || name == "--first" || name == "--only" || name == "--emit-every")
        (name == "--seed" ? options.seed : name == "--first" ? options.first : name == "--only" ? options.only : options.emitEvery) =
            std::stoll(value);
      else
        fail(Err::Unnumbered, "unknown option ", name);
    }
    return runAll(options);
  });
}
