//===- Rotation.h - rotary position embedding on tiles -----------------------------------------------===//

#pragma once

#include "kernels-gen/common/KernelBuilder.h"

namespace cedilla {

/// Turns columns of tiles by the angles of one row's position. `kept` columns in front of the turned ones stay as they are.
class Rotation {
public:
  /// For row `row`; `cols` columns of which the last `op.rope.dim` are turned, an even number in front of them. Padding rows turn by 0.
  Rotation(KernelBuilder &k, ced::RopeOp op, mlir::Value row, int64_t cols);
  /// bf16 [rows, width], whose first `cols` columns count, to the same.
  mlir::Value turn(mlir::Value x);

private:
  KernelBuilder &k;
  ced::RopeOp op;
  mlir::Value position;
  int64_t cols;
};

} // namespace cedilla
