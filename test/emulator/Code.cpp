//===- Code.cpp - kernels compiled for this process -------------------------------------------===//

#include "test/emulator/Code.h"

#include "runtime/base/Error.h"
#include "test/emulator/Emulator.h"
#include "test/emulator/Numbers.h"
#include "test/emulator/Retarget.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

using namespace llvm;

namespace cedilla::emulator {

static orc::JITTargetMachineBuilder machineBuilder() {
  static const bool initialised = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)initialised;
  orc::JITTargetMachineBuilder builder(Triple("x86_64-unknown-linux-gnu"));
  builder.setCPU("x86-64-v3"); // the same code everywhere
  builder.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  // Kernels of tests run for less time than it would take to optimise them.
  builder.setCodeGenOptLevel(CodeGenOptLevel::None);
  return builder;
}

/// LLVM calls a function of the compiler's library, which older systems lack. It returns 16 bits at
/// the low end of the register that floats are returned in.
static float roundToBF16(float value) { return std::bit_cast<float>(encode(value, bf16)); }

template <typename T>
static T expect(Expected<T> value, const std::string &where) {
  if (!value)
    fail(Err::Unnumbered, where, ": ", toString(value.takeError()));
  return std::move(*value);
}

static void expect(llvm::Error error, const std::string &where) {
  if (error)
    fail(Err::Unnumbered, where, ": ", toString(std::move(error)));
}

Code::Code(std::span<const std::byte> bitcode, Memory &memory, const std::string &where)
    : memory(memory) {
  auto context = std::make_unique<LLVMContext>();
  MemoryBufferRef buffer({reinterpret_cast<const char *>(bitcode.data()), bitcode.size()}, where);
  std::unique_ptr<Module> module = expect(parseBitcodeFile(buffer, *context), where);
  orc::JITTargetMachineBuilder builder = machineBuilder();
  std::unique_ptr<TargetMachine> machine = expect(builder.createTargetMachine(), where);
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  auto place = [&](StringRef bytes) {
    uint64_t guard = options().guardBytes;
    constants.push_back(memory.allocate(bytes.size() + 2 * guard));
    uint64_t begin = constants.back() + guard;
    std::memcpy(reinterpret_cast<void *>(begin), bytes.data(), bytes.size());
    return begin;
  };
  expect(retarget(*module, memory.sharedBase(), place), where);
  if (options().printCode)
    module->print(outs(), nullptr);
  if (verifyModule(*module, &errs()))
    failInternal(where, ": the emulator made invalid LLVM IR");
  jit = expect(orc::LLJITBuilder().setJITTargetMachineBuilder(builder).create(), where);
  orc::SymbolMap symbols;
  symbols[jit->mangleAndIntern("__truncsfbf2")] = {orc::ExecutorAddr::fromPtr(roundToBF16),
                                                   JITSymbolFlags::Exported};
  expect(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))), where);
  expect(jit->addIRModule({std::move(module), std::move(context)}), where);
}

Code::~Code() {
  for (uint64_t address : constants)
    memory.release(address);
}

Code::Entry Code::find(const std::string &kernel) {
  Expected<orc::ExecutorAddr> address = jit->lookup(kernel + ".entry");
  if (address)
    return address->toPtr<Entry>();
  consumeError(address.takeError());
  return nullptr;
}

} // namespace cedilla::emulator
