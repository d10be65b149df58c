//===- Graph.cpp - the imported graph as text
//------------------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <iostream>

namespace cedilla::inspect {

void showGraph(const std::string &path) {
  ModelConfig config = readModelConfig(path);
  GraphOptions options;
  options.maxContext = std::min(options.maxContext, config.maxPositions);
  mlir::MLIRContext context;
  std::string text;
  llvm::raw_string_ostream stream(text);
  buildGraph(context, config, options)->print(stream);
  std::cout << text << "\n";
}

} // namespace cedilla::inspect
