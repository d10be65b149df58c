//===- PlaceShared.cpp - rings and exchanges get their place in shared memory -----------------===//
//
// Expects layouts. Each piece has a life: the rings of a loop as long as the loop runs, the scratch
// of an exchange or a reduction while that op runs, a tile that lies in scratch until its last
// reader. Pieces whose lives do not overlap may use the same bytes (the lowering puts barriers
// between). Leaves `tile.staging` on loads, `tile.scratch` on other ops, `tile.shared_bytes` on the
// kernel.
//
//===------------------------------------------------------------------------------------------===//

#include "compiler/target/nvptx/Alignment.h"
#include "compiler/target/nvptx/Geometry.h"
#include "compiler/target/nvptx/Scratch.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace cedilla::nvptx {
#define GEN_PASS_DEF_NVPTXPLACESHARED
#include "compiler/target/nvptx/Passes.h.inc"
} // namespace cedilla::nvptx

using namespace mlir;
using namespace cedilla;
using namespace cedilla::nvptx;
using tile::LayoutAttr;
using tile::LayoutKind;
using tile::TileType;

// Shared memory has 32 banks of 4 bytes: what a row of banks holds, and how a ring slot is aligned.
static constexpr int64_t bankRow = 128;
static constexpr int64_t swizzleUnit = 16;

static int64_t elementBytes(TileType tile) { return tile.getElement().getIntOrFloatBitWidth() / 8; }

//===------------------------------------------------------------------------------------------===//
// Staging of one load
//===------------------------------------------------------------------------------------------===//

/// Widest asynchronous copy that the access allows, 0 for none: along contiguous columns, aligned
/// at both ends of each of `parts` pieces of a row. cp.async knows 4, 8 and 16 bytes.
static int64_t copyWidth(tile::LoadOp load, int64_t parts, const Chip &chip) {
  auto memory = cast<MemRefType>(load.getMemory().getType());
  tile::MemoryDims dims = tile::getMemoryDims(memory, load.getDims());
  TileType tile = load.getResult().getType();
  if (dims.cols != memory.getRank() - 1 || tile.getCols() % parts != 0)
    return 0;
  int64_t aligned = knownAlignment(memory, load.getOffsets());
  if (dims.rows >= 0)
    aligned = std::gcd(aligned, strideOf(memory, dims.rows) * elementBytes(tile));
  int64_t pitch = tile.getCols() / parts * elementBytes(tile);
  int64_t width = std::gcd(std::gcd(aligned, pitch), chip.asyncCopyBytes);
  return width >= 4 ? width : 0;
}

namespace {
struct Swizzle {
  int64_t div = 1, mask = 0, shift = 0;
};
} // namespace

/// Four lanes read `bytes` each of one row, so the 128 bytes of all banks serve `128 / (4 bytes)`
/// rows at once, which must come from different banks. Rows of less than 128 bytes share a row of
/// banks already.
static Swizzle chooseSwizzle(int64_t pitch, int64_t bytes) {
  Swizzle s;
  int64_t perRow = 4 * bytes / swizzleUnit; // units of 16 bytes that a row contributes
  bool fits = pitch % bankRow == 0 || bankRow % pitch == 0;
  if (!fits || perRow < 1)
    return s;
  s.div = std::max<int64_t>(bankRow / pitch, 1);
  int64_t together = bankRow / (4 * bytes) / s.div;
  if (together < 2)
    return Swizzle();
  s.mask = together - 1;
  s.shift = llvm::Log2_64(perRow);
  return s;
}

static bool readByFragments(LayoutAttr layout) {
  return layout && (layout.getKind() == LayoutKind::MmaA || layout.getKind() == LayoutKind::MmaB ||
                    layout.getKind() == LayoutKind::Memory);
}

/// Scalar ops that only depend on what is known before the iteration begins can be run ahead of it.
static bool canRunAhead(Value value, Block *body) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != body || argument.getArgNumber() == 0;
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != body)
    return true;
  return isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value v) { return canRunAhead(v, body); });
}

