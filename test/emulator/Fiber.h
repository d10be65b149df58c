//===- Fiber.h - a stack that can be left and entered again -----------------------------------===//
//
// A switch is a dozen instructions: the threads of a block meet many thousand times, and ucontext
// asks the kernel at every switch. x86-64 only, as the twins that are compared with.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstddef>
#include <cstdint>

namespace cedilla::emulator {

/// Stacks of equal size with an inaccessible page below each; memory that is not touched costs
/// nothing.
class FiberStacks {
public:
  FiberStacks() = default;
  ~FiberStacks();
  FiberStacks(const FiberStacks &) = delete;
  void reserve(size_t count);
  /// End of stack i; it grows downwards from there.
  uint8_t *top(size_t i) const { return memory + (i + 1) * stackBytes; }

private:
  static constexpr size_t stackBytes = 1 << 22; ///< code is not optimised: every value has a place
  uint8_t *memory = nullptr;
  size_t reserved = 0;
};

class Fiber {
public:
  /// `run(argument)` on that stack at the next enter. It must not return: it leaves for good.
  void prepare(uint8_t *stackTop, void (*run)(void *), void *argument);
  /// Runs the fiber until it leaves. Called from outside of it.
  void enter();
  /// Back to whoever entered. Called inside the fiber.
  void leave();

private:
  void *inside = nullptr, *outside = nullptr;
};

} // namespace cedilla::emulator
