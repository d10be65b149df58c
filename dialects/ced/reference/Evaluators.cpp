//===- Evaluators.cpp - which function of this folder evaluates which op ------------------------------===//
//
// The table at the end has one line per op; the functions above it, in the order of the .td files, hand
// operands and attributes over and take the results.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/ced/reference/Attention.h"
#include "dialects/ced/reference/Cache.h"
#include "dialects/ced/reference/Compressor.h"
#include "dialects/ced/reference/Embedding.h"
#include "dialects/ced/reference/Gather.h"
#include "dialects/ced/reference/HyperConnection.h"
#include "dialects/ced/reference/Indexer.h"
#include "dialects/ced/reference/Interpreter.h"
#include "dialects/ced/reference/Linear.h"
#include "dialects/ced/reference/Moe.h"
#include "dialects/ced/reference/Norm.h"
#include "dialects/ced/reference/Quantize.h"
#include "dialects/ced/reference/Rotary.h"
#include "dialects/ced/reference/Sampling.h"
#include "runtime/base/Error.h"

using namespace mlir;
using namespace cedilla::ced;

namespace cedilla::reference {

using F32 = Array<float>;
using Bf16 = Array<BF16>;
using I32 = Array<int32_t>;
using I64 = Array<int64_t>;

/// Attribute values as the ops take them.
static float f32(APFloat value) { return value.convertToFloat(); }

//===------------------------------------------------------------------------------------------===//
// Structure
//===------------------------------------------------------------------------------------------===//

static void evaluate(WeightOp op, Frame &frame) {
  frame.set(op.getResult(), frame.environment.weight(op));
}

namespace {
/// Shows a value to the observer, who may change it in place.
struct ShowMark {
  StringRef name;
  int64_t layer;
  const Observer &observer;

  template <typename T>
  void show(Array<T> &array, DType type) const {
    observer({name, layer, type, array.shape(), array.mutableData()});
  }
  void operator()(F32 &value) const { show(value, DType::F32); }
  void operator()(Bf16 &value) const { show(value, DType::BF16); }
  void operator()(I32 &value) const { show(value, DType::I32); }
  void operator()(I64 &value) const { show(value, DType::I64); }
  void operator()(WindowCache &value) const { show(value.bytes, DType::Bytes); }
  void operator()(PagedCache &value) const { show(value.bytes, DType::Bytes); }
  void operator()(ScaledArray &value) const {
    if (value.format.blockRows != 1)
      fail(Err::Interpreter, "mark '", name.str(), "': expected blocks of one row, got ", value.format.blockRows);
    Array<uint8_t> bytes = packRows(value);
    show(bytes, DType::Bytes);
    value = unpackRows(bytes, value.format, value.shape);
  }
};
} // namespace

static void evaluate(MarkOp op, Frame &frame) {
  HostValue value = frame.take(op.getValue());
  if (frame.environment.observer)
    std::visit(ShowMark{op.getName(), static_cast<int64_t>(op.getLayer()),
                        frame.environment.observer},
               value);
  frame.set(op.getResult(), std::move(value));
}

static void evaluate(ReshapeOp op, Frame &frame) {
  const Bf16 &x = frame.get<Bf16>(op.getX());
  Shape shape(cast<RankedTensorType>(op.getType()).getShape());
  shape[0] = x.dim(0);
  frame.set(op.getResult(), Bf16(shape, {x.data(), x.data() + x.size()}));
}

static void evaluate(GroupOp op, Frame &frame) {
  Frame inner(frame.environment);
  Block &body = op.getBody().front();
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), op.getInputs()))
    inner.set(argument, frame.take(input));
  std::vector<HostValue> results = inner.run(body);
  for (auto [output, result] : llvm::zip_equal(op.getOutputs(), results))
    frame.set(output, std::move(result));
}

//===------------------------------------------------------------------------------------------===//
// Quantize, Linear, Norm
//===------------------------------------------------------------------------------------------===//

static void evaluate(QuantizeOp op, Frame &frame) {
  ScaledFormat format = formatOf(op.getType());
  frame.set(op.getResult(), quantize(frame.get<Bf16>(op.getX()), format));
}

static void evaluate(DequantizeOp op, Frame &frame) {
  frame.set(op.getResult(), dequantize(frame.get<ScaledArray>(op.getX())));
}

static void evaluate(LinearOp op, Frame &frame) {
  frame.set(op.getResult(),
            linear(frame.get<ScaledArray>(op.getX()), frame.get<ScaledArray>(op.getW())));
}

