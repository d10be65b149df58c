//===- main.cpp - ced-bench-suite: build a package of kernels for ced-bench -------------------===//
//
// Each problem is built for every target, a GPU's kernels in several configs, the CPU's twin in
// one. The package then runs where no compiler is.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/Target.h"
#include "dialects/tile/Tile.h"
#include "runtime/base/Program.h"
#include "runtime/package/Package.h"
#include "tools/ced-bench-suite/Buffers.h"
#include "tools/ced-bench-suite/LinearKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <map>

using namespace cedilla;
using namespace cedilla::bench;

static const char *const usage =
    "usage: ced-bench-suite <package> [options] --linear n=N,k=K,weight=e4m3|e2m1,KEY=VALUE,.. | "
    "--kernels FILE\n"
    "  --linear ..        a block-scaled product, may be given often; keys block_n, block_m, "
    "block_k, warps, stages,\n"
    "                     warps_n, warps_k, instruction=bf16|f16, dependent=1, target=nvptx|x86\n"
    "  --kernels FILE     every tile.kernel of a file, built as it is for both targets\n"
    "  --chip sm_90a      of the GPU's kernels\n"
    "  --cpu avx2         of the twins\n"
    "  --max-rows N       rows that buffers have room for (128)\n";

namespace {
/// One kernel to build: its text, and the problem it solves.
struct Request {
  std::string problem, config, symbol, text;
};

struct Options {
  std::string package, chip = "sm_90a", cpu = "avx2";
  int64_t maxRows = 128;
  bool help = false;
  std::vector<Request> gpu, twins;
  std::vector<std::string> files;
};

/// What goes into the file.
struct Suite {
  Manifest manifest;
  std::vector<std::byte> objects;
  std::map<std::string, std::vector<int64_t>> buffers; ///< of a problem
  int64_t logits = -1;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// Command line
//===------------------------------------------------------------------------------------------===//

static int64_t parseNumber(std::string_view text, std::string_view key) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0)
    fail(Err::Option, key, ": expected a positive number, got '", text, "'");
  return value;
}

static Request makeLinear(const LinearProblem &problem, const LinearConfig &config) {
  std::string symbol = problem.name() + "_" + config.name();
  return {problem.name(), config.name(), symbol, writeLinearKernel(symbol, problem, config)};
}

/// Adds the kernel, and the twin of its problem if that is new.
static void addLinear(Options &options, std::string_view text) {
  LinearProblem p;
  LinearConfig c;
  std::string target = "nvptx";
  std::map<std::string_view, int64_t *> numbers = {{"n", &p.n},
                                                   {"k", &p.k},
                                                   {"block_n", &c.blockN},
                                                   {"block_m", &c.blockM},
                                                   {"block_k", &c.blockK},
                                                   {"warps", &c.warps},
                                                   {"stages", &c.stages}};
  while (!text.empty()) {
    std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      fail(Err::Option, "--linear: expected KEY=VALUE, got '", item, "'");
    std::string_view key = item.substr(0, equals), value = item.substr(equals + 1);
    if (auto number = numbers.find(key); number != numbers.end())
      *number->second = parseNumber(value, key);
    else if (key == "warps_n" || key == "warps_k")
      c.extra.emplace_back(key, parseNumber(value, key));
    else if (key == "instruction")
      c.instruction = value;
    else if (key == "dependent" && value == "1")
      c.dependent = true;
    else if (key == "target" && (value == "nvptx" || value == "x86"))
      target = value;
    else if (key == "weight" && (value == "e4m3" || value == "e2m1"))
      p.fp4 = value == "e2m1";
    else
      fail(Err::Option, "--linear: unknown '", item, "'", helpHint);
  }
  if (p.n <= 0 || p.k <= 0 || p.n % 32 || p.k % c.blockK || p.n % c.blockN || c.blockK % 32)
    fail(Err::Option, "--linear: expected n a multiple of 32 and of block_n, k a multiple of block_k, block_k "
         "of 32, got n=",
         p.n, " k=", p.k, " block_n=", c.blockN, " block_k=", c.blockK);
  bool known = false;
  for (const Request &twin : options.twins)
    known |= twin.problem == p.name();
  if (!known)
    options.twins.push_back(
        makeLinear(p, LinearConfig{32, 8, p.k % 256 == 0 ? 256 : 32, 1, 1, {}, ""}));
  (target == "x86" ? options.twins : options.gpu).push_back(makeLinear(p, c));
}

static Options parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&]() -> std::string {
      if (i + 1 == argc)
        fail(Err::Option, argument, ": expected a value");
      return argv[++i];
    };
    if (argument == "--help")
      options.help = true;
    else if (argument == "--linear")
      addLinear(options, value());
    else if (argument == "--kernels")
      options.files.push_back(value());
    else if (argument == "--chip")
      options.chip = value();
    else if (argument == "--cpu")
      options.cpu = value();
    else if (argument == "--max-rows")
      options.maxRows = parseNumber(value(), argument);
    else if (argument.starts_with("--") || !options.package.empty())
      fail(Err::Option, "unknown argument '", argument, "'", helpHint);
    else
      options.package = argument;
  }
  if (!options.help && (options.package.empty() || (options.twins.empty() && options.files.empty())))
    fail(Err::Option, "expected a package and at least one kernel", helpHint);
  return options;
}

//===------------------------------------------------------------------------------------------===//
// Buffers
//===------------------------------------------------------------------------------------------===//

