//===- Graph.cpp - the imported graph as text
//------------------------------------------------------------------===//

#include "compiler/import/BuildGraph.h"
#include "tools/ced-inspect/Commands.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace cedilla::inspect {

void showGraph(const std::string &path) {
  ModelConfig config = readModelConfig(path);
  GraphOptions options;
  options.maxContext = std::min(options.maxContext, config.maxPositions);
  mlir::MLIRContext context;
  buildGraph(context, config, options)->print(llvm::outs());
  llvm::outs() << "\n";
}

} // namespace cedilla::inspect
