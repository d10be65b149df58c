//===- Error.h - the one exception type of the project's own C++ -----------------------------===//
//
// Code that can fail because of what a user gave throws `cedilla::Error` with Status::InvalidInput:
// one line that names the file, field or tensor, what was expected and what was found. Programs print
// it as `error: <message>` and exit with 2. Status::Internal (exit 1) is for everything else. The C
// API catches both at its boundary and turns them into a status. Passes use MLIR diagnostics instead.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace cedilla {

enum class Status : int { Ok = 0, Internal = 1, InvalidInput = 2 };

class Error : public std::runtime_error {
public:
  Error(Status status, const std::string &message) : std::runtime_error(message), code(status) {}
  Status status() const { return code; }

private:
  Status code;
};

/// Throws a user's mistake; the arguments are streamed together: `fail(path, ": expected ", 3)`.
template <typename... Args>
[[noreturn]] void fail(Args &&...args) {
  std::ostringstream out;
  (out << ... << args);
  throw Error(Status::InvalidInput, out.str());
}

/// Throws a fault of ours or of the machine.
template <typename... Args>
[[noreturn]] void failInternal(Args &&...args) {
  std::ostringstream out;
  (out << ... << args);
  throw Error(Status::Internal, out.str());
}

} // namespace cedilla
