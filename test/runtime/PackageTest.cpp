//===- PackageTest.cpp - package files that are right, damaged, and wrong --------------------------===//

#include "runtime/package/Layout.h"
#include "runtime/package/Package.h"
#include "test/runtime/Expect.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace cedilla::test {

namespace {
using Bytes = std::vector<char>;

/// A folder that goes away with the test.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() /
                  ("ced-test-package." + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char *name) const { return (path / name).string(); }
  std::filesystem::path path;
};
} // namespace

static Bytes readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

static void writeAll(const std::string &path, const Bytes &bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
}

static Manifest smallManifest() {
  Manifest m;
  m.compiler = "test";
  m.facts.vocab = 16, m.facts.hidden = 4, m.facts.streams = 2, m.facts.slack = 3, m.facts.page = 8;
  m.facts.headDim = 4;
  m.facts.maxRows = 8, m.facts.maxContext = 20, m.facts.maxBatch = 2;
  m.workspaceBytes = 1024;
  m.objects = {{"x86", "avx2", 0, 16, 0}};
  m.kernels = {{"k", "k_symbol", 0, 64, 0, 0, false, "run", "", 3}};
  m.buffers = {
      {"tokens", "input", "i32", {-1}, 32, 0, false, {}, "", {}, false},
      {"pages", "input", "i32", {2, 3}, 24, 0, false, {}, "", {}, false},
      {"open.0", "state", "f32", {2, 4}, 32, 0, false, {}, "", {}, false},
      {"main_kv.0", "state", "i8", {6, 8, 3}, 144, 0, true, {}, "", {}, false},
      {"w", "weight", "f32", {2, 3, 4}, 96, 0, false, {"a", "b"}, "F32", {3, 4}, false},
      {"c", "constant", "f32", {8}, 32, 64, false, {}, "", {}, false},
      {"logits", "workspace", "f32", {-1, 16}, 512, 512, false, {}, "", {}, false},
  };
  StepInfo dispatch{"dispatch", 0, {{0, 4}, {2, 0}}, {0, 4, 6}, "all", 0};
  dispatch.cost.read = parseAmount("96 + 4 rows"), dispatch.cost.written = parseAmount("64 rows");
  StepInfo mark{"mark", -1, {}, {6}, "logits", 0};
  m.programs = {{"prefill", {dispatch, mark}, 6, "", ""}};
  return m;
}

static void write(const std::string &path, const Manifest &m) {
  std::vector<std::byte> objects(16, std::byte(7)), constants(96, std::byte(9));
  writePackage(path, m, objects, constants);
}

