//===- Error.h - the one exception type of the project's own C++ -----------------------------===//
//
// Code that can fail because of what a user gave throws `cedilla::Error` with Status::InvalidInput: the number of
// the kind of fault (Errors.def) and one line that names the file, field or tensor, what was expected and what was
// found. Programs print it as `error: CED1003: <message>` and exit with 2. Status::Internal (exit 1) is for
// everything else. The C API catches both at its boundary and turns them into a status. Passes use MLIR diagnostics
// instead; the phase that runs them closes with a numbered line.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace cedilla {

enum class Status : int { Ok = 0, Internal = 1, InvalidInput = 2 };

/// The kinds of fault. `Unnumbered` is for programs that are only tests.
enum class Err : int {
  Unnumbered = 0,
#define CED_ERROR(name, number, meaning, remedy) name = number,
#include "runtime/base/Errors.def"
#undef CED_ERROR
};

class Error : public std::runtime_error {
public:
  Error(Err kind, Status status, const std::string &message) : std::runtime_error(message), kind(kind), code(status) {}
  Err number() const { return kind; }
  Status status() const { return code; }
  /// The message behind its number: "CED1003: ..".
  std::string line() const {
    return kind == Err::Unnumbered ? what() : "CED" + std::to_string(static_cast<int>(kind)) + ": " + what();
  }

private:
  Err kind;
  Status code;
};

/// Throws a user's mistake; the arguments are streamed together: `fail(Err::Option, name, ": expected ", 3)`.
template <typename... Args>
[[noreturn]] void fail(Err kind, Args &&...args) {
  std::ostringstream out;
  (out << ... << args);
  throw Error(kind, Status::InvalidInput, out.str());
}

/// Throws a fault of ours or of the machine.
template <typename... Args>
[[noreturn]] void failInternal(Err kind, Args &&...args) {
  std::ostringstream out;
  (out << ... << args);
  throw Error(kind, Status::Internal, out.str());
}

template <typename First, typename... Args>
  requires(!std::is_same_v<First, Err>)
[[noreturn]] void failInternal(const First &first, const Args &...args) {
  failInternal(Err::Internal, first, args...);
}

} // namespace cedilla
