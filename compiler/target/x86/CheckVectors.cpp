//===- CheckVectors.cpp - refuse large vectors ------------------------------------------------===//
//
// Runs last, on the LLVM dialect: what it sees is what LLVM gets.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/x86/Passes.h"
#include "compiler/target/x86/TileLayout.h"

namespace cedilla {
#define GEN_PASS_DEF_X86CHECKVECTORS
#include "compiler/target/x86/Passes.h.inc"
} // namespace cedilla

using namespace mlir;
using namespace cedilla;

/// Two 256-bit registers.
static constexpr int64_t largestBits = x86::lanes * 64;

static bool isTooLarge(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return false;
  Type element = vector.getElementType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return vector.getRank() != 1 || vector.getNumElements() * bits > largestBits;
}

namespace {
struct X86CheckVectors : cedilla::impl::X86CheckVectorsBase<X86CheckVectors> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
        if (isTooLarge(type)) {
          op->emitOpError("expected vectors of at most ")
              << largestBits << " bits for LLVM, got " << type;
          signalPassFailure();
          return;
        }
    });
  }
};
} // namespace
