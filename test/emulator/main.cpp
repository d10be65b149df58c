//===- main.cpp - ced-test-emulator: kernels on the emulator ----------------------------------===//
//
//   ced-test-emulator run <file.ll> <threads> [racecheck]   every function of LLVM IR, as one block
//     with 4096 bytes of shared memory and a buffer of 64 words, of which it prints what was written
//   ced-test-emulator twin <file.mlir> [rows,rows,..]        every tile.kernel beside its x86 twin
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "test/emulator/Emulator.h"
#include "test/emulator/Twin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace cedilla;

static constexpr uint32_t unwritten = 0xFFFFFFFF;

static void runKernel(Device &device, void *module, const std::string &name, int64_t threads) {
  std::vector<uint32_t> words(64, unwritten);
  DeviceAddress buffer = device.allocate(words.size() * sizeof(uint32_t), "words");
  device.upload(buffer, words.data(), words.size() * sizeof(uint32_t));
  KernelInfo info;
  info.name = info.symbol = name;
  info.threads = threads;
  info.sharedBytes = 4096;
  Launch launch;
  launch.kernel = device.getKernel(module, info, name);
  launch.buffers = {&buffer, 1};
  launch.rows = 1;
  launch.name = name;
  device.launch(launch);
  device.download(words.data(), buffer, words.size() * sizeof(uint32_t));
  llvm::outs() << name << ":";
  for (uint32_t word : words)
    if (word != unwritten)
      llvm::outs() << " " << word;
  llvm::outs() << "\n";
}

static bool runFile(const std::string &file, int64_t threads) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, error, context);
  if (!module)
    fail(Err::Unnumbered, file, ":", error.getLineNo(), ": ", error.getMessage().str());
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  Device device(emulator::emulatorDevice, {});
  void *loaded = device.loadModule(std::as_bytes(std::span(bitcode.data(), bitcode.size())), {}, file);
  bool good = true;
  for (const llvm::Function &function : *module) {
    if (function.isDeclaration())
      continue;
    try {
      runKernel(device, loaded, function.getName().str(), threads);
    } catch (const Error &fault) {
      llvm::outs() << "error: " << fault.what() << "\n";
      good = false;
    }
  }
  device.unloadModule(loaded);
  return good;
}

static std::vector<int64_t> parseNumbers(llvm::StringRef text) {
  std::vector<int64_t> numbers;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    int64_t number;
    if (part.getAsInteger(10, number) || number < 1)
      fail(Err::Unnumbered, "expected positive numbers, got '", text.str(), "'");
    numbers.push_back(number);
  }
  return numbers;
}

static bool run(llvm::ArrayRef<std::string> arguments) {
  if (arguments.size() >= 3 && arguments[0] == "run") {
    emulator::options().racecheck = arguments.size() > 3 && arguments[3] == "racecheck";
    return runFile(arguments[1], parseNumbers(arguments[2]).front());
  }
  if (arguments.size() >= 2 && arguments[0] == "twin")
    return emulator::checkTwins(arguments[1],
                                parseNumbers(arguments.size() > 2 ? arguments[2] : "1,13,64"));
  fail(Err::Unnumbered, "usage: ced-test-emulator run <file.ll> <threads> [racecheck] | twin <file.mlir> [rows,..]");
}

int main(int argc, char **argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc)) ? 0 : 1;
  } catch (const Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return 1;
  }
}
