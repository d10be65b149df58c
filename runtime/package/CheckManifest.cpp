//===- CheckManifest.cpp - is a manifest something that can be run? -------------------------------===//
//
// One function per kind of entry; each names the entry and says what was expected. Arithmetic cannot
// overflow: products are taken step by step against a limit. What depends on the device (known chip,
// enough shared memory) is checked by the device.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Safetensors.h"
#include "runtime/package/Holds.h"
#include "runtime/package/Package.h"

#include <algorithm>
#include <limits>
#include <set>

namespace cedilla {

namespace {
/// Sizes beyond this are mistakes, and sums of a few of them still fit 64 bits.
constexpr uint64_t maxBytes = uint64_t(1) << 56;

struct ElementType {
  std::string_view name;
  uint64_t bytes;
};
constexpr ElementType elementTypes[] = {{"f32", 4}, {"bf16", 2}, {"i32", 4}, {"i64", 8}, {"i8", 1}};
constexpr std::string_view bufferKinds[] = {"input", "state", "weight", "constant", "workspace"};
constexpr std::string_view rowInputs[] = {"tokens", "kinds", "positions", "slots", "starts"};
constexpr uint64_t maxBlocks = std::numeric_limits<int32_t>::max();
constexpr std::string_view gatheredInput = "engram_gathered";
constexpr std::string_view reproducibilityClasses[] = {"", "run", "batch", "phase"};

/// What all checks need; `at` opens every message.
struct Checker {
  const Manifest &m;
  uint64_t objectsBytes, constantsBytes;
  std::string where;