static void testRoundTrip(const Folder &folder) {
  std::string path = folder.file("good.ced");
  write(path, smallManifest());
  Package package(path);
  const Manifest &m = package.manifest();
  EXPECT(nlohmann::json(m) == nlohmann::json(smallManifest()));
  EXPECT(package.object(0).size() == 16 && package.object(0)[3] == std::byte(7));
  std::span<const std::byte> constant = package.constant(m.buffers[5]);
  EXPECT(constant.size() == 32 && constant[0] == std::byte(9));
  EXPECT(reinterpret_cast<uintptr_t>(constant.data()) % 64 == 0);
  // Nothing is left of the temporary file.
  EXPECT(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

/// Every prefix of the file is refused, and so is every byte that is changed.
static void testDamage(const Folder &folder) {
  write(folder.file("good.ced"), smallManifest());
  const Bytes good = readAll(folder.file("good.ced"));
  std::string path = folder.file("bad.ced");
  for (size_t length : {size_t(0), size_t(7), size_t(8), size_t(31), size_t(32), size_t(100),
                        good.size() / 2, good.size() - 1}) {
    writeAll(path, Bytes(good.begin(), good.begin() + length));
    expectFails(length < 8 ? "bad.ced: not a cedilla package" : "truncated",
                [&] { Package{path}; });
  }
  Bytes longer = good;
  longer.push_back(0);
  writeAll(path, longer);
  expectFails("truncated or extended: expected", [&] { Package{path}; });

  int accepted = 0;
  for (size_t i = 0; i < 8 * good.size(); ++i) {
    Bytes bad = good;
    bad[i / 8] ^= 1 << i % 8;
    writeAll(path, bad);
    try {
      Package package(path);
      ++accepted;
    } catch (const Error &) {
    }
  }
  EXPECT(accepted == 0);
}

static void testVersions(const Folder &folder) {
  write(folder.file("good.ced"), smallManifest());
  Bytes bytes = readAll(folder.file("good.ced"));
  std::string path = folder.file("version.ced");
  uint32_t newer = layout::version + 1;
  std::memcpy(bytes.data() + 8, &newer, 4);
  writeAll(path, bytes);
  expectFails("version.ced: package format version 5, this program reads versions 1 to 4",
              [&] { Package{path}; });
  bytes[0] = 'X';
  writeAll(path, bytes);
  expectFails("version.ced: not a cedilla package", [&] { Package{path}; });
  expectFails("absent.ced", [&] { Package{folder.file("absent.ced")}; });
}

/// A program per chip.
static void testChips(const Folder &folder) {
  std::string path = folder.file("chips.ced");
  Manifest m = smallManifest();
  EXPECT((codeOf(m, m.programs[0]) == CodeKind{"x86", "avx2"}));

  m.objects.push_back({"nvptx", "sm_90a", 0, 16, 13000});
  m.kernels.push_back(m.kernels[0]);
  m.kernels[1].object = 1;
  m.programs.push_back(m.programs[0]);
  m.programs[1].steps[0].kernel = 1;
  m.programs[0].target = "x86", m.programs[0].chip = "avx2";
  m.programs[1].target = "nvptx", m.programs[1].chip = "sm_90a";
  write(path, m);
  EXPECT(Package(path).version() == layout::version);
  EXPECT(nlohmann::json(Package(path).manifest()) == nlohmann::json(m));
}

/// The manifest with Engram, one table of 40 rows, and with the program `advance`.
static Manifest largeManifest() {
  Manifest m = smallManifest();
  auto add = [&](BufferInfo buffer) { m.buffers.push_back(std::move(buffer)); };
  add({"engram_gathered", "input", "i32", {1}, 4, 0, false, {}, "", {}, false});
  add({"map", "weight", "i32", {16}, 64, 0, false, {"map"}, "I32", {16}, false});
  add({"t.weight", "weight", "i8", {40, 32}, 1280, 0, false, {"t.weight"}, "F8_E4M3", {40, 32}, true});
  add({"t.scale", "weight", "i8", {40, 1}, 40, 0, false, {"t.scale"}, "F8_E8M0", {40, 1}, true});
  add({"sampling", "state", "i32", {2, 2}, 16, 0, false, {}, "", {}, false});
  add({"chosen", "state", "i32", {2, 5}, 40, 0, false, {}, "", {}, false});
  m.engram = {1, 2, 3, "map", {{"t.weight", "t.scale", {3, 5}, {17, 19}, {0, 17}}}};
  m.programs.push_back({"advance", {m.programs[0].steps[0]}, 6, "", ""});
  return m;
}

/// What a list is said to hold must fit its buffer; kinds of a newer compiler say nothing.
static void testHolds() {
  auto with = [](HoldsInfo holds, std::vector<int64_t> shape) {
    Manifest m = smallManifest();
    BufferInfo list{"list", "workspace", "i32", std::move(shape), 64, 0, false, {}, "", {}, false, "0.topk.0", std::move(holds)};
    m.buffers.push_back(std::move(list));
    return m;
  };
  checkManifest(with({"entries", 2}, {-1, 2}), 16, 96, "m");
  checkManifest(with({"places", 0, 0, 0, 1, 3}, {-1, 2}), 16, 96, "m");
  checkManifest(with({"tomorrow", -1}, {-1, 2}), 16, 96, "m");
  struct Case {
    const char *message;
    HoldsInfo holds;
    std::vector<int64_t> shape;
  };
  const Case cases[] = {
      {"buffer 'list' of entries: 'ratio': expected 1 to 2147483647, got 0", {"entries"}, {-1, 2}},
      {"buffer 'list' of entries: expected i32 of 2 dims, the first the step's rows, got i32 of 1", {"entries", 2}, {-1}},
      {"buffer 'list' of blocks: 'block': expected 1 to 2147483647, got -4", {"blocks", 2, -4}, {-1, 2}},
      {"buffer 'list' of experts: 'count': expected 1 to 2147483647, got 0", {"experts"}, {-1, 2}},
      {"buffer 'list' of places: expected a ring and lists of at least the window's 3, got 5 and 2", {"places", 0, 0, 0, 3, 5}, {-1, 2}},
      {"buffer 'list' of table_rows: expected i64 of 3 dims, the first the step's rows, got i32 of 2", {"table_rows"}, {-1, 2}},
  };
  for (const Case &c : cases)
    expectFails(c.message, [&] { checkManifest(with(c.holds, c.shape), 16, 96, "m"); });
}

static void testLargeManifest(const Folder &folder) {
  struct Case {
    const char *message;
    void (*change)(Manifest &);
  };
  const Case cases[] = {
      {"input 'engram_gathered': expected i32 of shape [1], got i32 of shape [2]",
       [](Manifest &m) { m.buffers[7].shape = {2}, m.buffers[7].bytes = 8; }},
      {"engram: expected an input 'engram_gathered'", [](Manifest &m) { m.buffers[7].name = "kinds", m.buffers[7].shape = {-1}, m.buffers[7].bytes = 32; }},
      {"engram: expected a weight 'nap', i32 [16]", [](Manifest &m) { m.engram.tokenMap = "nap"; }},
      {"engram: expected a weight 'w', i32 [16]", [](Manifest &m) { m.engram.tokenMap = "w"; }},
      // A map longer than its shape would be copied beyond where it goes.
      {"engram: expected a weight 'map', i32 [16]", [](Manifest &m) { m.buffers[8].tensorShape = {1000}, m.buffers[8].bytes = 4000; }},
      {"engram table 0: the rows of a step are more than",
       [](Manifest &m) {
         m.buffers[10].shape = {40, int64_t(1) << 30}, m.buffers[10].tensorShape = m.buffers[10].shape, m.buffers[10].bytes = uint64_t(40) << 30;
         m.engram.heads = 1 << 15;
         m.engram.tables[0].primes.assign(1 << 15, 2), m.engram.tables[0].offsets.assign(1 << 15, 0);
         m.facts.maxRows = 1 << 12;
         for (size_t b : {0, 6})
           m.buffers[b].bytes <<= 9;
         m.workspaceBytes <<= 9;
       }},
      {"engram: expected a pad below 16, got 16", [](Manifest &m) { m.engram.pad = 16; }},
      {"engram: expected 1 to 65536 orders and heads, got 0 and 2", [](Manifest &m) { m.engram.orders = 0; }},
      {"engram table 0: expected weights 'w' and 't.scale'", [](Manifest &m) { m.engram.tables[0].codes = "w"; }},
      {"engram table 0: expected weights 't.weight' and 'absent'", [](Manifest &m) { m.engram.tables[0].scales = "absent"; }},
      {"engram table 0: expected 2 multipliers, 2 primes and offsets, got 2, 1 and 2",
       [](Manifest &m) { m.engram.tables[0].primes.pop_back(); }},
      {"column 1: rows from 17 on, 24 of them, are not all in a table of 40", [](Manifest &m) { m.engram.tables[0].primes[1] = 24; }},
      {"column 0: rows from -1 on", [](Manifest &m) { m.engram.tables[0].offsets[0] = -1; }},
      {"column 1: rows from 17 on, 1 of them", [](Manifest &m) { m.engram.tables[0].primes[1] = 1; }},
      {"program 'advance': expected a state 'sampling', i32 [2, 2], got i32 [2, 3]",
       [](Manifest &m) { m.buffers[11].shape[1] = 3, m.buffers[11].bytes = 24; }},
      {"program 'advance': expected a state 'chosen', i32 [2, n], got none", [](Manifest &m) { m.buffers[12].name = "list"; }},
      {"program 'advance': expected dispatches only, got 'mark'",
       [](Manifest &m) { m.programs[1].steps.push_back(m.programs[0].steps[1]); }},
  };
  checkManifest(largeManifest(), 16, 96, "m");
  for (const Case &c : cases) {
    Manifest m = largeManifest();
    c.change(m);
    expectFails(c.message, [&] { checkManifest(m, 16, 96, "m"); });
  }
  std::string path = folder.file("large.ced");
  write(path, largeManifest());
  EXPECT(nlohmann::json(Package(path).manifest()) == nlohmann::json(largeManifest()));
}

static void testManifest() {
  struct Case {
    const char *message;
    void (*change)(Manifest &);
  };
  const Case cases[] = {
      {"facts: 'vocab'", [](Manifest &m) { m.facts.vocab = 0; }},
      {"facts: 'maxContext'", [](Manifest &m) { m.facts.maxContext = int64_t(1) << 40; }},
      {"facts: 'headDim': expected 1", [](Manifest &m) { m.facts.headDim = 0; }},
      {"facts: 'indexTopk': expected 0", [](Manifest &m) { m.facts.indexTopk = -1; }},
      {"facts: 'candidateBlockSize': expected 1", [](Manifest &m) { m.facts.candidateBlocks = 2; }},
      {"facts: 'expertsPerToken'", [](Manifest &m) { m.facts.expertsPerToken = -1; }},
      {"facts: 'eos': expected tokens below 16, got -1", [](Manifest &m) { m.facts.eos = {3, -1}; }},
      {"facts: layer 0: expected owners from -1 to 0, got 1",
       [](Manifest &m) { m.facts.layers = {{"full", 4, 1, 0, 1, -1, false}}; }},
      {"facts: layer 0: a window of -4 and a ratio of 0",
       [](Manifest &m) { m.facts.layers = {{"swa", -4, 0, -1, -1, -1, false}}; }},
      {"step 0: expected the 3 buffers of kernel 'k', got 2",
       [](Manifest &m) { m.programs[0].steps[0].buffers.pop_back(); }},
      {"step 1: expected a stream of 8 values a row, got [-1, 16]",
       [](Manifest &m) { m.programs[0].steps[1].name = "stream"; }},
      {"kernel 'k': expected an object below 1, got 1", [](Manifest &m) { m.kernels[0].object = 1; }},
      {"kernel 'k': expected an object below 1, got -1",
       [](Manifest &m) { m.kernels[0].object = -1; }},
      {"kernel 0: expected a name and a symbol", [](Manifest &m) { m.kernels[0].symbol = ""; }},
      {"kernel 'k': expected reproducibility",
       [](Manifest &m) { m.kernels[0].reproducibility = "never"; }},
      {"object 0: bytes 8 + 16 lie outside the objects section of 16",
       [](Manifest &m) { m.objects[0].offset = 8; }},
      {"object 0: bytes 18446744073709551615 + 16", [](Manifest &m) { m.objects[0].offset = -1; }},
      {"buffer 'c': bytes 128 + 32 lie outside the constants section of 96",
       [](Manifest &m) { m.buffers[5].offset = 128; }},
      {"buffer 'c': expected an offset that is a multiple of 64",
       [](Manifest &m) { m.buffers[5].offset = 4; }},
      {"buffer 'logits': bytes 576 + 512 lie outside the workspace of 1024",
       [](Manifest &m) { m.buffers[6].offset = 576; }},
      {"buffer 'logits': shape [-1, 16] of f32 needs 512 bytes, got 500",
       [](Manifest &m) { m.buffers[6].bytes = 500; }},
      {"buffer 'logits': dim 1: expected at least 1, got -1",
       [](Manifest &m) { m.buffers[6].shape[1] = -1; }},
      {"buffer 'logits': its shape is more than",
       [](Manifest &m) { m.buffers[6].shape[1] = int64_t(1) << 62; }},
      {"expected a type of f32", [](Manifest &m) { m.buffers[6].type = "f64"; }},
      {"expected a kind of input", [](Manifest &m) { m.buffers[6].kind = "stack"; }},
      {"input 'token': expected one of tokens", [](Manifest &m) { m.buffers[0].name = "token"; }},
      {"input 'pages': expected i32 of shape [2, 3]",
       [](Manifest &m) { m.buffers[1].shape = {3, 2}; }},
      {"state 'open.0': expected a first dim of 6 (paged), got 2",
       [](Manifest &m) { m.buffers[2].paged = true; }},
      {"state 'main_kv.0': expected a first dim of 2 (not paged), got 6",
       [](Manifest &m) { m.buffers[3].paged = false; }},
      {"state 'main_kv.0': expected a divisor of the 8 tokens of a page as second dim, got [6, 3, 8]",
       [](Manifest &m) { m.buffers[3].shape = {6, 3, 8}; }},
      {"weight 'w': expected at least one tensor", [](Manifest &m) { m.buffers[4].tensors = {}; }},
      {"weight 'w': expected a tensor of a file in the model directory, got '../x.safetensors:a'",
       [](Manifest &m) { m.buffers[4].tensors[0] = "../x.safetensors:a"; }},
      {"got '/x.safetensors:a'", [](Manifest &m) { m.buffers[4].tensors[0] = "/x.safetensors:a"; }},
      {"got '..:a'", [](Manifest &m) { m.buffers[4].tensors[0] = "..:a"; }},
      {"got ':a'", [](Manifest &m) { m.buffers[4].tensors[0] = ":a"; }},
      {"got ''", [](Manifest &m) { m.buffers[4].tensors[0] = ""; }},
      {"source '../config.json:x': expected the name of a file in the model directory",
       [](Manifest &m) { m.sources = {{"../config.json:x", "0"}}; }},
      {"step 1: expected a mark of a workspace buffer with a row per row of the step, got constant [8]",
       [](Manifest &m) { m.programs[0].steps[1].buffers[0] = 5; }},
      {"step 1: expected a mark of a workspace buffer with a row per row of the step, got workspace [4]",
       [](Manifest &m) {
         m.buffers.push_back({"x", "workspace", "f32", {4}, 16, 0, false, {}, "", {}, false});
         m.programs[0].steps[1].buffers[0] = 7;
       }},
      {"weight 'w': unknown dtype 'FP32'", [](Manifest &m) { m.buffers[4].dtype = "FP32"; }},
      {"weight 'w': 3 tensors of F32 [3, 4] are 144 bytes, the buffer has 96",
       [](Manifest &m) { m.buffers[4].tensors.push_back("c"); }},
      {"buffer 'w': the name appears twice", [](Manifest &m) { m.buffers[5].name = "w"; }},
      {"program 'prefill' step 0: expected a kernel below 1, got 3",
       [](Manifest &m) { m.programs[0].steps[0].kernel = 3; }},
      {"program 'prefill' step 0: expected buffers below 7, got 7",
       [](Manifest &m) { m.programs[0].steps[0].buffers[1] = 7; }},
      {"program 'prefill' step 1: expected buffers below 7, got -1",
       [](Manifest &m) { m.programs[0].steps[1].buffers[0] = -1; }},
      {"step 0: expected a grid of 1 to 3 dims, got 0",
       [](Manifest &m) { m.programs[0].steps[0].grid = {}; }},
      {"step 0: grid dim of 0 blocks and 0 rows",
       [](Manifest &m) { m.programs[0].steps[0].grid[1] = {0, 0}; }},
      {"step 0: grid dim of 1 blocks and 9223372036854775807 rows",
       [](Manifest &m) { m.programs[0].steps[0].grid[1] = {1, INT64_MAX}; }},
      {"step 0: expected at most 2147483647 blocks",
       [](Manifest &m) { m.programs[0].steps[0].grid[1] = {int64_t(1) << 40, 0}; }},
      {"step 1: expected a mark with a name and one buffer",
       [](Manifest &m) { m.programs[0].steps[1].buffers = {}; }},
      {"step 1: expected 'dispatch' or 'mark', got 'call'",
       [](Manifest &m) { m.programs[0].steps[1].op = "call"; }},
      {"expected a logits buffer below 7, got -1", [](Manifest &m) { m.programs[0].logits = -1; }},
      {"logits: expected f32 [-1, 16], got i32 [-1]", [](Manifest &m) { m.programs[0].logits = 0; }},
      {"program 'prefill': the name appears twice",
       [](Manifest &m) { m.programs.push_back(m.programs[0]); }},
      {"program 'prefill' step 0: expected a kernel for x86 avx512, got one for x86 avx2",
       [](Manifest &m) { m.programs[0].target = "x86", m.programs[0].chip = "avx512"; }},
      {"program 'prefill': expected a target and a chip, or neither, got 'x86' and ''",
       [](Manifest &m) { m.programs[0].target = "x86"; }},
      {"weight 'w': expected rows to be read by, got shape [24]",
       [](Manifest &m) { m.buffers[4].shape = {24}, m.buffers[4].byRow = true; }},
  };
  checkManifest(smallManifest(), 16, 96, "m");
  for (const Case &c : cases) {
    Manifest m = smallManifest();
    c.change(m);
    expectFails(c.message, [&] { checkManifest(m, 16, 96, "m"); });
  }
}

/// Header and table, with the hash that goes with them.
static void putTable(Bytes &bytes, layout::Header header, std::span<const layout::Section> table) {
  header.tableHash = layout::tableHash(header, table);
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), table.data(), table.size_bytes());
}

