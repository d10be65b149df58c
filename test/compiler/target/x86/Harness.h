//===- Harness.h - compile a kernel from text, run it, compare --------------------------------===//
//
// Buffers and arenas end at an unreadable page, so one byte too far is a crash, and are poisoned:
// every byte is 0xFF, a NaN or -1, before a block runs. Inputs come from a counter-based hash.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace x86test {

//===------------------------------------------------------------------------------------------===//
// Cases
//===------------------------------------------------------------------------------------------===//

struct Case {
  std::string name;
  std::function<void()> run;
  bool onlyByName; ///< measurements, which prove nothing
};
std::vector<Case> &cases();
/// The golden data's directory.
extern std::string goldenDirectory;

struct Register {
  Register(const char *name, std::function<void()> run, bool onlyByName = false) {
    cases().push_back({name, std::move(run), onlyByName});
  }
};

/// Fails the case with the streamed message.
template <typename... Args>
void check(bool condition, Args &&...args) {
  if (condition)
    return;
  std::ostringstream out;
  (out << ... << args);
  throw std::runtime_error(out.str());
}

/// A line under the case's name.
void note(const std::string &line);

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

/// Bytes that end at an unreadable page.
class Guarded {
public:
  explicit Guarded(size_t bytes);
  ~Guarded();
  Guarded(Guarded &&other) noexcept;
  Guarded(const Guarded &) = delete;
  char *data() const { return begin; }
  size_t size() const { return bytes; }
  void poison() { std::memset(begin, 0xFF, bytes); }

private:
  void *mapping;
  size_t mapped;
  char *begin;
  size_t bytes;
};

template <typename T>
class Buffer {
public:
  explicit Buffer(size_t count) : memory(count * sizeof(T)), count(count) { memory.poison(); }
  T *data() const { return reinterpret_cast<T *>(memory.data()); }
  T &operator[](size_t i) const { return data()[i]; }
  size_t size() const { return count; }
  operator void *() const { return memory.data(); }
  void poison() { memory.poison(); }
  bool sameBits(const Buffer &other) const {
    return count == other.count &&
           std::memcmp(memory.data(), other.memory.data(), memory.size()) == 0;
  }

private:
  Guarded memory;
  size_t count;
};

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

/// Replaces every `$name` by its value.
std::string fill(std::string text, const std::vector<std::pair<std::string, std::string>> &values);

struct KernelSizes {
  std::string symbol;
  uint64_t codeBytes, arenaBytes;
};

class Image {
public:
  /// Parses, compiles for "avx2" and loads; a diagnostic fails the case.
  explicit Image(const std::string &text);
  ~Image();
  void run(const std::string &kernel, const std::vector<void *> &buffers, int64_t rows,
           const std::vector<int64_t> &grid) const;
  const KernelSizes &info(const std::string &kernel) const;
  const std::vector<char> &bytes() const { return image; }

private:
  std::vector<char> image;
  std::map<std::string, KernelSizes> kernels;
  void *library = nullptr;
};

//===------------------------------------------------------------------------------------------===//
// Numbers
//===------------------------------------------------------------------------------------------===//

uint64_t hash(uint64_t counter);
/// In [-1, 1).
float uniform(uint64_t counter);
/// About a normal distribution of deviation 1.
float normal(uint64_t counter);

uint16_t bf16Of(float x);
float floatOf(uint16_t bf16);
inline float rounded(float x) { return floatOf(bf16Of(x)); }
/// Distance from `x` to the exact value, in units of x's last place (smallest: a subnormal's).
double ulps(float x, double exact);

} // namespace x86test