static void evaluate(MatmulOp op, Frame &frame) {
  F32 sums = matmul(frame.get<Bf16>(op.getX()), frame.get<Bf16>(op.getW()));
  bool isF32 = cast<RankedTensorType>(op.getType()).getElementType().isF32();
  frame.set(op.getResult(), isF32 ? HostValue(sums) : HostValue(roundToBF16(sums)));
}

static void evaluate(GroupedLinearOp op, Frame &frame) {
  frame.set(op.getResult(), groupedLinear(frame.get<Bf16>(op.getX()),
                                          frame.get<ScaledArray>(op.getW()), op.getGroups()));
}

static void evaluate(ScaleOp op, Frame &frame) {
  frame.set(op.getResult(), scale(frame.get<Bf16>(op.getX()), f32(op.getFactor())));
}

static void evaluate(RmsNormOp op, Frame &frame) {
  frame.set(op.getResult(),
            rmsNorm(frame.get<Bf16>(op.getX()), frame.get<Bf16>(op.getW()), f32(op.getEps())));
}

//===------------------------------------------------------------------------------------------===//
// HyperConnection
//===------------------------------------------------------------------------------------------===//

static void evaluate(HcExpandOp op, Frame &frame) {
  int64_t streams = cast<RankedTensorType>(op.getStream().getType()).getDimSize(1);
  Expanded expanded = hcExpand(frame.get<Bf16>(op.getX()), streams);
  frame.set(op.getStream(), expanded.stream);
  frame.set(op.getPre(), expanded.pre);
}

static void evaluate(HcMixOp op, Frame &frame) {
  MixParameters parameters{static_cast<int64_t>(op.getIters()), f32(op.getEps()),
                           f32(op.getNormEps())};
  Mix mix = hcMix(frame.get<Bf16>(op.getStream()), frame.get<F32>(op.getFn()),
                  frame.get<F32>(op.getScale()), frame.get<F32>(op.getBase()), parameters);
  frame.set(op.getPre(), mix.pre);
  frame.set(op.getPost(), mix.post);
  frame.set(op.getComb(), mix.comb);
}

static void evaluate(HcCollapseOp op, Frame &frame) {
  frame.set(op.getResult(),
            hcCollapse(frame.get<Bf16>(op.getStream()), frame.get<F32>(op.getPre())));
}

static void evaluate(HcPostOp op, Frame &frame) {
  frame.set(op.getResult(), hcPost(frame.get<Bf16>(op.getY()), frame.get<Bf16>(op.getStream()),
                                   frame.get<F32>(op.getPost()), frame.get<F32>(op.getComb())));
}

//===------------------------------------------------------------------------------------------===//
// Rotary, Compressor, Indexer, Attention
//===------------------------------------------------------------------------------------------===//

static void evaluate(RopeOp op, Frame &frame) {
  std::vector<float> frequencies;
  ropeFrequencies(op.getRope(), frequencies);
  frame.set(op.getResult(), rope(frame.get<Bf16>(op.getX()), frame.get<I32>(op.getPositions()),
                                 frequencies, op.getGroup(), op.getInverse()));
}

static void evaluate(CompressOp op, Frame &frame) {
  Compressed compressed =
      compress(frame.get<F32>(op.getLatent()), frame.get<F32>(op.getGate()),
               frame.get<F32>(op.getOpen()), frame.get<I32>(op.getPositions()),
               frame.get<I32>(op.getSlots()), frame.get<I32>(op.getStarts()), op.getRatio());
  frame.set(op.getResult(), compressed.result);
  frame.set(op.getNewOpen(), compressed.open);
}

static void evaluate(IndexScoresOp op, Frame &frame) {
  Pool pool{frame.find<I32>(op.getPool()), static_cast<int64_t>(op.getBlockSize().value_or(1))};
  frame.set(op.getResult(),
            indexScores(frame.get<ScaledArray>(op.getQ()), frame.get<Bf16>(op.getWeights()),
                        frame.get<PagedCache>(op.getKeys()), frame.get<I32>(op.getPositions()),
                        frame.get<I32>(op.getSlots()), frame.get<I32>(op.getPages()), pool));
}

static void evaluate(BlockMaxOp op, Frame &frame) {
  frame.set(op.getResult(), blockMax(frame.get<Bf16>(op.getScores()), frame.get<I32>(op.getPositions()), op.getBlockSize(), op.getRatio()));
}

static void evaluate(CandidateBlocksOp op, Frame &frame) {
  int64_t k = cast<IndexSetType>(op.getType()).getK();
  frame.set(op.getResult(),
            candidateBlocks(frame.get<Bf16>(op.getMaxima()), frame.get<I32>(op.getPositions()), k,
                            op.getBlockSize(), op.getRatio()));
}