/// Places, lengths and versions whose hashes are right: each is refused, and nothing outside the file is read.
static void testForeignTable(const Folder &folder) {
  write(folder.file("good.ced"), smallManifest());
  const Bytes good = readAll(folder.file("good.ced"));
  struct Case {
    const char *message;
    void (*change)(layout::Header &, layout::Section *);
  };
  const Case cases[] = {
      {"expected 3 sections, got 2", [](layout::Header &h, layout::Section *) { h.sections = 2; }},
      {"section 0: expected kind 1, got 2", [](layout::Header &, layout::Section *t) { t[0].kind = 2; }},
      {"manifest section: expected 0 behind its kind, got 1", [](layout::Header &, layout::Section *t) { t[0].reserved = 1; }},
      {"manifest section: expected an offset of 128, got 192", [](layout::Header &, layout::Section *t) { t[0].offset += 64; }},
      {"objects section: expected an offset of", [](layout::Header &, layout::Section *t) { t[1].offset = t[0].offset; }},
      {"objects section: expected an offset of", [](layout::Header &, layout::Section *t) { t[1].offset = -uint64_t(64); }},
      {"lie outside the file of", [](layout::Header &, layout::Section *t) { t[2].bytes = -uint64_t(1); }},
      {"lie outside the file of", [](layout::Header &, layout::Section *t) { t[2].bytes += 1; }},
      {"constants section: hash differs", [](layout::Header &, layout::Section *t) { t[2].bytes -= 1; }},
      {"expected the last section to end the file of", [](layout::Header &, layout::Section *t) { t[2].bytes = 0, t[2].hash = layout::hash({}); }},
      {"expected format version 1 for what it holds, got 2", [](layout::Header &h, layout::Section *) { h.version = 2; }},
      {"expected format version 1 for what it holds, got 3", [](layout::Header &h, layout::Section *) { h.version = 3; }},
  };
  for (const Case &c : cases) {
    Bytes bytes = good;
    layout::Header header;
    layout::Section table[3];
    std::memcpy(&header, bytes.data(), sizeof(header));
    std::memcpy(table, bytes.data() + sizeof(header), sizeof(table));
    c.change(header, table);
    putTable(bytes, header, table);
    writeAll(folder.file("foreign.ced"), bytes);
    expectFails(c.message, [&] { Package{folder.file("foreign.ced")}; });
  }
}

