//===- LineInfo.cpp - tile ops get lines of a file ----------------------------------------------------------===//

#include "compiler/tile/LineInfo.h"

#include "runtime/io/OutputFile.h"

#include "mlir/Transforms/LocationSnapshot.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <map>
#include <span>

using namespace mlir;

namespace cedilla {

static StringRef nameOf(Location location) {
  auto name = location->findInstanceOf<NameLoc>();
  return name ? name.getName().getValue() : "";
}

/// Behind the text of its lines, so that lines stay where they are.
static std::string withComments(StringRef text, const std::map<unsigned, StringRef> &comments) {
  std::string result;
  unsigned line = 0;
  while (!text.empty()) {
    auto [first, rest] = text.split('\n');
    result += first;
    if (auto comment = comments.find(++line); comment != comments.end())
      result += (" // " + comment->second).str();
    result += "\n";
    text = rest;
  }
  return result;
}

void attachLines(ModuleOp module, const std::string &file) {
  llvm::DenseMap<Operation *, StringRef> names; // of attributes, which live as long as the context
  module.walk([&](Operation *op) { names[op] = nameOf(op->getLoc()); });
  std::string text;
  llvm::raw_string_ostream stream(text);
  // A profiler opens the file from a folder of its own.
  generateLocationsFromIR(stream, std::filesystem::absolute(file).string(), module, OpPrintingFlags());
  std::map<unsigned, StringRef> comments;
  module.walk([&](Operation *op) {
    auto line = dyn_cast<FileLineColLoc>(op->getLoc());
    if (line && !names[op].empty())
      comments.try_emplace(line.getLine(), names[op]);
  });
  text = withComments(text, comments);
  OutputFile output(file);
  output.write(std::as_bytes(std::span(text)));
  output.keep();
}

} // namespace cedilla
