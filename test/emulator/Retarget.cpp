//===- Retarget.cpp - LLVM IR of kernels, changed so that the CPU can run it ------------------===//
//
//   %r = call i32 @llvm.nvvm.prmt(i32 %a, i32 %b, i32 %c)
// becomes
//   store %a, %b, %c into the slots of %in, 64 bits each
//   call void <callEmulator>(i64 <builtin>, i32 <site>, ptr %in, ptr %out) convergent
//   %r = load i32, ptr %out
//
// and in front of a load, a store or an atomic operation stands
//
//   call void <announce>(i64 address, i32 bytes, i32 alignment, i32 kind, i32 site)
//
// Both functions are constants in the code: it runs in this process and nowhere else.
//
//===------------------------------------------------------------------------------------------===//

#include "test/emulator/Retarget.h"

#include "test/emulator/Block.h"
#include "test/emulator/Builtins.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

static constexpr unsigned sharedSpace = 3, sharedBit = 4; ///< of an announcement's kind

static void callEmulator(const cedilla::emulator::Builtin *builtin, uint32_t site,
                         const uint64_t *in, uint64_t *out) {
  cedilla::emulator::Block::active->call(*builtin, {site, in, out});
}

static void announce(uint64_t address, uint32_t bytes, uint32_t alignment, uint32_t kind,
                     uint32_t site) {
  cedilla::emulator::Access access{address, bytes, alignment};
  access.kind = static_cast<cedilla::emulator::Access::Kind>(kind & (sharedBit - 1));
  access.shared = kind & sharedBit;
  access.site = site;
  cedilla::emulator::Block::active->access(access);
}

namespace {
class Retargeter {
public:
  Retargeter(Module &module) : module(module), b(module.getContext()) {}
  Error run(uint64_t sharedBase, function_ref<uint64_t(StringRef)> place);

private:
  Error rewrite(Function &function);
  Error rewriteCall(CallInst &call);
  void replaceCall(CallInst &call, const cedilla::emulator::Builtin &builtin);
  void announceAccess(Instruction &access);
  void definePoison(Instruction &instruction);
  void addEntry(Function &kernel);

  Value *bitsOf(Value *value);
  Value *slot(Value *slots, unsigned i) { return b.CreateConstGEP1_64(b.getInt64Ty(), slots, i); }
  CallInst *callHost(void *function, ArrayRef<Value *> arguments);
  const DataLayout &layout() { return module.getDataLayout(); }