static void evaluate(TopkOp op, Frame &frame) {
  int64_t k = cast<IndexSetType>(op.getType()).getK();
  frame.set(op.getResult(), topk(frame.get<Bf16>(op.getScores()),
                                 frame.get<I32>(op.getPositions()), k, op.getRatio()));
}

static void evaluate(AttentionOp op, Frame &frame) {
  AttentionSources sources{frame.get<WindowCache>(op.getWindow()),
                           frame.find<ScaledArray>(op.getFresh()),
                           frame.find<PagedCache>(op.getMain()), frame.find<I32>(op.getIndex())};
  frame.set(op.getResult(),
            attention(frame.get<Bf16>(op.getQ()), frame.get<F32>(op.getSink()), sources,
                      frame.get<I32>(op.getPositions()), frame.get<I32>(op.getSlots()),
                      frame.get<I32>(op.getStarts()), frame.get<I32>(op.getPages())));
}

//===------------------------------------------------------------------------------------------===//
// Gather
//===------------------------------------------------------------------------------------------===//

static void evaluate(GatherWindowOp op, Frame &frame) {
  frame.set(op.getResult(), gatherWindow(frame.get<WindowCache>(op.getWindow())));
}

static void evaluate(GatherPagedOp op, Frame &frame) {
  frame.set(op.getResult(), gatherPaged(frame.get<PagedCache>(op.getCache()), frame.get<I32>(op.getPages())));
}

static void evaluate(CombineListsOp op, Frame &frame) {
  ListShape shape{static_cast<int64_t>(op.getWindow()), static_cast<int64_t>(op.getRing()),
                  static_cast<int64_t>(op.getRatio().value_or(1))};
  frame.set(op.getResult(), combineLists(frame.find<I32>(op.getIndex()), frame.get<I32>(op.getPositions()),
                                         frame.get<I32>(op.getStarts()), shape));
}

static void evaluate(AttendOp op, Frame &frame) {
  GatheredSources sources{frame.get<Bf16>(op.getRing()), frame.get<Bf16>(op.getFresh()),
                          frame.find<Bf16>(op.getMain()), static_cast<int64_t>(op.getWindow())};
  frame.set(op.getResult(), attend(frame.get<Bf16>(op.getQ()), frame.get<F32>(op.getSink()),
                                   frame.get<I32>(op.getList()), sources, frame.get<I32>(op.getSlots())));
}

//===------------------------------------------------------------------------------------------===//
// Moe
//===------------------------------------------------------------------------------------------===//

static void evaluate(RouteOp op, Frame &frame) {
  int64_t k = cast<RankedTensorType>(op.getIds().getType()).getDimSize(1);
  Routing routing = route(frame.get<F32>(op.getLogits()), frame.get<F32>(op.getBias()),
                          frame.get<F32>(op.getBiasVl()), frame.get<I32>(op.getKinds()), k,
                          f32(op.getRouteScale()));
  frame.set(op.getIds(), routing.ids);
  frame.set(op.getWeights(), routing.weights);
}

static void evaluate(ExpertUpOp op, Frame &frame) {
  frame.set(op.getResult(),
            expertUp(frame.get<ScaledArray>(op.getX()), frame.get<I32>(op.getIds()),
                     frame.get<F32>(op.getWeights()), frame.get<ScaledArray>(op.getW1()),
                     frame.get<ScaledArray>(op.getW3()), f32(op.getLimit())));
}

static void evaluate(ExpertDownOp op, Frame &frame) {
  frame.set(op.getResult(), expertDown(frame.get<ScaledArray>(op.getV()),
                                       frame.get<I32>(op.getIds()),
                                       frame.get<ScaledArray>(op.getW2())));
}

static void evaluate(SwigluOp op, Frame &frame) {
  frame.set(op.getResult(), swiglu(frame.get<Bf16>(op.getGate()), frame.get<Bf16>(op.getUp()),
                                   f32(op.getLimit())));
}

static void evaluate(CombineOp op, Frame &frame) {
  frame.set(op.getResult(), combine(frame.get<Bf16>(op.getRouted()), frame.get<I32>(op.getIds()),
                                    frame.get<Bf16>(op.getShared())));
}

//===------------------------------------------------------------------------------------------===//
// Embedding
//===------------------------------------------------------------------------------------------===//

static void evaluate(EmbedOp op, Frame &frame) {
  frame.set(op.getResult(), embed(frame.get<I32>(op.getTokens()), frame.get<Bf16>(op.getTable())));
}

