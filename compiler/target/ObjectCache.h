//===- ObjectCache.h - code of kernels that was made before ------------------------------------===//
//
// A folder of files named by what the code was made from. A file is written under another name and renamed, so compiles may
// share the folder; one that is damaged is as good as none, and written anew. Nothing in it is needed: it may be deleted at any
// time. Files that were not used for longest go first when the folder grows over its limit.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "compiler/target/Target.h"

#include <string>

namespace cedilla {

class ObjectCache {
public:
  /// Makes the folder where there is none; throws cedilla::Error where that cannot be, or where it cannot be written to.
  ObjectCache(std::string folder, uint64_t limitBytes);

  /// A name for code made of these texts by this very compiler.
  static std::string keyOf(mlir::ArrayRef<mlir::StringRef> texts);

  mlir::FailureOr<CompiledImage> find(const std::string &key) const;
  /// Failing to write is no failure: the code is there.
  void add(const std::string &key, const CompiledImage &image) const;
  /// The same for modules with everything the target phase has made (as bytecode): a whole program that is compiled again.
  mlir::FailureOr<std::string> findModule(const std::string &key) const;
  void addModule(const std::string &key, std::string bytecode) const;
  /// Deletes what is over the limit.
  void trim() const;

private:
  std::string pathOf(const std::string &key, mlir::StringRef suffix) const;
  mlir::FailureOr<std::string> read(const std::string &key, mlir::StringRef suffix) const;
  void write(const std::string &key, mlir::StringRef suffix, std::string bytes) const;

  std::string folder;
  uint64_t limitBytes;
};

} // namespace cedilla
