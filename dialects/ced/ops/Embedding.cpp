//===- Embedding.cpp - verifiers: token embedding and Engram ----------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult EmbedOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> table;
  // C1
  if (failed(shapes.expectRank("table", getTable().getType(), 2, table)) ||
      failed(shapes.expectRows({{"tokens", getTokens()}})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, table[1]})))
    return failure();
  return success();
}

LogicalResult EngramRowsOp::verify() {
  Shapes shapes(*this);
  int64_t layers = getLayers(), orders = getOrders(), heads = getHeads();
  int64_t columns = orders * heads;
  // C1
  if (layers < 1 || orders < 1 || heads < 1)
    return emitOpError("expected layers, orders and heads to be at least 1, got ")
           << layers << ", " << orders << " and " << heads;
  auto expectCount = [&](StringRef name, ArrayRef<int64_t> values, int64_t count) -> LogicalResult {
    if (int64_t(values.size()) == count)
      return success();
    return emitOpError("expected ") << count << " " << name << ", got " << values.size();
  };
  if (failed(expectCount("multipliers", getMultipliers(), layers * (orders + 1))) ||
      failed(expectCount("primes", getPrimes(), layers * columns)) ||
      failed(expectCount("offsets", getOffsets(), layers * columns)))
    return failure();
  for (int64_t prime : getPrimes())
    if (prime <= 1)
      return emitOpError("expected primes above 1, got ") << prime;
  // C2
  if (failed(shapes.expectRows({{"tokens", getTokens()},
                                {"kinds", getKinds()},
                                {"positions", getPositions()},
                                {"slots", getSlots()},
                                {"starts", getStarts()}})) ||
      failed(shapes.expect("rows", getRows().getType(), {kRows, layers, columns})))
    return failure();
  auto history = StateType::get(getContext(), {orders}, IntegerType::get(getContext(), 32));
  if (getHistory().getType() != history)
    return emitOpError("expected 'history' of type ") << history << ", got " << getHistory().getType();
  if (getNewHistory().getType() != history)
    return emitOpError("expected 'new_history' of type ") << history << ", got " << getNewHistory().getType();
  // C3
  int64_t vocabulary = getTokenMap().getType().getDimSize(0), pad = getPad();
  if (pad < 0 || (!ShapedType::isDynamic(vocabulary) && pad >= vocabulary))
    return emitOpError("expected 'pad' to be a token id of 'token_map' ") << getTokenMap().getType() << ", got " << pad;
  return success();
}

LogicalResult EngramLookupOp::verify() {
  Shapes shapes(*this);
  ScaledType table = getTable().getType();
  ArrayRef<int64_t> rows, dims;
  int64_t index = getIndex();
  // C1
  if (failed(shapes.expectRank("rows", getRows().getType(), 3, rows)) ||
      failed(shapes.expect("rows", getRows().getType(), {kRows, kAny, kAny})))
    return failure();
  if (index < 0 || index >= rows[1])
    return emitOpError("expected a layer from 0 to ") << rows[1] - 1 << ", got " << index;
  if (failed(shapes.expectRank("table", table, 2, dims)))
    return failure();
  if (!table.isQ8())
    return emitOpError("expected 'table' of format f8E4M3FN 1x32 f8E8M0FNU, got ") << table;
  if (failed(shapes.expect("result", getResult().getType(), {kRows, rows[2] * dims[1]})))
    return failure();
  // C2
  return getGathered() ? shapes.expect("gathered", getGathered().getType(), {1}) : success();
}

LogicalResult EngramInjectOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> stream;
  // C1
  if (failed(shapes.expectRank("stream", getStream().getType(), 3, stream)))
    return failure();
  int64_t n = stream[1], d = stream[2];
  if (failed(shapes.expect("stream", getStream().getType(), {kRows, n, d})) ||
      failed(shapes.expect("kv", getKv().getType(), {kRows, (n + 1) * d})) ||
      failed(shapes.expect("q_weight", getQWeight().getType(), {n, d})) ||
      failed(shapes.expect("k_weight", getKWeight().getType(), {n, d})) ||
      failed(shapes.expectRows({{"kinds", getKinds()}})) ||
      failed(shapes.expect("result", getResult().getType(), {kRows, n, d})))
    return failure();
  return success();
}