/// A file whose hashes are right but whose manifest is not: what another writer could produce.
static void testForeignManifest(const Folder &folder) {
  write(folder.file("good.ced"), smallManifest());
  const Bytes good = readAll(folder.file("good.ced"));
  struct Case {
    const char *from, *to, *message; // of equal length
  };
  const Case cases[] = {
      {"\"vocab\":16", "\"vocab\":17", "logits: expected f32 [-1, 17], got f32 [-1, 16]"},
      {"\"hidden\":4", "\"hidden\":}", "manifest"},
      {"\"streams\"", "\"strains\"", "manifest: "},
      {"\"facts\":{", "\"facts\":[", "manifest"},
      {"96 + 4 rows", "96 + 4 crow", "manifest: expected an amount"},
  };
  for (const Case &c : cases) {
    Bytes bytes = good;
    auto at = std::search(bytes.begin(), bytes.end(), c.from, c.from + std::strlen(c.from));
    if (at == bytes.end()) {
      EXPECT(!"the manifest holds the text to replace");
      continue;
    }
    std::copy(c.to, c.to + std::strlen(c.to), at);
    layout::Header header;
    layout::Section table[3];
    std::memcpy(&header, bytes.data(), sizeof(header));
    std::memcpy(table, bytes.data() + sizeof(header), sizeof(table));
    table[0].hash = layout::hash(std::as_bytes(
        std::span(bytes).subspan(table[0].offset, table[0].bytes)));
    putTable(bytes, header, table);
    writeAll(folder.file("foreign.ced"), bytes);
    expectFails(c.message, [&] { Package{folder.file("foreign.ced")}; });
  }
}

