//===- Interpreter.h - evaluates a function of ced ops -------------------------------------------------===//
//
// Walks the ops of a func.func in order, into ced.group bodies, and calls the function of the same name in
// this folder for each. What comes out is what the program means; fusion may not change it.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "dialects/ced/reference/HostValue.h"
#include "runtime/engine/Engine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <vector>

namespace cedilla::reference {

class Frame;

/// What the interpreter asks of its surroundings.
struct Environment {
  std::function<HostValue(ced::WeightOp)> weight; ///< value of a ced.weight
  Observer observer;                              ///< called at ced.mark; may be empty
  /// Called behind each op, when its operands can still be read; may set its results anew. May be empty.
  std::function<void(mlir::Operation *, Frame &)> after;
};

/// Values of one region while its ops run. A value is dropped at its last use.
class Frame {
public:
  explicit Frame(const Environment &environment) : environment(environment) {}

  /// Binds a value; fails when it does not fit the MLIR value's type.
  void set(mlir::Value value, HostValue data);
  template <typename T>
  const T &get(mlir::Value value) const {
    return std::get<T>(at(value));
  }
  /// Null for an absent optional operand.
  template <typename T>
  const T *find(mlir::Value value) const {
    return value ? &get<T>(value) : nullptr;
  }
  const HostValue &at(mlir::Value value) const;
  /// The value, moved out when no later op uses it: its arrays may then be changed in place.
  HostValue take(mlir::Value value);

  /// Evaluates the block's ops; returns the operands of its terminator.
  std::vector<HostValue> run(mlir::Block &block);

  const Environment &environment;

private:
  struct Slot {
    HostValue data;
    int64_t usesLeft;
  };
  void release(mlir::Operation *op);
  llvm::DenseMap<mlir::Value, Slot> values;
};

/// Evaluates one op: reads its operands from the frame, sets its results.
using Evaluator = std::function<void(mlir::Operation *, Frame &)>;

/// The one table of ops: name → evaluator.
const llvm::StringMap<Evaluator> &evaluators();

/// Evaluates the function. Throws cedilla::Error when an argument does not fit, or an op has no evaluator.
std::vector<HostValue> interpret(mlir::func::FuncOp function, std::vector<HostValue> arguments,
                                 const Environment &environment);

} // namespace cedilla::reference
