//===- Assembler.cpp - PTX to cubin with NVIDIA's ptxas ---------------------------------------===//

#include "compiler/target/nvptx/Assembler.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===------------------------------------------------------------------------------------------===//
// Finding it
//===------------------------------------------------------------------------------------------===//

static std::string environment(const char *name) {
  return llvm::sys::Process::GetEnv(name).value_or("");
}

static std::string joined(StringRef folder, StringRef rest) {
  SmallString<256> whole(folder);
  path::append(whole, rest);
  return std::string(whole);
}

/// <root>/lib/python*/site-packages/nvidia/*/bin, where pip's nvidia-cuda-nvcc puts it.
static void addPipFolders(StringRef root, std::vector<std::string> &folders) {
  std::error_code error;
  for (fs::directory_iterator python(joined(root, "lib"), error), end; !error && python != end;
       python.increment(error)) {
    if (!path::filename(python->path()).starts_with("python"))
      continue;
    std::error_code inner;
    std::string packages = joined(python->path(), "site-packages/nvidia");
    for (fs::directory_iterator package(packages, inner); !inner && package != end;
         package.increment(inner))
      folders.push_back(joined(package->path(), "bin"));
  }
}

FailureOr<std::string> nvptx::findAssembler(std::string &message) {
  if (std::string given = environment("CEDILLA_PTXAS"); !given.empty()) {
    if (fs::can_execute(given))
      return given;
    message = "CEDILLA_PTXAS: expected a program, got '" + given + "'";
    return failure();
  }
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;

  std::vector<std::string> folders;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string root = environment(name); !root.empty())
      folders.push_back(joined(root, "bin"));
  folders.push_back("/usr/local/cuda/bin");
  if (std::string root = environment("VIRTUAL_ENV"); !root.empty())
    addPipFolders(root, folders);
  if (std::string home = environment("HOME"); !home.empty())
    addPipFolders(joined(home, ".local"), folders);
  if (auto python = llvm::sys::findProgramByName("python3")) {
    SmallString<256> real;
    if (!fs::real_path(*python, real))
      addPipFolders(path::parent_path(path::parent_path(real)), folders);
  }
  for (const std::string &folder : folders)
    if (std::string program = joined(folder, "ptxas"); fs::can_execute(program))
      return program;
  message = "no ptxas found on PATH, in CUDA_HOME, CUDA_PATH or /usr/local/cuda, or among Python's "
            "packages; install the "
            "CUDA toolkit or 'pip install nvidia-cuda-nvcc', or set CEDILLA_PTXAS";
  return failure();
}

//===------------------------------------------------------------------------------------------===//
// Its report
//===------------------------------------------------------------------------------------------===//

/// The number before `word` in a line like "0 bytes stack frame, 8 bytes spill stores".
static uint64_t numberBefore(StringRef line, StringRef word) {
  size_t at = line.find(word);
  if (at == StringRef::npos)
    return 0;
  StringRef before = line.take_front(at).rtrim();
  size_t digits = before.find_last_not_of("0123456789");
  uint64_t value = 0;
  before.drop_front(digits == StringRef::npos ? 0 : digits + 1).getAsInteger(10, value);
  return value;
}

std::vector<KernelUsage> nvptx::parseUsage(StringRef report) {
  // Compiling entry function 'k' for 'sm_90a' / Function properties for k /
  //   0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads / Used 40 registers, 512 bytes
  //   smem
  std::vector<KernelUsage> kernels;
  for (StringRef line : llvm::split(report, '\n')) {
    size_t entry = line.find("entry function '");
    if (entry != StringRef::npos) {
      StringRef name = line.drop_front(entry).split('\'').second.split('\'').first;
      kernels.emplace_back().symbol = name.str();
      continue;
    }
    if (kernels.empty())
      continue;
    KernelUsage &last = kernels.back();
    if (line.contains("bytes stack frame")) {
      last.stackBytes = numberBefore(line, " bytes stack frame");
      last.spillBytes =
          numberBefore(line, " bytes spill stores") + numberBefore(line, " bytes spill loads");
    }
    if (line.contains("Used ")) {
      last.registers = numberBefore(line, " registers");
      last.sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  return kernels;
}

int64_t nvptx::parseVersion(StringRef report) {
  StringRef version = report.split("release ").second;
  int64_t major = 0, minor = 0;
  if (version.consumeInteger(10, major) || !version.consume_front(".") ||
      version.consumeInteger(10, minor))
    return 0;
  return 1000 * major + 10 * minor;
}

//===------------------------------------------------------------------------------------------===//
// Running it
//===------------------------------------------------------------------------------------------===//

namespace {
/// A file of our own in the system's temporary folder that goes with the object.
struct TemporaryFile {
  explicit TemporaryFile(StringRef suffix) {
    error = fs::createTemporaryFile("cedilla", suffix, name);
    llvm::sys::RemoveFileOnSignal(name);
  }
  ~TemporaryFile() {
    fs::remove(name);
    llvm::sys::DontRemoveFileOnSignal(name);
  }
  SmallString<128> name;
  std::error_code error;
};
} // namespace

static std::string contents(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

const std::string &nvptx::describeAssembler() {
  static const std::string said = [] {
    std::string message;
    FailureOr<std::string> program = findAssembler(message);
    TemporaryFile report("log");
    std::optional<StringRef> redirects[] = {std::nullopt, report.name.str(), report.name.str()};
    if (failed(program) || report.error ||
        llvm::sys::ExecuteAndWait(*program, {*program, "--version"}, std::nullopt, redirects) != 0)
      return std::string();
    return contents(report.name);
  }();
  return said;
}

FailureOr<Assembled> nvptx::assemble(StringRef ptx, StringRef chip, std::string &message, bool lineInfo) {
  FailureOr<std::string> program = findAssembler(message);
  if (failed(program))
    return failure();
  TemporaryFile source("ptx"), target("cubin"), report("log");
  for (const TemporaryFile *file : {&source, &target, &report})
    if (file->error) {
      message = "cannot make a temporary file: " + file->error.message();
      return failure();
    }
  std::error_code error;
  {
    llvm::raw_fd_ostream out(source.name, error);
    if (!error)
      out << ptx;
    out.close();
    error = out.error();
    out.clear_error(); // else its destructor ends the program
  }
  if (error) {
    message = "cannot write a temporary file: " + error.message();
    return failure();
  }
  std::string arch = "-arch=" + chip.str();
  SmallVector<StringRef> arguments{*program, "-v", arch, "-o", target.name, source.name};
  if (lineInfo)
    arguments.push_back("-lineinfo");
  std::optional<StringRef> redirects[] = {std::nullopt, report.name.str(), report.name.str()};
  int code =
      llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects, 0, 0, &message);
  std::string said = contents(report.name);
  if (code != 0) {
    message = "ptxas failed: '" + *program + "' ended with code " + std::to_string(code) + ": " + message + StringRef(said).rtrim().str();
    return failure();
  }
  std::string cubin = contents(target.name);
  if (!StringRef(cubin).starts_with("\x7f"
                                    "ELF")) {
    message = "'" + *program + "' wrote no cubin; is it ptxas?";
    return failure();
  }
  return Assembled{std::vector<char>(cubin.begin(), cubin.end()), parseUsage(said),
                   parseVersion(describeAssembler())};
}
