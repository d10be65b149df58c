//===- EmitParts.cpp - code of a module, kernel by kernel --------------------------------------===//

#include "compiler/target/EmitParts.h"

#include "compiler/watch/Watch.h"
#include "dialects/tile/Tile.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace cedilla;

namespace {
/// Contexts without threads of their own, one for each thread that makes code at the same time.
class Contexts {
public:
  explicit Contexts(MLIRContext &from) : from(from) {}

  std::unique_ptr<MLIRContext> take() {
    std::lock_guard lock(mutex);
    if (!free.empty()) {
      std::unique_ptr<MLIRContext> context = std::move(free.back());
      free.pop_back();
      return context;
    }
    DialectRegistry registry;
    from.getDialectRegistry().appendTo(registry);
    auto context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return context;
  }
  void give(std::unique_ptr<MLIRContext> context) {
    std::lock_guard lock(mutex);
    free.push_back(std::move(context));
  }

private:
  MLIRContext &from;
  std::mutex mutex;
  std::vector<std::unique_ptr<MLIRContext>> free;
};

struct Part {
  Location loc; ///< of its first kernel
  std::string text;
  FailureOr<CompiledImage> image = failure();
  std::vector<std::string> errors;
};
} // namespace

static Part writePart(ModuleOp module) {
  Part part{module.getLoc(), {}, failure(), {}};
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    part.loc = kernel.getLoc();
    break;
  }
  llvm::raw_string_ostream stream(part.text);
  module->print(stream);
  return part;
}

/// With what is wrong as a list: a context that goes away cannot say where in the module it was.
static void make(Part &part, const Target &target, StringRef chip, MLIRContext &context) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    part.errors.push_back(diagnostic.str());
    for (Diagnostic &note : diagnostic.getNotes())
      part.errors.back() += ": " + note.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(part.text, &context);
  if (module)
    part.image = target.emitPart(*module, chip);
  endWatchedRun(module && failed(part.image)); // of this context nothing is kept
}

FailureOr<std::vector<CompiledImage>> cedilla::emitInParts(const Target &target, ModuleOp module, StringRef chip,
                                                           const ObjectCache *cache, PartCounts &counts) {
  std::vector<Part> parts;
  for (OwningOpRef<ModuleOp> &each : target.split(module))
    parts.push_back(writePart(*each));
  if (parts.empty()) {
    FailureOr<CompiledImage> image = target.emit(module, chip);
    if (failed(image))
      return failure();
    return std::vector<CompiledImage>{std::move(*image)};
  }
  std::string tools = cache ? target.tools() : "";
  if (cache)
    (void)ObjectCache::keyOf({}); // what can fail in it fails here, and not on another thread
  std::atomic<int64_t> cached = 0;
  Contexts contexts(*module.getContext());
  parallelFor(module.getContext(), 0, parts.size(), [&](size_t i) {
    Part &part = parts[i];
    std::string key = cache ? ObjectCache::keyOf({target.name(), chip, tools, part.text}) : "";
    if (cache && succeeded(part.image = cache->find(key))) {
      ++cached;
      return;
    }
    std::unique_ptr<MLIRContext> context = contexts.take();
    make(part, target, chip, *context);
    contexts.give(std::move(context));
    if (cache && succeeded(part.image))
      cache->add(key, *part.image);
  });
  counts.parts += parts.size();
  counts.cached += cached;

  std::vector<CompiledImage> images;
  for (Part &part : parts) {
    for (const std::string &error : part.errors)
      mlir::emitError(part.loc) << error;
    if (succeeded(part.image))
      images.push_back(std::move(*part.image));
    else if (part.errors.empty())
      mlir::emitError(part.loc, "a kernel cannot be built, and no pass says why");
  }
  if (images.size() != parts.size())
    return failure();
  return target.link(module, chip, std::move(images));
}