static int64_t addBuffer(Suite &suite, BufferInfo buffer) {
  Manifest &m = suite.manifest;
  uint64_t bytes = elementBytes(buffer.type);
  for (int64_t dim : buffer.shape)
    bytes *= dim == -1 ? m.facts.maxRows : dim;
  buffer.bytes = bytes;
  if (buffer.kind == "workspace") {
    buffer.offset = m.workspaceBytes;
    m.workspaceBytes += (bytes + 63) / 64 * 64;
  } else {
    buffer.tensors = {buffer.name};
    buffer.tensorShape = buffer.shape;
  }
  m.buffers.push_back(buffer);
  return static_cast<int64_t>(m.buffers.size()) - 1;
}

/// All kernels of a problem have the same arguments and share their buffers.
static const std::vector<int64_t> &buffersOf(Suite &suite, const std::string &problem,
                                             tile::KernelOp kernel) {
  std::vector<int64_t> &buffers = suite.buffers[problem];
  if (buffers.empty())
    for (const BufferInfo &buffer : describeBuffers(kernel, problem))
      buffers.push_back(addBuffer(suite, buffer));
  return buffers;
}

static void addLogits(Suite &suite) {
  // Every program must name logits; these kernels have none.
  BufferInfo logits;
  logits.name = "logits", logits.kind = "workspace", logits.type = "f32", logits.shape = {-1, 1};
  suite.logits = addBuffer(suite, logits);
}

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

static void addObject(Suite &suite, const CompiledImage &image) {
  suite.objects.resize((suite.objects.size() + 63) / 64 * 64);
  suite.manifest.objects.push_back(
      {image.target, image.chip, suite.objects.size(), image.bytes.size()});
  auto *bytes = reinterpret_cast<const std::byte *>(image.bytes.data());
  suite.objects.insert(suite.objects.end(), bytes, bytes + image.bytes.size());
}

static void addProgram(Suite &suite, const Request &request, tile::KernelOp kernel,
                       const CompiledKernel &compiled, const std::string &target) {
  Manifest &m = suite.manifest;
  KernelInfo info;
  info.name = request.symbol + "_" + target, info.symbol = compiled.symbol,
  info.object = int64_t(m.objects.size()) - 1;
  info.arenaBytes = compiled.arenaBytes, info.threads = compiled.threads,
  info.dependent = compiled.dependent, info.sharedBytes = compiled.sharedBytes;
  info.reproducibility = kernel.getReproducibility().str(), info.config = request.config;
  m.kernels.push_back(info);
  if (compiled.registers)
    llvm::outs() << info.name << ": " << info.threads << " threads, " << compiled.registers
                 << " registers, " << compiled.spillBytes << " bytes spilled, " << info.sharedBytes
                 << " bytes of shared memory\n";
  StepInfo step;
  step.op = "dispatch", step.kernel = int64_t(m.kernels.size()) - 1;
  step.buffers = buffersOf(suite, request.problem, kernel);
  for (auto dim : kernel.getGrid().getAsRange<tile::GridAttr>())
    step.grid.push_back({dim.getValue(), dim.getRowsPer()});
  m.programs.push_back(
      {request.problem + "/" + target + "/" + request.config, {step}, suite.logits});
}

/// Builds the kernels for one target and adds a program for each.
static void addTarget(Suite &suite, mlir::MLIRContext &context, const std::string &targetName,
                      const std::string &chip, const std::vector<Request> &requests) {
  if (requests.empty())
    return;
  const Target *target = findTarget(targetName);
  if (!target)
    fail(Err::Target, "no target '", targetName, "' in this compiler");
  std::string text;
  for (const Request &request : requests)
    text += request.text;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    fail(Err::IrFile, "cannot parse the kernels");
  mlir::FailureOr<CompiledImage> image = target->emit(*module, chip);
  if (failed(image))
    fail(Err::TargetPhase, "cannot build the kernels for ", targetName, " ", chip);
  addObject(suite, *image);
  for (const Request &request : requests)
    for (const CompiledKernel &compiled : image->kernels)
      if (compiled.name == request.symbol)
        addProgram(suite, request, module->lookupSymbol<tile::KernelOp>(request.symbol), compiled,
                   targetName);
}

/// The kernels of a file, for both targets.
static void readKernels(Options &options, const std::string &file, mlir::MLIRContext &context) {
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
  if (!module)
    fail(Err::IrFile, file, ": cannot be parsed");
  for (auto kernel : module->getOps<tile::KernelOp>()) {
    std::string text, name = kernel.getSymName().str();
    llvm::raw_string_ostream(text) << *kernel << "\n";
    options.gpu.push_back({name, "text", name, text});
    options.twins.push_back(options.gpu.back());
  }
}

static int suiteMain(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  if (options.help) {
    llvm::outs() << usage;
    return 0;
  }
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry);
  for (const std::string &file : options.files)
    readKernels(options, file, context);

  Suite suite;
  ModelFacts &facts = suite.manifest.facts;
  facts.arch = "bench";
  facts.vocab = facts.hidden = facts.streams = facts.page = facts.maxContext = facts.maxBatch = 1;
  facts.headDim = facts.indexHeadDim = facts.indexTopk = 1;
  facts.candidateBlocks = facts.candidateBlockSize = facts.expertsPerToken = 1;
  facts.maxRows = options.maxRows;
  addLogits(suite);
  addTarget(suite, context, "nvptx", options.chip, options.gpu);
  addTarget(suite, context, "x86", options.cpu, options.twins);
  writePackage(options.package, suite.manifest, suite.objects, {});
  return 0;
}

int main(int argc, char **argv) {
  return runProgram([&] { return suiteMain(argc, argv); });
}
