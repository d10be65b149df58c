//===- main.cpp - ced-bench-suite: build a package of kernels for ced-bench -------------------------------------===//
//
// Each problem is built for every target, a GPU's kernels in several configs, the CPU's twin in one. The package
// then runs where no compiler is.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/Target.h"
#include "dialects/tile/Tile.h"
#include "runtime/base/Error.h"
#include "runtime/package/Package.h"
#include "tools/ced-bench-suite/LinearKernel.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <map>

using namespace cedilla;
using namespace cedilla::bench;

static const char *const usage =
    "usage: ced-bench-suite <package> [options] --linear n=N,k=K,weight=e4m3|e2m1,KEY=VALUE,..\n"
    "  --linear ..        one kernel, may be given often; keys block_n, block_m, block_k, warps, stages, warps_n, warps_k,\n"
    "                     instruction=bf16|e4m3. The x86 twin of each problem is added.\n"
    "  --chip sm_90a      of the GPU's kernels\n"
    "  --cpu avx2         of the twins\n"
    "  --max-rows N       rows that buffers have room for (128)\n";

namespace {
struct Request {
  LinearProblem problem;
  LinearConfig config;
};

struct Options {
  std::string package, chip = "sm_90a", cpu = "avx2";
  int64_t maxRows = 128;
  std::vector<Request> requests;
};

/// What goes into the file.
struct Suite {
  Manifest manifest;
  std::vector<std::byte> objects;
  std::map<std::string, std::vector<int64_t>> buffers; ///< of a problem
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// Command line
//===------------------------------------------------------------------------------------------===//

static int64_t parseNumber(std::string_view text, std::string_view key) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0)
    fail(key, ": expected a positive number, got '", text, "'");
  return value;
}

static Request parseLinear(std::string_view text) {
  Request request;
  LinearConfig &c = request.config;
  std::map<std::string_view, int64_t *> numbers = {{"n", &request.problem.n}, {"k", &request.problem.k},
                                                   {"block_n", &c.blockN},    {"block_m", &c.blockM},
                                                   {"block_k", &c.blockK},    {"warps", &c.warps},
                                                   {"stages", &c.stages}};
  while (!text.empty()) {
    std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      fail("--linear: expected KEY=VALUE, got '", item, "'");
    std::string_view key = item.substr(0, equals), value = item.substr(equals + 1);
    if (auto number = numbers.find(key); number != numbers.end())
      *number->second = parseNumber(value, key);
    else if (key == "warps_n" || key == "warps_k")
      c.extra.emplace_back(key, parseNumber(value, key));
    else if (key == "instruction")
      c.instruction = value;
    else if (key == "weight" && (value == "e4m3" || value == "e2m1"))
      request.problem.fp4 = value == "e2m1";
    else
      fail("--linear: unknown '", item, "'\n", usage);
  }
  const LinearProblem &p = request.problem;
  if (p.n <= 0 || p.k <= 0 || p.n % 32 || p.k % c.blockK || p.n % c.blockN || c.blockK % 32)
    fail("--linear: expected n a multiple of 32 and of block_n, k a multiple of block_k, block_k of 32, got n=", p.n, " k=", p.k,
         " block_n=", c.blockN, " block_k=", c.blockK);
  return request;
}

static Options parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&]() -> std::string {
      if (i + 1 == argc)
        fail(argument, ": expected a value");
      return argv[++i];
    };
    if (argument == "--linear")
      options.requests.push_back(parseLinear(value()));
    else if (argument == "--chip")
      options.chip = value();
    else if (argument == "--cpu")
      options.cpu = value();
    else if (argument == "--max-rows")
      options.maxRows = parseNumber(value(), argument);
    else if (argument.starts_with("--") || !options.package.empty())
      fail("unknown argument '", argument, "'\n", usage);
    else
      options.package = argument;
  }
  if (options.package.empty() || options.requests.empty())
    fail("expected a package and at least one kernel\n", usage);
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

static BufferInfo describe(std::string name, std::string kind, std::string type, std::vector<int64_t> shape, std::string dtype) {
  BufferInfo buffer;
  buffer.name = std::move(name), buffer.kind = std::move(kind), buffer.type = std::move(type);
  buffer.shape = std::move(shape), buffer.dtype = std::move(dtype);
  return buffer;
}

