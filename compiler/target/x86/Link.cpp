//===- Link.cpp - object files to a shared image without imports ------------------------------===//
//
// The linker is a program because LLVM's packages carry it as one. Its files live in the temporary
// directory for the call; their names do not get into the image.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Link.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace llvm;

static Expected<std::string> findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld"}) {
    if (auto found = sys::findProgramByName(name))
      return *found;
    if (auto found = sys::findProgramByName(name, {CEDILLA_LLVM_TOOLS_DIR}))
      return *found;
  }
  return createStringError("expected the linker ld.lld-22 or ld.lld in PATH, found neither");
}

namespace {
/// A temporary file that goes away with the object.
struct TemporaryFile {
  SmallString<128> path;
  int descriptor = -1;
  ~TemporaryFile() {
    if (!path.empty())
      sys::fs::remove(path);
  }
  Error create(StringRef suffix) {
    if (std::error_code code = sys::fs::createTemporaryFile("cedilla", suffix, descriptor, path))
      return createStringError(code, "cannot create a temporary file: " + code.message());
    return Error::success();
  }
};
} // namespace

static std::string readAll(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static Error writeObject(TemporaryFile &file, ArrayRef<char> object) {
  if (Error error = file.create("o"))
    return error;
  raw_fd_ostream stream(file.descriptor, /*shouldClose=*/true);
  stream.write(object.data(), object.size());
  stream.close();
  std::error_code code = stream.error();
  if (!code)
    return Error::success();
  stream.clear_error(); // else its destructor ends the program
  return createStringError(code, "cannot write the object: " + code.message());
}

Expected<std::vector<char>> cedilla::x86::linkImage(ArrayRef<ArrayRef<char>> objects) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  std::vector<TemporaryFile> inputs(objects.size());
  for (auto [input, object] : llvm::zip(inputs, objects))
    if (Error error = writeObject(input, object))
      return std::move(error);
  TemporaryFile output, messages;
  for (auto [file, suffix] : {std::pair(&output, "so"), std::pair(&messages, "txt")}) {
    if (Error error = file->create(suffix))
      return std::move(error);
    sys::Process::SafelyCloseFileDescriptor(file->descriptor);
  }

  // -z text and --no-undefined: nothing to resolve or patch at load time.
  SmallVector<StringRef> arguments = {*linker,      "-shared",     "--no-undefined",    "-z",          "text", "-z",
                                      "noexecstack", "-Bsymbolic", "--build-id=none", "--hash-style=gnu", "--strip-all",
                                      "-o",          output.path};
  for (const TemporaryFile &input : inputs)
    arguments.push_back(input.path);
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(messages.path),
                                          StringRef(messages.path)};
  std::string failure;
  int status = sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects, 0, 0, &failure);
  if (status != 0)
    return createStringError("the linker failed: " + failure + readAll(messages.path));
  std::string image = readAll(output.path);
  return std::vector<char>(image.begin(), image.end());
}