//===------------------------------------------------------------------------------------------===//
// Lives
//===------------------------------------------------------------------------------------------===//

namespace {
/// Bytes that are in use from one op to another, both included, as numbers in text order.
struct Piece {
  int64_t bytes, begin, end, offset = 0;
  bool meets(const Piece &other) const { return begin <= other.end && other.begin <= end; }
};

/// Positions of ops in the text.
class Order {
public:
  explicit Order(tile::KernelOp kernel) {
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      int64_t next = first.size();
      first[op] = next;
    });
  }

  int64_t begin(Operation *op) const { return first.lookup(op); }
  int64_t end(Operation *op) const {
    int64_t last = begin(op);
    op->walk([&](Operation *inner) { last = std::max(last, begin(inner)); });
    return last;
  }
  /// The last reader of a tile. A loop that does not make it reads it until it ends; what decodes
  /// it reads it when it is read itself.
  int64_t lastUse(Value value) const {
    int64_t last = begin(value.getDefiningOp());
    for (Operation *user : value.getUsers()) {
      Operation *outermost = user;
      for (Operation *up = user; up->getBlock() != value.getParentBlock(); up = up->getParentOp())
        if (isa<scf::ForOp>(up->getParentOp()))
          outermost = up->getParentOp();
      last = std::max(last, end(outermost));
      if (auto decode = dyn_cast<tile::DecodeOp>(user))
        last = std::max(last, lastUse(decode.getResult()));
    }
    return last;
  }

private:
  DenseMap<Operation *, int64_t> first;
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// A kernel
//===------------------------------------------------------------------------------------------===//

namespace {
class Placer {
public:
  Placer(tile::KernelOp kernel, const Chip &chip) : kernel(kernel), chip(chip), order(kernel) {}

  LogicalResult run() {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        placeRings(loop);
      else
        placeScratch(op);
    });
    if (total > chip.sharedBytes)
      return kernel.emitOpError("kernel '")
             << kernel.getSymName() << "' needs " << total << " bytes of shared memory, "
             << chip.name << " has " << chip.sharedBytes
             << " (fewer stages or smaller blocks need less)";
    kernel->setAttr(sharedBytesAttr, Builder(kernel.getContext()).getI64IntegerAttr(total));
    return success();
  }