/// x, its scales, w, its scales, y: the order of the kernel's arguments.
static const std::vector<int64_t> &buffersOf(Suite &suite, const LinearProblem &p) {
  std::vector<int64_t> &buffers = suite.buffers[p.name()];
  if (!buffers.empty())
    return buffers;
  std::string name = p.name() + ".";
  buffers = {addBuffer(suite, describe(name + "x", "workspace", "i8", {-1, p.k}, "F8_E4M3")),
             addBuffer(suite, describe(name + "x_scale", "workspace", "i8", {-1, p.k / 32}, "F8_E8M0")),
             addBuffer(suite, describe(name + "w", "weight", "i8", {p.n, p.fp4 ? p.k / 2 : p.k}, p.fp4 ? "I8" : "F8_E4M3")),
             addBuffer(suite, describe(name + "w_scale", "weight", "i8", {p.fp4 ? p.n : p.n / 32, p.k / 32}, "F8_E8M0")),
             addBuffer(suite, describe(name + "y", "workspace", "bf16", {-1, p.n}, ""))};
  return buffers;
}

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

/// Builds the kernels for one target and adds a program for each.
static void addTarget(Suite &suite, mlir::MLIRContext &context, const std::string &targetName, const std::string &chip,
                      const std::vector<Request> &requests, int64_t logits) {
  const Target *target = findTarget(targetName);
  if (!target)
    fail("no target '", targetName, "' in this compiler");
  std::string text;
  for (const Request &request : requests)
    text += writeLinearKernel(request.problem.name() + "_" + request.config.name(), request.problem, request.config);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    failInternal("cannot parse the kernels");
  mlir::FailureOr<CompiledImage> image = target->emit(*module, chip);
  if (failed(image))
    fail("cannot build the kernels for ", targetName, " ", chip);

  Manifest &m = suite.manifest;
  suite.objects.resize((suite.objects.size() + 63) / 64 * 64);
  m.objects.push_back({image->target, image->chip, suite.objects.size(), image->bytes.size()});
  auto *bytes = reinterpret_cast<const std::byte *>(image->bytes.data());
  suite.objects.insert(suite.objects.end(), bytes, bytes + image->bytes.size());
  for (const Request &request : requests) {
    std::string name = request.problem.name() + "_" + request.config.name();
    for (const CompiledKernel &kernel : image->kernels) {
      if (kernel.name != name)
        continue;
      KernelInfo info;
      info.name = name + "_" + targetName, info.symbol = kernel.symbol, info.object = int64_t(m.objects.size()) - 1;
      info.arenaBytes = kernel.arenaBytes, info.threads = kernel.threads, info.sharedBytes = kernel.sharedBytes;
      info.reproducibility = "batch", info.config = request.config.name();
      m.kernels.push_back(info);
      if (kernel.registers)
        llvm::outs() << info.name << ": " << kernel.threads << " threads, " << kernel.registers << " registers, "
                     << kernel.spillBytes << " bytes spilled, " << kernel.sharedBytes << " bytes of shared memory\n";
    }
    StepInfo step;
    step.op = "dispatch", step.kernel = int64_t(m.kernels.size()) - 1, step.buffers = buffersOf(suite, request.problem);
    step.grid = {GridDim{request.problem.n / request.config.blockN, 0}, GridDim{1, request.config.blockM}};
    m.programs.push_back({request.problem.name() + "/" + targetName + "/" + request.config.name(), {step}, logits});
  }
}

/// One twin per problem.
static std::vector<Request> twinsOf(const std::vector<Request> &requests) {
  std::map<std::string, Request> twins;
  for (Request request : requests) {
    request.config = LinearConfig{32, 8, request.problem.k % 256 == 0 ? 256 : 32, 1, 1, {}, ""};
    twins.emplace(request.problem.name(), request);
  }
  std::vector<Request> list;
  for (auto &[name, twin] : twins)
    list.push_back(twin);
  return list;
}

static int suiteMain(int argc, char **argv) {
  Options options = parseOptions(argc, argv);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<tile::TileDialect>();
  mlir::MLIRContext context(registry);

  Suite suite;
  ModelFacts &facts = suite.manifest.facts;
  facts.arch = "bench";
  facts.vocab = facts.hidden = facts.streams = facts.page = facts.maxContext = facts.maxBatch = 1;
  facts.maxRows = options.maxRows;
  // Every program must name logits; these kernels have none.
  int64_t logits = addBuffer(suite, describe("logits", "workspace", "f32", {-1, 1}, ""));
  addTarget(suite, context, "nvptx", options.chip, options.requests, logits);
  addTarget(suite, context, "x86", options.cpu, twinsOf(options.requests), logits);
  writePackage(options.package, suite.manifest, suite.objects, {});
  return 0;
}

int main(int argc, char **argv) {
  try {
    return suiteMain(argc, argv);
  } catch (const Error &error) {
    llvm::errs() << "error: " << error.what() << "\n";
    return static_cast<int>(error.status());
  }
}