static void evaluate(EngramRowsOp op, Frame &frame) {
  EngramHash hash{static_cast<int64_t>(op.getLayers()), static_cast<int64_t>(op.getOrders()),
                  static_cast<int64_t>(op.getHeads()),  static_cast<int64_t>(op.getPad()),
                  op.getMultipliers(), op.getPrimes(), op.getOffsets()};
  EngramRows rows =
      engramRows(frame.get<I32>(op.getTokens()), frame.get<I32>(op.getKinds()),
                 frame.get<I32>(op.getTokenMap()), frame.get<I32>(op.getHistory()),
                 frame.get<I32>(op.getPositions()), frame.get<I32>(op.getSlots()),
                 frame.get<I32>(op.getStarts()), hash);
  frame.set(op.getRows(), rows.rows);
  frame.set(op.getNewHistory(), rows.history);
}

static void evaluate(EngramLookupOp op, Frame &frame) {
  const I32 *gathered = frame.find<I32>(op.getGathered());
  frame.set(op.getResult(), engramLookup(frame.get<I64>(op.getRows()),
                                         frame.get<ScaledArray>(op.getTable()), op.getIndex(),
                                         gathered && (*gathered)[0] != 0));
}

static void evaluate(EngramInjectOp op, Frame &frame) {
  frame.set(op.getResult(),
            engramInject(frame.get<Bf16>(op.getStream()), frame.get<Bf16>(op.getKv()),
                         frame.get<Bf16>(op.getQWeight()), frame.get<Bf16>(op.getKWeight()),
                         frame.get<I32>(op.getKinds()), f32(op.getEps())));
}

//===------------------------------------------------------------------------------------------===//
// Cache
//===------------------------------------------------------------------------------------------===//

static void evaluate(AppendWindowOp op, Frame &frame) {
  auto window = std::get<WindowCache>(frame.take(op.getWindow()));
  frame.set(op.getResult(), appendWindow(std::move(window), frame.get<ScaledArray>(op.getRows()),
                                         frame.get<I32>(op.getPositions()),
                                         frame.get<I32>(op.getSlots())));
}

static void evaluate(AppendPagedOp op, Frame &frame) {
  auto cache = std::get<PagedCache>(frame.take(op.getCache()));
  frame.set(op.getResult(), appendPaged(std::move(cache), frame.get<ScaledArray>(op.getRows()),
                                        frame.get<I32>(op.getPositions()),
                                        frame.get<I32>(op.getSlots()),
                                        frame.get<I32>(op.getPages())));
}

//===------------------------------------------------------------------------------------------===//
// Sampling
//===------------------------------------------------------------------------------------------===//

static void evaluate(SampleOp op, Frame &frame) {
  Sampled sampled = sample(frame.get<F32>(op.getLogits()), frame.get<I32>(op.getSampling()),
                           frame.get<I32>(op.getChosen()), frame.get<I32>(op.getPositions()),
                           frame.get<I32>(op.getSlots()));
  frame.set(op.getTokens(), sampled.tokens);
  frame.set(op.getNext(), sampled.next);
  frame.set(op.getNewChosen(), sampled.chosen);
}

static void evaluate(SingleRowsOp op, Frame &frame) {
  frame.set(op.getPositions(), frame.get<I32>(op.getNext()));
  frame.set(op.getStarts(), frame.get<I32>(op.getNext()));
}

//===------------------------------------------------------------------------------------------===//
// The table
//===------------------------------------------------------------------------------------------===//

template <typename... Ops>
static llvm::StringMap<Evaluator> tableOf() {
  llvm::StringMap<Evaluator> table;
  (table.try_emplace(Ops::getOperationName(),
                     [](Operation *op, Frame &frame) { evaluate(cast<Ops>(op), frame); }),
   ...);
  return table;
}

const llvm::StringMap<Evaluator> &evaluators() {
  static const llvm::StringMap<Evaluator> table =
      tableOf<WeightOp, MarkOp, ReshapeOp, GroupOp,                                     //
              QuantizeOp, DequantizeOp, LinearOp, MatmulOp, GroupedLinearOp, ScaleOp,   //
              RmsNormOp, HcExpandOp, HcMixOp, HcCollapseOp, HcPostOp, RopeOp,           //
              CompressOp, IndexScoresOp, BlockMaxOp, CandidateBlocksOp, TopkOp, AttentionOp, //
              GatherWindowOp, GatherPagedOp, CombineListsOp, AttendOp,                  //
              RouteOp, ExpertUpOp, ExpertDownOp, SwigluOp, CombineOp,                   //
              EmbedOp, EngramRowsOp, EngramLookupOp, EngramInjectOp,                    //
              AppendWindowOp, AppendPagedOp, SampleOp, SingleRowsOp>();
  return table;
}

} // namespace cedilla::reference
