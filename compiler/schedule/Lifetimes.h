//===- Lifetimes.h - when the scratch buffers of a program are in use ----------------------------------===//

#pragma once

#include "dialects/sched/Sched.h"

#include <vector>

namespace cedilla {

/// From the first to the last op of the program that names the buffer, both counted; the logits live to its end.
struct Lifetime {
  sched::BufferOp buffer;
  int64_t first = 0, last = 0; ///< places in the program's body
  uint64_t bytes = 0;          ///< with `rows` rows, rounded up to the alignment of buffers
  uint64_t offset = 0;

  bool meets(const Lifetime &other) const { return first <= other.last && other.first <= last; }
  bool overlaps(const Lifetime &other) const {
    return offset < other.offset + other.bytes && other.offset < offset + bytes;
  }
};

/// In order of first use.
std::vector<Lifetime> computeLifetimes(sched::ProgramOp program, mlir::SymbolTable &symbols, int64_t rows);

} // namespace cedilla