  template <typename... Args>
  [[noreturn]] void refuse(Args &&...args) const {
    fail(Err::Manifest, where, ": ", std::forward<Args>(args)...);
  }
  void facts() const;
  void layer(size_t i) const;
  void object(size_t i) const;
  void kernel(size_t i) const;
  void buffer(size_t i) const;
  void input(const BufferInfo &b) const;
  void state(const BufferInfo &b) const;
  void weight(const BufferInfo &b) const;
  void program(const ProgramInfo &p) const;
  void advance(const ProgramInfo &p) const;
  void engram() const;
  void engramTable(size_t i) const;
  const BufferInfo *find(std::string_view name, std::string_view kind) const;
  void dispatch(const std::string &at, const ProgramInfo &program, const StepInfo &step) const;
  uint64_t grid(const std::string &at, const std::vector<GridDim> &dims) const;
  void mark(const std::string &at, const StepInfo &step) const;
  uint64_t shapeBytes(const BufferInfo &b) const;
  void inside(const BufferInfo &b, uint64_t size, const char *area) const;
};
} // namespace

template <size_t N>
static bool isOneOf(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

template <size_t N>
static std::string listed(const std::string_view (&names)[N]) {
  std::string text;
  for (std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

uint64_t elementBytes(std::string_view type) {
  for (const ElementType &entry : elementTypes)
    if (entry.name == type)
      return entry.bytes;
  return 0;
}

/// "tensor", "file" or "file:tensor": the part that may be a file's name leads nowhere else. Tensors may have slashes.
static bool isInModelDirectory(std::string_view name) {
  size_t colon = name.find(':');
  bool isFile = colon != std::string_view::npos;
  std::string_view file = name.substr(0, colon);
  return !file.empty() && file != "." && file != ".." && file.find('\0') == std::string_view::npos &&
         !(isFile && file.find('/') != std::string_view::npos);
}

/// a * b, or maxBytes + 1 where that is larger than any legal size.
static uint64_t times(uint64_t a, uint64_t b) {
  return b != 0 && a > maxBytes / b ? maxBytes + 1 : a * b;
}

//===------------------------------------------------------------------------------------------===//
// Facts
//===------------------------------------------------------------------------------------------===//

/// A layer reads itself or an earlier one.
void Checker::layer(size_t i) const {
  const LayerFacts &l = m.facts.layers[i];
  int64_t self = static_cast<int64_t>(i);
  for (int64_t owner : {l.kv, l.select, l.pool})
    if (owner < -1 || owner > self)
      refuse("facts: layer ", i, ": expected owners from -1 to ", i, ", got ", owner);
  if (l.window < 0 || l.window > std::numeric_limits<int32_t>::max() || l.ratio < 0 || l.ratio > m.facts.page)
    refuse("facts: layer ", i, ": a window of ", l.window, " and a ratio of ", l.ratio, " are out of range");
}

void Checker::facts() const {
  const ModelFacts &f = m.facts;
  struct Limit {
    const char *name;
    int64_t value, low;
  };
  // Token ids, positions, slots and pages travel as i32.
  for (const Limit &limit :
       {Limit{"vocab", f.vocab, 1}, {"hidden", f.hidden, 1}, {"streams", f.streams, 1},
        {"headDim", f.headDim, 1}, {"indexHeadDim", f.indexHeadDim, 0}, {"indexTopk", f.indexTopk, 0},
        {"candidateBlocks", f.candidateBlocks, 0},
        {"candidateBlockSize", f.candidateBlockSize, f.candidateBlocks ? 1 : 0},
        {"expertsPerToken", f.expertsPerToken, 0},
        {"slack", f.slack, 0}, {"page", f.page, 1}, {"maxRows", f.maxRows, 1},
        {"maxContext", f.maxContext, 1}, {"maxBatch", f.maxBatch, 1}})
    if (limit.value < limit.low || limit.value > std::numeric_limits<int32_t>::max())
      refuse("facts: '", limit.name, "': expected ", limit.low, " to 2147483647, got ",
             limit.value);
  for (int64_t token : f.eos)
    if (token < 0 || token >= f.vocab)
      refuse("facts: 'eos': expected tokens below ", f.vocab, ", got ", token);
  for (size_t i = 0; i < f.layers.size(); ++i)
    layer(i);
  if (times(f.maxBatch, f.pagesPerSlot()) > uint64_t(std::numeric_limits<int32_t>::max()))
    refuse("facts: ", f.maxBatch, " slots of ", f.pagesPerSlot(), " pages are more than 2147483647");
}

//===------------------------------------------------------------------------------------------===//
// Objects and kernels
//===------------------------------------------------------------------------------------------===//

void Checker::object(size_t i) const {
  const ObjectInfo &o = m.objects[i];
  if (o.target.empty() || o.chip.empty())
    refuse("object ", i, ": expected a target and a chip");
  if (o.offset > objectsBytes || o.bytes > objectsBytes - o.offset)
    refuse("object ", i, ": bytes ", o.offset, " + ", o.bytes, " lie outside the objects section of ",
           objectsBytes, " bytes");
}

void Checker::kernel(size_t i) const {
  const KernelInfo &k = m.kernels[i];
  if (k.name.empty() || k.symbol.empty())
    refuse("kernel ", i, ": expected a name and a symbol");
  if (k.object < 0 || uint64_t(k.object) >= m.objects.size())
    refuse("kernel '", k.name, "': expected an object below ", m.objects.size(), ", got ", k.object);
  if (k.arenaBytes > maxBytes || k.sharedBytes > maxBytes)
    refuse("kernel '", k.name, "': scratch of ", k.arenaBytes, " / ", k.sharedBytes,
           " bytes is out of range");
  if (k.threads < 0 || k.threads > 1024)
    refuse("kernel '", k.name, "': expected 0 to 1024 threads, got ", k.threads);
  if (k.phases < 0 || k.phases == 1 || k.phases > 1024)
    refuse("kernel '", k.name, "': expected 2 to 1024 phases, or 0, got ", k.phases);
  if (!isOneOf(reproducibilityClasses, k.reproducibility))
    refuse("kernel '", k.name, "': expected reproducibility run, batch or phase, got '",
           k.reproducibility, "'");
}

//===------------------------------------------------------------------------------------------===//
// Buffers
//===------------------------------------------------------------------------------------------===//

/// Bytes at the maxima, where a first dim of -1 is maxRows.
uint64_t Checker::shapeBytes(const BufferInfo &b) const {
  uint64_t bytes = elementBytes(b.type);
  for (size_t i = 0; i < b.shape.size(); ++i) {
    int64_t dim = i == 0 && b.shape[0] == -1 ? m.facts.maxRows : b.shape[i];
    if (dim < 1)
      refuse("buffer '", b.name, "': dim ", i, ": expected at least 1, got ", dim);
    bytes = times(bytes, dim);
  }
  if (bytes > maxBytes)
    refuse("buffer '", b.name, "': its shape is more than ", maxBytes, " bytes");
  return bytes;
}

void Checker::inside(const BufferInfo &b, uint64_t size, const char *area) const {
  if (b.offset % 64)
    refuse("buffer '", b.name, "': expected an offset that is a multiple of 64, got ", b.offset);
  if (b.offset > size || b.bytes > size - b.offset)
    refuse("buffer '", b.name, "': bytes ", b.offset, " + ", b.bytes, " lie outside the ", area,
           " of ", size, " bytes");
}

void Checker::input(const BufferInfo &b) const {
  bool rows = isOneOf(rowInputs, b.name);
  if (!rows && b.name != "pages" && b.name != gatheredInput)
    refuse("input '", b.name, "': expected one of ", listed(rowInputs), ", pages, ", gatheredInput);
  std::vector<int64_t> expected = {m.facts.maxBatch, m.facts.pagesPerSlot()};
  if (rows || b.name == gatheredInput)
    expected = {rows ? -1 : 1};
  if (b.type != "i32" || b.shape != expected)
    refuse("input '", b.name, "': expected i32 of shape ", shapeText(expected), ", got ", b.type,
           " of shape ", shapeText(b.shape));
}

void Checker::state(const BufferInfo &b) const {
  int64_t first = b.shape.empty() ? 0 : b.shape[0];
  int64_t expected = m.facts.maxBatch * (b.paged ? m.facts.pagesPerSlot() : 1);
  if (first != expected)
    refuse("state '", b.name, "': expected a first dim of ", expected,
           b.paged ? " (paged)" : " (not paged)", ", got ", first);
  if (b.paged && (b.shape.size() < 2 || m.facts.page % b.shape[1]))
    refuse("state '", b.name, "': expected a divisor of the ", m.facts.page, " tokens of a page as second dim, got ", shapeText(b.shape));
  // A slot's part is found by dividing.
  if (b.bytes != shapeBytes(b))
    refuse("state '", b.name, "': expected ", shapeBytes(b), " bytes, got ", b.bytes);
}

void Checker::weight(const BufferInfo &b) const {
  if (b.tensors.empty())
    refuse("weight '", b.name, "': expected at least one tensor");
  uint64_t bits = dtypeBits(b.dtype);
  if (bits == 0)
    refuse("weight '", b.name, "': unknown dtype '", b.dtype, "'");
  uint64_t each = bits;
  for (const std::string &tensor : b.tensors)
    if (!isInModelDirectory(tensor))
      refuse("weight '", b.name, "': expected a tensor of a file in the model directory, got '", tensor, "'");
  for (int64_t dim : b.tensorShape) {
    if (dim < 0)
      refuse("weight '", b.name, "': expected no negative dim in ", shapeText(b.tensorShape));
    each = times(each, dim);
  }
  uint64_t all = times(each / 8, b.tensors.size());
  if (b.byRow && b.shape.size() < 2)
    refuse("weight '", b.name, "': expected rows to be read by, got shape ", shapeText(b.shape));
  if (each % 8 || all != b.bytes)
    refuse("weight '", b.name, "': ", b.tensors.size(), " tensors of ", b.dtype, " ",
           shapeText(b.tensorShape), " are ", all, " bytes, the buffer has ", b.bytes);
}

void Checker::buffer(size_t i) const {
  const BufferInfo &b = m.buffers[i];
  if (b.name.empty())
    refuse("buffer ", i, ": expected a name");
  if (!isOneOf(bufferKinds, b.kind))
    refuse("buffer '", b.name, "': expected a kind of ", listed(bufferKinds), ", got '", b.kind, "'");
  if (elementBytes(b.type) == 0)
    refuse("buffer '", b.name, "': expected a type of f32, bf16, i32, i64, i8, got '", b.type, "'");
  uint64_t needed = shapeBytes(b);
  if (b.bytes < needed || b.bytes > maxBytes)
    refuse("buffer '", b.name, "': shape ", shapeText(b.shape), " of ", b.type, " needs ", needed,
           " bytes, got ", b.bytes);
  if (std::string wrong = holdsMismatch(b); !wrong.empty())
    refuse("buffer '", b.name, "' of ", b.holds.what, ": ", wrong);
  if (b.kind == "input")
    input(b);
  else if (b.kind == "state")
    state(b);
  else if (b.kind == "weight")
    weight(b);
  else if (b.kind == "constant")
    inside(b, constantsBytes, "constants section");
  else
    inside(b, m.workspaceBytes, "workspace");
}

//===------------------------------------------------------------------------------------------===//
// Programs
//===------------------------------------------------------------------------------------------===//

void Checker::dispatch(const std::string &at, const ProgramInfo &program,
                       const StepInfo &step) const {
  if (step.kernel < 0 || uint64_t(step.kernel) >= m.kernels.size())
    refuse(at, ": expected a kernel below ", m.kernels.size(), ", got ", step.kernel);
  const KernelInfo &kernel = m.kernels[step.kernel];
  if (kernel.buffers >= 0 && uint64_t(kernel.buffers) != step.buffers.size())
    refuse(at, ": expected the ", kernel.buffers, " buffers of kernel '", kernel.name, "', got ", step.buffers.size());
  const ObjectInfo &object = m.objects[kernel.object];
  if (!program.target.empty() && (object.target != program.target || object.chip != program.chip))
    refuse(at, ": expected a kernel for ", program.target, " ", program.chip, ", got one for ",
           object.target, " ", object.chip);
  uint64_t phases = 1 + step.laterGrids.size(), blocks = grid(at, step.grid);
  if (kernel.phases ? phases != uint64_t(kernel.phases) : phases > 1 && object.target == "nvptx")
    refuse(at, ": expected grids of the ", std::max<int64_t>(kernel.phases, 1), " phases of kernel '", kernel.name,
           "', got ", phases);
  for (const std::vector<GridDim> &later : step.laterGrids)
    blocks += grid(at, later);
  if (blocks > maxBlocks)
    refuse(at, ": expected at most ", maxBlocks, " blocks at ", m.facts.maxRows, " rows in all phases together, got ",
           blocks);
}

uint64_t Checker::grid(const std::string &at, const std::vector<GridDim> &dims) const {
  if (dims.empty() || dims.size() > 3)
    refuse(at, ": expected a grid of 1 to 3 dims, got ", dims.size());
  uint64_t blocks = 1;
  for (const GridDim &dim : dims) {
    if (dim.rowsPer < 0 || uint64_t(dim.rowsPer) > maxBlocks || (dim.rowsPer == 0 && dim.value < 1))
      refuse(at, ": grid dim of ", dim.value, " blocks and ", dim.rowsPer, " rows per block");
    blocks = times(blocks, dim.blocks(m.facts.maxRows));
  }
  if (blocks > maxBlocks)
    refuse(at, ": expected at most ", maxBlocks, " blocks at ", m.facts.maxRows, " rows, got ", blocks);
  return blocks;
}

void Checker::mark(const std::string &at, const StepInfo &step) const {
  if (step.name.empty() || step.buffers.size() != 1)
    refuse(at, ": expected a mark with a name and one buffer, got '", step.name, "' and ",
           step.buffers.size());
  // Checks feed and read the stream with the sizes the facts have.
  const BufferInfo &marked = m.buffers[step.buffers[0]];
  // Who looks at a mark may replace it, and counts rows of the step.
  if (marked.kind != "workspace" || marked.shape.empty() || marked.shape[0] != -1)
    refuse(at, ": expected a mark of a workspace buffer with a row per row of the step, got ", marked.kind, " ",
           shapeText(marked.shape));
  uint64_t values = 1;
  for (size_t i = 1; i < marked.shape.size(); ++i)
    values = times(values, marked.shape[i]);
  if (uint64_t stream = times(m.facts.streams, m.facts.hidden); step.name == "stream" && values != stream)
    refuse(at, ": expected a stream of ", stream, " values a row, got ", shapeText(marked.shape));
}

void Checker::program(const ProgramInfo &p) const {
  if (p.target.empty() != p.chip.empty())
    refuse("program '", p.name, "': expected a target and a chip, or neither, got '", p.target,
           "' and '", p.chip, "'");
  int64_t phases = 0, place = 0; // of the last dispatch; in front of which one its last mark stands
  for (size_t i = 0; i < p.steps.size(); ++i) {
    const StepInfo &step = p.steps[i];
    std::string at = "program '" + p.name + "' step " + std::to_string(i);
    for (int64_t b : step.buffers)
      if (b < 0 || uint64_t(b) >= m.buffers.size())
        refuse(at, ": expected buffers below ", m.buffers.size(), ", got ", b);
    if (step.op == "dispatch") {
      dispatch(at, p, step);
      phases = 1 + step.laterGrids.size(), place = 0;
      continue;
    }
    if (step.op != "mark")
      refuse(at, ": expected 'dispatch' or 'mark', got '", step.op, "'");
    if (step.phase < 0 || (step.phase > 0 && step.phase >= phases))
      refuse(at, ": expected a mark in front of one of the ", phases, " phases before it, got ", step.phase);
    int64_t here = step.phase ? step.phase : phases;
    if (here < place)
      refuse(at, ": expected a mark in front of phase ", place, " or behind it, like the mark before, got ", here);
    place = here;
    mark(at, step);
  }
  for (const auto &[mode, kernels] : p.contract)
    if (kernels < 1)
      refuse("program '", p.name, "': contract of '", mode, "': expected at least 1 kernel, got ", kernels);
  if (p.logits < 0 || uint64_t(p.logits) >= m.buffers.size())
    refuse("program '", p.name, "': expected a logits buffer below ", m.buffers.size(), ", got ",
           p.logits);
  const BufferInfo &logits = m.buffers[p.logits];
  if (logits.type != "f32" || logits.shape != std::vector<int64_t>{-1, m.facts.vocab})
    refuse("program '", p.name, "': logits: expected f32 [-1, ", m.facts.vocab, "], got ",
           logits.type, " ", shapeText(logits.shape));
}

/// What the session fills and reads beside the rows.
void Checker::advance(const ProgramInfo &p) const {
  for (std::string_view name : {"sampling", "chosen"}) {
    const BufferInfo *list = find(name, "state");
    if (!list || list->type != "i32" || list->paged || list->shape.size() != 2 ||
        (name == "sampling" && list->shape[1] != 2))
      refuse("program 'advance': expected a state '", name, "', i32 [", m.facts.maxBatch,
             name == "sampling" ? ", 2]" : ", n]", ", got ", list ? list->type + " " + shapeText(list->shape) : "none");
  }
  for (const StepInfo &step : p.steps)
    if (step.op != "dispatch")
      refuse("program 'advance': expected dispatches only, got '", step.op, "'");
}

//===------------------------------------------------------------------------------------------===//
// Engram
//===------------------------------------------------------------------------------------------===//

const BufferInfo *Checker::find(std::string_view name, std::string_view kind) const {
  for (const BufferInfo &buffer : m.buffers)
    if (buffer.name == name && buffer.kind == kind)
      return &buffer;
  return nullptr;
}

/// Every row that the hash can name lies inside the table.
void Checker::engramTable(size_t i) const {
  const EngramTable &table = m.engram.tables[i];
  std::string at = "engram table " + std::to_string(i);
  const BufferInfo *codes = find(table.codes, "weight"), *scales = find(table.scales, "weight");
  for (const BufferInfo *part : {codes, scales})
    if (!part || part->type != "i8" || part->shape.size() != 2 || part->tensors.size() != 1 || part->shape[0] != codes->shape[0])
      refuse(at, ": expected weights '", table.codes, "' and '", table.scales, "' of one tensor each, i8 with equal numbers of rows");
  size_t columns = m.engram.columns();
  for (const BufferInfo *part : {codes, scales})
    if (times(times(part->bytes / part->shape[0], columns), m.facts.maxRows) > maxBytes)
      refuse(at, ": the rows of a step are more than ", maxBytes, " bytes");
  if (table.multipliers.size() != size_t(m.engram.orders) + 1 || table.primes.size() != columns || table.offsets.size() != columns)
    refuse(at, ": expected ", m.engram.orders + 1, " multipliers, ", columns, " primes and offsets, got ",
           table.multipliers.size(), ", ", table.primes.size(), " and ", table.offsets.size());
  for (size_t c = 0; c < columns; ++c)
    if (table.primes[c] < 2 || table.offsets[c] < 0 || table.offsets[c] > codes->shape[0] ||
        table.primes[c] > codes->shape[0] - table.offsets[c])
      refuse(at, ": column ", c, ": rows from ", table.offsets[c], " on, ", table.primes[c], " of them, are not all in a table of ",
             codes->shape[0]);
}

void Checker::engram() const {
  const EngramFacts &e = m.engram;
  if (e.tables.empty())
    return;
  constexpr int64_t most = 1 << 16;
  if (e.orders < 1 || e.heads < 1 || e.orders > most || e.heads > most)
    refuse("engram: expected 1 to ", most, " orders and heads, got ", e.orders, " and ", e.heads);
  const BufferInfo *map = find(e.tokenMap, "weight");
  if (!map || map->type != "i32" || map->shape.size() != 1 || map->shape[0] < m.facts.vocab || map->dtype != "I32" || map->bytes != shapeBytes(*map))
    refuse("engram: expected a weight '", e.tokenMap, "', i32 [", m.facts.vocab, "]");
  if (e.pad < 0 || e.pad >= m.facts.vocab)
    refuse("engram: expected a pad below ", m.facts.vocab, ", got ", e.pad);
  if (!find(gatheredInput, "input"))
    refuse("engram: expected an input '", gatheredInput, "'");
  for (size_t i = 0; i < e.tables.size(); ++i)
    engramTable(i);
}

void checkManifest(const Manifest &manifest, uint64_t objectsBytes, uint64_t constantsBytes,
                   std::string_view where) {
  Checker check{manifest, objectsBytes, constantsBytes, std::string(where)};
  check.facts();
  if (manifest.weightLayout != kWeightLayout)
    check.refuse("weightLayout: expected '", kWeightLayout, "', got '", manifest.weightLayout, "'");
  for (const SourceInfo &source : manifest.sources)
    if (!isInModelDirectory(source.name))
      check.refuse("source '", source.name, "': expected the name of a file in the model directory");
  for (size_t i = 0; i < manifest.objects.size(); ++i)
    check.object(i);
  for (size_t i = 0; i < manifest.kernels.size(); ++i)
    check.kernel(i);
  if (manifest.workspaceBytes > maxBytes)
    check.refuse("workspace of ", manifest.workspaceBytes, " bytes is out of range");
  std::set<std::string_view> names;
  for (size_t i = 0; i < manifest.buffers.size(); ++i) {
    check.buffer(i);
    // Workspace buffers are found by index alone; the others are looked up by people and checks.
    if (manifest.buffers[i].kind != "workspace" && !names.insert(manifest.buffers[i].name).second)
      check.refuse("buffer '", manifest.buffers[i].name, "': the name appears twice");
  }
  check.engram();
  std::set<std::string> programs;
  for (const ProgramInfo &program : manifest.programs) {
    check.program(program);
    if (program.name == "advance")
      check.advance(program);
    if (!programs.insert(program.name + " " + program.target + " " + program.chip).second)
      check.refuse("program '", program.name, "': the name appears twice",
                   program.target.empty() ? "" : " for " + program.target + " " + program.chip);
  }
}

} // namespace cedilla