  Module &module;
  IRBuilder<> b;
  Value *in = nullptr, *out = nullptr; ///< slots of the function in hand
  uint32_t sites = 0;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// Calls
//===------------------------------------------------------------------------------------------===//

CallInst *Retargeter::callHost(void *function, ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  auto *type = FunctionType::get(b.getVoidTy(), types, false);
  Value *callee = ConstantExpr::getIntToPtr(b.getInt64(reinterpret_cast<uint64_t>(function)), b.getPtrTy());
  CallInst *call = b.CreateCall(type, callee, arguments);
  // Who calls together must go on doing so: no copy of a call on one side of a branch.
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  return call;
}

/// The key of the table: the intrinsic's name or the text of inline assembly; empty: a function that
/// the CPU has as well.
static std::string keyOf(const CallInst &call) {
  if (auto *text = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return text->getAsmString().str();
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic())
    return callee ? callee->getName().str() : "a function pointer";
  if (isa<MemIntrinsic>(call))
    return callee->getName().str(); // would pass by the checks
  StringRef name = callee->getName();
  for (StringRef pointer : {".p0", ".p1", ".p3"}) // overloads
    name.consume_back(pointer);
  Type *element = call.getType()->getScalarType();
  bool small = element->isBFloatTy() || element->isHalfTy();
  if (name.starts_with("llvm.nvvm.") || (name.starts_with("llvm.fma.") && small))
    return name.str();
  return "";
}

Error Retargeter::rewriteCall(CallInst &call) {
  std::string key = keyOf(call);
  if (key.empty())
    return Error::success();
  auto found = cedilla::emulator::builtins().find(key);
  if (found == cedilla::emulator::builtins().end())
    return createStringError("kernel '" + call.getFunction()->getName() +
                             "': the emulator has no '" + key + "'");
  replaceCall(call, found->second);
  return Error::success();
}

/// In 64 bits, zeros above.
Value *Retargeter::bitsOf(Value *value) {
  if (value->getType()->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  unsigned width = value->getType()->getPrimitiveSizeInBits();
  return b.CreateZExt(b.CreateBitCast(value, b.getIntNTy(width)), b.getInt64Ty());
}

void Retargeter::replaceCall(CallInst &call, const cedilla::emulator::Builtin &builtin) {
  b.SetInsertPoint(&call);
  for (auto [i, argument] : enumerate(call.args()))
    b.CreateStore(bitsOf(argument), slot(in, i));
  callHost(reinterpret_cast<void *>(callEmulator),
           {b.getInt64(reinterpret_cast<uint64_t>(&builtin)), b.getInt32(++sites), in, out});
  Value *result = nullptr;
  if (auto *type = dyn_cast<StructType>(call.getType())) {
    result = PoisonValue::get(type);
    for (auto [i, element] : enumerate(type->elements()))
      result = b.CreateInsertValue(result, b.CreateLoad(element, slot(out, i)), i);
  } else if (!call.getType()->isVoidTy()) {
    result = b.CreateLoad(call.getType(), out);
  }
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

void Retargeter::announceAccess(Instruction &access) {
  using Kind = cedilla::emulator::Access::Kind;
  Value *pointer = nullptr;
  Type *type = nullptr;
  Kind kind = Kind::Atomic;
  Align alignment;
  if (auto *atomic = dyn_cast<AtomicRMWInst>(&access)) {
    pointer = atomic->getPointerOperand(), type = atomic->getType(), alignment = atomic->getAlign();
  } else if (auto *atomic = dyn_cast<AtomicCmpXchgInst>(&access)) {
    pointer = atomic->getPointerOperand(), type = atomic->getNewValOperand()->getType();
    alignment = atomic->getAlign();
  } else {
    pointer = getLoadStorePointerOperand(&access), type = getLoadStoreType(&access);
    alignment = getLoadStoreAlignment(&access);
    if (!access.isAtomic())
      kind = isa<LoadInst>(access) ? Kind::Read : Kind::Write;
  }
  b.SetInsertPoint(&access);
  unsigned shared = pointer->getType()->getPointerAddressSpace() == sharedSpace ? sharedBit : 0;
  callHost(reinterpret_cast<void *>(announce),
           {b.CreatePtrToInt(pointer, b.getInt64Ty()), b.getInt32(layout().getTypeStoreSize(type)),
            b.getInt32(alignment.value()), b.getInt32(kind | shared), b.getInt32(++sites)});
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

/// Registers that nobody wrote hold NaN.
void Retargeter::definePoison(Instruction &instruction) {
  for (Use &use : instruction.operands())
    if (isa<UndefValue>(use.get()) && use->getType()->isIntOrIntVectorTy())
      use.set(Constant::getAllOnesValue(use->getType()));
    else if (isa<UndefValue>(use.get()) && use->getType()->isFPOrFPVectorTy())
      use.set(ConstantFP::getNaN(use->getType()));
}

//===------------------------------------------------------------------------------------------===//
// Functions
//===------------------------------------------------------------------------------------------===//

static unsigned slotsOf(Function &function) {
  unsigned count = 1;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      count = std::max(count, call->arg_size());
      if (auto *type = dyn_cast<StructType>(call->getType()))
        count = std::max(count, type->getNumElements());
    }
  return count;
}

Error Retargeter::rewrite(Function &function) {
  SmallVector<Instruction *> all;
  for (Instruction &instruction : instructions(function))
    all.push_back(&instruction);
  b.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  Type *slots = ArrayType::get(b.getInt64Ty(), slotsOf(function));
  in = b.CreateAlloca(slots), out = b.CreateAlloca(slots);
  for (Instruction *each : all) {
    definePoison(*each);
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(each))
      announceAccess(*each);
    else if (auto *call = dyn_cast<CallInst>(each))
      if (Error error = rewriteCall(*call))
        return error;
  }
  function.setCallingConv(CallingConv::C);
  function.setAttributes({});
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::Convergent);
  addEntry(function);
  return Error::success();
}

/// void <kernel>.entry(ptr list): the kernel with the values at the list's addresses.
void Retargeter::addEntry(Function &kernel) {
  auto *type = FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  auto *entry = Function::Create(type, Function::ExternalLinkage, kernel.getName() + ".entry", module);
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", entry));
  SmallVector<Value *> values;
  for (auto [i, argument] : enumerate(kernel.args())) {
    Value *address = b.CreateLoad(b.getPtrTy(), b.CreateConstGEP1_64(b.getPtrTy(), entry->getArg(0), i));
    values.push_back(b.CreateLoad(argument.getType(), address));
  }
  b.CreateCall(&kernel, values);
  b.CreateRetVoid();
}

Error Retargeter::run(uint64_t sharedBase, function_ref<uint64_t(StringRef)> place) {
  for (GlobalVariable &global : make_early_inc_range(module.globals())) {
    uint64_t address = sharedBase;
    if (global.getAddressSpace() != sharedSpace) {
      Constant *initial = global.hasInitializer() ? global.getInitializer() : nullptr;
      if (auto *table = dyn_cast_or_null<ConstantDataSequential>(initial); table && global.isConstant())
        address = place(table->getRawDataValues());
      else if (initial && initial->isNullValue())
        address = place(std::string(layout().getTypeAllocSize(global.getValueType()), 0));
      else
        return createStringError("the emulator has tables of constants and memory that begins as zero, and '" +
                                 global.getName() + "' is neither");
    } else if (!global.isDeclaration()) {
      return createStringError("the emulator has no shared memory of fixed size, as '" +
                               global.getName() + "' is");
    }
    global.replaceAllUsesWith(ConstantExpr::getIntToPtr(b.getInt64(address), global.getType()));
    global.eraseFromParent();
  }
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration())
      kernels.push_back(&function);
  for (Function *kernel : kernels)
    if (Error error = rewrite(*kernel))
      return error;
  return Error::success();
}

Error cedilla::emulator::retarget(Module &module, uint64_t sharedBase,
                                  function_ref<uint64_t(StringRef)> place) {
  return Retargeter(module).run(sharedBase, place);
}
