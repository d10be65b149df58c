//===- Fiber.cpp - a stack that can be left and entered again ---------------------------------===//

#include "test/emulator/Fiber.h"

#include "runtime/base/Error.h"

#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the emulator's fibers are written for x86-64"
#endif

// Saves what a callee must preserve, changes stacks, restores. A new fiber's stack is laid out as
// if it had left from the first instruction of `cedilla_fiber_begin`, with its function in rbx and
// its argument in r12.
asm(R"(
.text
.type cedilla_fiber_switch, @function
cedilla_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cedilla_fiber_switch, . - cedilla_fiber_switch
.type cedilla_fiber_begin, @function
cedilla_fiber_begin:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size cedilla_fiber_begin, . - cedilla_fiber_begin
)");
extern "C" void cedilla_fiber_switch(void **from, void *to);
extern "C" void cedilla_fiber_begin();

namespace cedilla::emulator {

FiberStacks::~FiberStacks() {
  if (memory)
    munmap(memory, reserved * stackBytes);
}

void FiberStacks::reserve(size_t count) {
  if (count <= reserved)
    return;
  if (memory)
    munmap(memory, reserved * stackBytes);
  void *mapped = mmap(nullptr, count * stackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    failInternal("emulator: cannot reserve stacks for ", count, " threads");
  memory = static_cast<uint8_t *>(mapped);
  reserved = count;
  for (size_t i = 0; i < count; ++i)
    mprotect(memory + i * stackBytes, sysconf(_SC_PAGESIZE), PROT_NONE);
}

void Fiber::prepare(uint8_t *stackTop, void (*run)(void *), void *argument) {
  auto **slots = reinterpret_cast<void **>(stackTop) - 9;
  slots[0] = slots[1] = slots[2] = nullptr;       // r15, r14, r13
  slots[3] = argument;                            // r12
  slots[4] = reinterpret_cast<void *>(run);       // rbx
  slots[5] = nullptr;                             // rbp
  slots[6] = reinterpret_cast<void *>(cedilla_fiber_begin);
  slots[7] = slots[8] = nullptr; // the stack is aligned to 16 at the call
  inside = slots;
}

void Fiber::enter() { cedilla_fiber_switch(&outside, inside); }
void Fiber::leave() { cedilla_fiber_switch(&inside, outside); }

} // namespace cedilla::emulator