static void testCosts() {
  Amount amount = parseAmount("4096 + 2.5 rows + 528 window(128) + 288 entries(2, 512) + 10 experts(384, 6)");
  EXPECT(amount.text() == "4096 + 2.5 rows + 528 window(128) + 288 entries(2, 512) + 10 experts(384, 6)");
  EXPECT(parseAmount(Amount().text()).isZero());
  // 2 sequences of 100 tokens: 50 entries each.
  EXPECT(parseAmount("1 entries(2, 512)").at({2, 2, 100, -1}) == 100);
  EXPECT(parseAmount("1 entries(2, 8)").at({2, 2, 100, -1}) == 16);
  // A chunk of 10 rows reads an entry once, however many of its rows choose it.
  EXPECT(parseAmount("1 entries(2, 8)").at({10, 1, 100, -1}) == 50);
  EXPECT(parseAmount("1 row_entries(2, 8)").at({10, 1, 100, -1}) == 80);
  EXPECT(parseAmount("1 window(16)").at({2, 2, 100, -1}) == 32 && parseAmount("1 window(16)").at({2, 2, 5, -1}) == 10);
  EXPECT(parseAmount("1 experts(4, 2)").at({1, 1, 1, -1}) == 2 && parseAmount("1 experts(4, 2)").at({2, 1, 1, -1}) == 3);
  EXPECT(parseAmount("1 experts(4, 2)").at({2, 1, 1, 4}) == 4);
  Amount both = parseAmount("3 rows");
  both.unite(parseAmount("2 rows + 5 sequences"));
  EXPECT(both.text() == "3 rows + 5 sequences");
  for (const char *text : {"", "x", "1 row", "1 window", "1 window(0)", "1 entries(2)", "1 rows +", "1 rowsx", "-1", "1 experts(2, 3)", "nan"})
    expectFails("expected an amount", [&] { parseAmount(text); });
}

void testPackage() {
  testCosts();
  Folder folder;
  testRoundTrip(folder);
  testDamage(folder);
  testVersions(folder);
  testChips(folder);
  testManifest();
  testHolds();
  testLargeManifest(folder);
  testForeignTable(folder);
  testForeignManifest(folder);
}

} // namespace cedilla::test
