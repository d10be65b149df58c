//===- Shapes.cpp - the shape checks that the verifiers share ---------------------------------===//

#include "dialects/ced/ops/Shapes.h"

using namespace mlir;
using namespace cedilla::ced;

std::optional<ArrayRef<int64_t>> cedilla::ced::shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getShape();
  if (auto scaled = dyn_cast<ScaledType>(type))
    return scaled.getShape();
  return std::nullopt;
}

bool Shapes::agrees(int64_t expected, int64_t found) {
  if (expected == kAny)
    return true;
  if (expected != kRows)
    return expected == found;
  if (ShapedType::isDynamic(found))
    return true;
  if (rowCount == kAny)
    rowCount = found;
  return rowCount == found;
}

std::string Shapes::text(ArrayRef<int64_t> dims) const {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::interleave(
      dims, out,
      [&](int64_t dim) {
        if (dim == kRows && rowCount == kAny)
          out << "T";
        else if (dim == kRows)
          out << "T = " << rowCount;
        else if (ShapedType::isDynamic(dim))
          out << "?";
        else
          out << dim;
      },
      ", ");
  return result;
}

LogicalResult Shapes::expect(StringRef name, Type type, ArrayRef<int64_t> dims) {
  std::optional<ArrayRef<int64_t>> found = shapeOf(type);
  bool fits = found && found->size() == dims.size();
  for (size_t i = 0; fits && i < dims.size(); ++i)
    fits = agrees(dims[i], (*found)[i]);
  if (fits)
    return success();
  return op->emitOpError() << "expected '" << name << "' of shape [" << text(dims) << "], got " << type;
}

LogicalResult Shapes::expectRank(StringRef name, Type type, size_t rank, ArrayRef<int64_t> &dims) {
  std::optional<ArrayRef<int64_t>> found = shapeOf(type);
  if (!found || found->size() != rank)
    return op->emitOpError() << "expected '" << name << "' of rank " << rank << ", got " << type;
  if (llvm::is_contained(found->drop_front(), ShapedType::kDynamic))
    return op->emitOpError() << "expected '" << name << "' with only its first dim dynamic, got " << type;
  if (llvm::is_contained(found->drop_front(), 0))
    return op->emitOpError() << "expected '" << name << "' without empty dims, got " << type;
  dims = *found;
  return success();
}

LogicalResult Shapes::expectRows(std::initializer_list<std::pair<StringRef, Value>> rows) {
  for (auto [name, value] : rows)
    if (failed(expect(name, value.getType(), {kRows})))
      return failure();
  return success();
}
