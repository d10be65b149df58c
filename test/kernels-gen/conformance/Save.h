//===- Save.h - cases as a package that ced-bench replays ----------------------------------------------------===//
//
// Kernels, arguments, and the interpreter's results with their tolerances, for machines without a compiler
// (tools/ced-bench/ReplayList.h). Equal bytes are kept once.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "test/kernels-gen/conformance/Case.h"
#include "test/kernels-gen/conformance/Check.h"
#include "tools/ced-bench/ReplayList.h"

#include <map>

namespace cedilla::conformance {

class Saver {
public:
  Saver();

  /// A function on each of the targets it was compiled for, with every number of rows that its file allows.
  void addFunction(const std::string &file, mlir::func::FuncOp function, llvm::ArrayRef<std::unique_ptr<Kernels>> compiled,
                   const Limits &limits, const Plan &plan);
  void write(const std::string &path);
  size_t cases() const { return list.size(); }

private:
  void addImage(const std::string &name, const CompiledImage &image);
  void addCase(const std::string &program, const Kernels::Recording &recording, mlir::func::FuncOp function,
               const Instance &instance);
  void addPart(bench::ReplayCase &each, const Memories::Part &part, uint64_t seed);
  int64_t addConstant(const std::string &name, const std::vector<uint8_t> &bytes);
  int64_t addPoison(const std::string &name, uint64_t bytes);
  int64_t addBuffer(BufferInfo buffer, uint64_t bytes);

  Manifest manifest;
  std::vector<std::byte> objects, constants;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> places; ///< of constants by hash and size
  std::map<const CompiledKernel *, int64_t> kernels;        
  std::vector<bench::ReplayCase> list;
  int64_t logits = 0;
};

} // namespace cedilla::conformance
