//===- Real.h - a double that attributes can be keyed by -----------------------------------------===//
//
// MLIR uniques an attribute by hashing its parameters, and LLVM hashes no floating-point numbers. `Real`
// is a double compared and hashed by its bits; it converts from and to double by itself.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "llvm/ADT/Hashing.h"

#include <bit>
#include <cstdint>

namespace cedilla::ced {

struct Real {
  Real(double value = 0) : value(value) {}
  operator double() const { return value; }
  uint64_t bits() const { return std::bit_cast<uint64_t>(value); }
  friend bool operator==(Real a, Real b) { return a.bits() == b.bits(); }
  friend llvm::hash_code hash_value(Real real) { return llvm::hash_value(real.bits()); }

  double value;
};

} // namespace cedilla::ced