private:
  /// The lowest place that no living piece has.
  int64_t place(Piece piece) {
    SmallVector<Piece> living;
    for (const Piece &other : pieces)
      if (other.meets(piece))
        living.push_back(other);
    llvm::sort(living, [](const Piece &x, const Piece &y) { return x.offset < y.offset; });
    for (const Piece &other : living)
      if (other.offset < piece.offset + piece.bytes)
        piece.offset =
            std::max<int64_t>(piece.offset, llvm::alignTo(other.offset + other.bytes, bankRow));
    pieces.push_back(piece);
    total = std::max(total, piece.offset + piece.bytes);
    return piece.offset;
  }

  void placeRings(scf::ForOp loop) {
    bool innermost = true;
    loop.getBody()->walk([&](scf::ForOp) { innermost = false; });
    if (!innermost)
      return;
    SmallVector<tile::LoadOp> loads;
    for (auto load : loop.getBody()->getOps<tile::LoadOp>())
      if (stageable(load) && copyWidth(load, 1, chip))
        loads.push_back(load);
    if (loads.empty())
      return;
    int64_t parts = ownParts(loads), bytes = 0;
    for (tile::LoadOp load : loads)
      bytes = llvm::alignTo(bytes + ringBytes(load, parts), bankRow);
    int64_t offset = place({bytes, order.begin(loop), order.end(loop)});
    for (tile::LoadOp load : loads) {
      placeRing(load, parts, offset);
      offset = llvm::alignTo(offset + ringBytes(load, parts), bankRow);
    }
  }

  /// Where warps share nothing but the sum over k, each reads columns of its own: it can copy them
  /// itself and needs to wait for nobody.
  int64_t ownParts(ArrayRef<tile::LoadOp> loads) const {
    int64_t warps = getConfig(kernel, "warps", 1);
    auto ownColumns = [&](tile::LoadOp load) {
      LayoutAttr layout = readersLayout(load);
      return layout && layout.getSplit() == ArrayRef<int64_t>{1, 1, warps} &&
             copyWidth(load, warps, chip);
    };
    return warps > 1 && llvm::all_of(loads, ownColumns) ? warps : 1;
  }

  /// The layout in which a load is read; of scales that of the decoded tile. Null if there are
  /// several.
  static LayoutAttr readersLayout(tile::LoadOp load) {
    LayoutAttr own = getLayout(load.getResult()), common;
    if (own.getKind() != LayoutKind::Memory)
      return own;
    for (Operation *user : load.getResult().getUsers()) {
      auto decode = dyn_cast<tile::DecodeOp>(user);
      LayoutAttr layout = decode ? getLayout(decode.getResult()) : LayoutAttr();
      bool fragments =
          layout && (layout.getKind() == LayoutKind::MmaA || layout.getKind() == LayoutKind::MmaB);
      if (!fragments || (common && common.getSplit() != layout.getSplit()))
        return {};
      common = layout;
    }
    return common;
  }

  /// What the kernel writes itself may not be read ahead of time.
  bool stageable(tile::LoadOp load) const {
    Block *body = load->getBlock();
    bool written = llvm::any_of(load.getMemory().getUsers(), [&](Operation *user) {
      auto select = dyn_cast<tile::SelectTopkOp>(user);
      return isa<tile::StoreOp, tile::ScatterOp>(user) ||
             (select && select.getOut() == load.getMemory());
    });
    return chip.asyncCopyBytes && !written && readByFragments(getLayout(load.getResult())) &&
           llvm::all_of(load->getOperands(), [&](Value v) { return canRunAhead(v, body); });
  }

  int64_t stages() const { return std::max<int64_t>(getConfig(kernel, "stages", 1), 1); }

  /// Of all parts together.
  int64_t ringBytes(tile::LoadOp load, int64_t parts) const {
    TileType tile = load.getResult().getType();
    return stages() * tile.getRows() * (tile.getCols() / parts * elementBytes(tile)) * parts;
  }

  void placeRing(tile::LoadOp load, int64_t parts, int64_t offset) {
    TileType tile = load.getResult().getType();
    LayoutAttr layout = getLayout(load.getResult());
    int64_t pitch = tile.getCols() / parts * elementBytes(tile),
            width = copyWidth(load, parts, chip);
    Swizzle s;
    // Rows are displaced in units of 16 bytes, which narrower copies would tear apart.
    if (layout.getKind() != LayoutKind::Memory && width == swizzleUnit)
      s = chooseSwizzle(pitch, layout.getVec() * elementBytes(tile));
    load->setAttr(stagingAttr, tile::StagingAttr::get(load.getContext(), offset, pitch, s.div,
                                                      s.mask, s.shift, width, stages(), parts));
  }

  void placeScratch(Operation *op) {
    int64_t bytes = scratchBytes(op, getConfig(kernel, "warps", 1) * chip.warp);
    if (bytes == 0)
      return;
    Piece piece{bytes, order.begin(op), order.begin(op)};
    for (Value result : op->getResults())
      if (isa<TileType>(result.getType()) && getLayout(result).getKind() == LayoutKind::Memory)
        piece.end = std::max(piece.end, order.lastUse(result));
    op->setAttr(scratchAttr, Builder(op->getContext()).getI64IntegerAttr(place(piece)));
  }

  tile::KernelOp kernel;
  const Chip &chip;
  Order order;
  SmallVector<Piece> pieces;
  int64_t total = 0;
};

struct PlaceShared : nvptx::impl::NvptxPlaceSharedBase<PlaceShared> {
  using Base::Base;

  void runOnOperation() override {
    const Chip *row = findChipOrError(getOperation(), chip);
    if (!row)
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<tile::KernelOp>())
      if (failed(Placer(kernel, *row).run()))
        return signalPassFailure();
  }
};
} // namespace
