//===- Program.h - what every program does around its work -----------------------------------------===//
//
// One place decides what a failure looks like: one line `error: CED<number>: …` on standard error, with nothing in it
// that a terminal would obey, and the exit code of its status. Output that could not be written is a failure, too.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/base/Error.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>

namespace cedilla {

/// Ends the one line that says what a command line lacks.
inline constexpr const char *helpHint = " (--help shows all options)";

/// The exception being handled, as an Error. What the file system says of a path is the user's to mend.
inline Error currentError() {
  try {
    throw;
  } catch (const Error &error) {
    return error;
  } catch (const std::filesystem::filesystem_error &error) {
    return Error(Err::ReadFile, Status::InvalidInput, error.path1().string() + ": " + error.code().message());
  } catch (const std::bad_alloc &) {
    return Error(Err::OutOfMemory, Status::Internal, "internal: out of memory");
  } catch (const std::exception &error) {
    return Error(Err::Internal, Status::Internal, std::string("internal: ") + error.what());
  }
}

/// Names out of files may hold anything: control characters are shown as \xNN.
inline std::string printable(const std::string &text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  for (unsigned char c : text)
    if (c < 0x20 || c == 0x7f)
      (((shown += "\\x") += digits[c >> 4]) += digits[c & 15]);
    else
      shown += static_cast<char>(c);
  return shown;
}

/// A file must never be opened as number 1 because standard output or error was closed: a placeholder that cannot be
/// written takes the number.
inline void holdStandardOutput() {
  for (int standard : {1, 2})
    while (::fcntl(standard, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) >= 0)
      ; // the lowest free number, which may be another one at first
}

/// Runs a program's body, which returns the exit code.
template <typename Body>
int runProgram(Body body) {
  holdStandardOutput();
  // A limit on the size of files is to be met like a full disk: by a write that fails. (LLVM's handler, which
  // a program has by now, would print a stack.)
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    int code = body();
    // Both are flushed: neither knows of the other's failures.
    bool written = !std::cout.flush().fail();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) || !written)
      fail(Err::WriteFile, "stdout: cannot write");
    return code;
  } catch (...) {
    Error error = currentError();
    std::fflush(stdout);
    std::fprintf(stderr, "error: %s\n", printable(error.line()).c_str());
    return static_cast<int>(error.status());
  }
}

} // namespace cedilla
