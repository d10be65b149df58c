//===- Alignment.cpp - what is known about the divisibility of indices ------------------------===//

#include "compiler/target/nvptx/Alignment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;

// Divisors beyond this say no more about addresses, and products of two still fit 64 bits.
static constexpr int64_t largestDivisor = 1 << 30;

static int64_t limited(int64_t divisor) { return std::gcd(divisor, largestDivisor); }

static int64_t divisorOfResult(Operation *op) {
  auto gcdOf = [](Value a, Value b) { return std::gcd(knownDivisor(a), knownDivisor(b)); };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([&](arith::AddIOp add) { return gcdOf(add.getLhs(), add.getRhs()); })
      .Case([&](arith::SubIOp sub) { return gcdOf(sub.getLhs(), sub.getRhs()); })
      .Case([&](arith::MulIOp mul) {
        return limited(knownDivisor(mul.getLhs())) * limited(knownDivisor(mul.getRhs()));
      })
      .Case([&](arith::DivUIOp div) {
        APInt by;
        if (!matchPattern(div.getRhs(), m_ConstantInt(&by)) || by.isZero())
          return int64_t(1);
        int64_t whole = knownDivisor(div.getLhs()), part = by.getSExtValue();
        return whole % part == 0 ? whole / part : int64_t(1);
      })
      .Case([&](arith::RemUIOp rem) { return gcdOf(rem.getLhs(), rem.getRhs()); })
      .Case([&](arith::MinSIOp min) { return gcdOf(min.getLhs(), min.getRhs()); })
      .Case([&](arith::MaxSIOp max) { return gcdOf(max.getLhs(), max.getRhs()); })
      .Case([&](arith::SelectOp select) {
        return gcdOf(select.getTrueValue(), select.getFalseValue());
      })
      .Case([&](arith::IndexCastOp cast) { return knownDivisor(cast.getIn()); })
      .Default([](Operation *) { return int64_t(1); });
}

int64_t nvptx::knownDivisor(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return limited(std::abs(constant.getSExtValue())); // of 0: the largest
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar())
      return std::gcd(knownDivisor(loop.getLowerBound()), knownDivisor(loop.getStep()));
    return 1;
  }
  return limited(divisorOfResult(index.getDefiningOp()));
}

int64_t nvptx::strideOf(MemRefType memory, int64_t dim) {
  int64_t stride = 1;
  for (int64_t later = dim + 1; later < memory.getRank(); ++later)
    stride *= memory.getDimSize(later);
  return stride;
}

int64_t nvptx::knownAlignment(MemRefType memory, ValueRange offsets) {
  int64_t elements = 0;
  for (auto [dim, offset] : llvm::enumerate(offsets))
    elements = std::gcd(elements, limited(knownDivisor(offset)) * limited(strideOf(memory, dim)));
  int64_t bytes = limited(elements) * (memory.getElementTypeBitWidth() / 8);
  return std::gcd(bytes, bufferAlignment); // gcd(0, n) = n
}
