//===- Gather.cpp - verifiers: attention in steps ---------------------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

LogicalResult GatherWindowOp::verify() {
  Shapes shapes(*this);
  WindowType window = getWindow().getType();
  return shapes.expect("result", getResult().getType(), {kAny, window.getRingRows(), window.getRow().getCols()}); // C1
}

LogicalResult GatherPagedOp::verify() {
  Shapes shapes(*this);
  return shapes.expect("result", getResult().getType(), {kAny, kAny, getCache().getType().getRow().getCols()}); // C1
}

LogicalResult CombineListsOp::verify() {
  Shapes shapes(*this);
  int64_t window = getWindow(), ring = getRing(), selected = 0;
  // C1
  if (window < 1 || ring < window)
    return emitOpError("expected a window of at least 1 and a ring at least as long, got ") << window << " and " << ring;
  // C2
  if (bool(getIndex()) != getRatio().has_value())
    return emitOpError("expected 'index' and 'ratio' together, got only ") << (getIndex() ? "'index'" : "'ratio'");
  if (getIndex()) {
    selected = getIndex().getType().getK();
    if (int64_t(*getRatio()) < 1)
      return emitOpError("expected ratio to be at least 1, got ") << int64_t(*getRatio());
  }
  // C3
  if (failed(shapes.expect("result", getResult().getType(), {kRows, window + selected})))
    return failure();
  return shapes.expectRows({{"positions", getPositions()}, {"starts", getStarts()}});
}

LogicalResult AttendOp::verify() {
  Shapes shapes(*this);
  ArrayRef<int64_t> q, list;
  // C1
  if (failed(shapes.expectRank("q", getQ().getType(), 3, q)) || failed(shapes.expectRank("list", getList().getType(), 2, list)))
    return failure();
  int64_t heads = q[1], columns = q[2];
  if (failed(shapes.expect("q", getQ().getType(), {kRows, heads, columns})) ||
      failed(shapes.expect("sink", getSink().getType(), {heads})) ||
      failed(shapes.expect("list", getList().getType(), {kRows, list[1]})) ||
      failed(shapes.expect("ring", getRing().getType(), {kAny, kAny, columns})) ||
      failed(shapes.expect("fresh", getFresh().getType(), {kRows, columns})) ||
      failed(shapes.expectRows({{"slots", getSlots()}})) ||
      (getMain() && failed(shapes.expect("main", getMain().getType(), {kAny, kAny, columns}))))
    return failure();
  // C2
  int64_t window = getWindow();
  if (window < 1 || window > list[1] || (!getMain() && window != list[1]))
    return emitOpError("expected a window of 1 to ") << list[1] << (getMain() ? "" : ", all of the list without 'main'") << ", got " << window;
  // C3
  if (getResult().getType() != getQ().getType())
    return emitOpError("expected a result of q's type ") << getQ().getType() << ", got " << getResult().getType();
  return success();
}
