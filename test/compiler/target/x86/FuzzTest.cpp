//===- FuzzTest.cpp - random programs of loops, branches and maps -----------------------------===//
//
// The arena plan lets tiles share places; a mistake there is a wrong value without an error. Random
// programs on i32 tiles, whose arithmetic is exact and mixes every bit, are run and interpreted.
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

#include <algorithm>
#include <array>

using namespace x86test;

namespace {
constexpr int64_t elements = 2 * 5, slots = 16;
using Tile = std::array<uint32_t, elements>;
using Ids = std::vector<int>;

/// Defines the values `results` from `operands`.
struct Node {
  enum Kind { Map, Select, Store, For, If } kind;
  Ids operands = {}, results = {};
  int64_t number = 0; ///< iterations, threshold of the condition, or slot of a store
  Ids carried = {};   ///< For: the block arguments
  struct Block {
    std::vector<Node> nodes;
    Ids yields;
  };
  std::vector<Block> blocks = {}; ///< For: one; If: two
};

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed << 20) {}

  Node::Block program;
  std::string text;

  void write(const std::string &name) {
    text = "tile.kernel @" + name +
           R"( grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%in: memref<4x2x5xi32>, %out: memref<16x2x5xi32>, %rows: index, %b: index):
)";
    for (int i = 0; i < slots; ++i)
      line("%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index");
    Ids visible = define(4);
    for (int i = 0; i < 4; ++i) {
      // Named apart, because an op has one result here.
      line(names[visible[i]] + " = tile.load %in[%c" + std::to_string(i) +
           ", %c0, %c0] : memref<4x2x5xi32> -> !tile.tile<2x5xi32>");
    }
    program.nodes = nodes(visible, 2, 14);
    for (int slot = 0; slot < slots; ++slot)
      program.nodes.push_back(store(visible, slot));
    text += "  tile.return\n}\n";
  }
  int values() const { return names.size(); }

private:
  uint64_t random(uint64_t n) { return hash(state++) % n; }
  void line(const std::string &s) { text += "  " + s + "\n"; }

  /// New values, each with a name of its own.
  Ids define(size_t n) {
    Ids ids;
    for (; n--; names.push_back("%v" + std::to_string(names.size())))
      ids.push_back(names.size());
    return ids;
  }
  /// New values that are the results of one op; its name comes out.
  Ids define(size_t n, std::string &op) {
    Ids ids = define(n);
    op = "%r" + std::to_string(ids[0]) + ":" + std::to_string(n) + " = ";
    for (size_t i = 0; i < n; ++i)
      names[ids[i]] = "%r" + std::to_string(ids[0]) + "#" + std::to_string(i);
    return ids;
  }
  std::string list(const Ids &ids) {
    std::string s;
    for (int id : ids)
      s += (s.empty() ? "" : ", ") + names[id];
    return s;
  }
  static std::string types(size_t n) {
    std::string s = "!tile.tile<2x5xi32>";
    return n == 1 ? s : s + ", " + types(n - 1);
  }
  /// The latest values are the likeliest.
  Ids pick(const Ids &visible, size_t n) {
    Ids ids;
    while (n--)
      ids.push_back(
          visible[visible.size() - 1 - std::min(random(visible.size()), random(visible.size()))]);
    return ids;
  }
  /// True or false by the number of rows, which the compiler does not know.
  std::string condition(Node &node) {
    node.number = random(2) ? 9 : 2;
    std::string name = "%if" + std::to_string(state++);
    line(name + " = arith.cmpi slt, %rows, %c" + std::to_string(node.number) + " : index");
    return name;
  }

  std::vector<Node> nodes(Ids &visible, int depth, int count) {
    std::vector<Node> result;
    while (count-- > 0) {
      uint64_t kind = random(depth > 0 ? 10 : 6);
      Node node = kind < 4   ? map(visible)
                  : kind < 5 ? store(visible, random(slots))
                  : kind < 6 ? select(visible)
                  : kind < 8 ? loop(visible, depth)
                             : branch(visible, depth);
      visible.insert(visible.end(), node.results.begin(), node.results.end());
      result.push_back(std::move(node));
    }
    return result;
  }

  Node map(const Ids &visible) {
    Node node{Node::Map, pick(visible, 2)};
    size_t n = 1 + random(2);
    std::string op;
    node.results = define(n, op);
    line(op + "tile.map ins(" + list(node.operands) + " : " + types(2) + ") -> " + types(n) + " {");
    line("^bb0(%x: i32, %y: i32):");
    line("  %k = arith.constant 1664525 : i32");
    line("  %p = arith.muli %x, %k : i32");
    line("  %q = arith.addi %p, %y : i32");
    line("  %s = arith.xori %q, %x : i32");
    line(n == 1 ? "  tile.yield %q : i32" : "  tile.yield %q, %s : i32, i32");
    line("}");
    return node;
  }

  Node store(const Ids &visible, int64_t slot) {
    Node node{Node::Store, pick(visible, 1)};
    node.number = slot;
    line("tile.store " + list(node.operands) + ", %out[%c" + std::to_string(slot) +
         ", %c0, %c0] : " + types(1) + ", memref<16x2x5xi32>");
    return node;
  }

  Node select(const Ids &visible) {
    Node node{Node::Select, pick(visible, 2), define(1)};
    std::string is = condition(node);
    line(list(node.results) + " = arith.select " + is + ", " + list(node.operands) + " : " +
         types(1));
    return node;
  }

  Node loop(const Ids &visible, int depth) {
    size_t n = 1 + random(3);
    Node node{Node::For, pick(visible, n)};
    node.number = random(4);
    node.carried = define(n);
    std::string op, arguments, end = "%end" + std::to_string(state++);
    for (size_t i = 0; i < n; ++i)
      arguments += (i ? ", " : "") + names[node.carried[i]] + " = " + names[node.operands[i]];
    node.results = define(n, op);
    line(end + " = arith.addi %rows, %c" + std::to_string(node.number) + " : index");
    line(op + "scf.for %i" + end.substr(1) + " = %rows to " + end + " step %c1 iter_args(" +
         arguments + ") -> (" + types(n) + ") {");
    Ids inner = visible;
    inner.insert(inner.end(), node.carried.begin(), node.carried.end());
    node.blocks = {block(inner, depth, n, 1 + random(5))};
    line("}");
    return node;
  }

  Node branch(const Ids &visible, int depth) {
    size_t n = 1 + random(2);
    Node node{Node::If};
    std::string op, is = condition(node);
    node.results = define(n, op);
    line(op + "scf.if " + is + " -> (" + types(n) + ") {");
    Ids yes = visible, no = visible;
    node.blocks.push_back(block(yes, depth, n, random(4)));
    line("} else {");
    node.blocks.push_back(block(no, depth, n, random(4)));
    line("}");
    return node;
  }

  Node::Block block(Ids &visible, int depth, size_t results, int count) {
    Node::Block b{nodes(visible, depth - 1, count), pick(visible, results)};
    line("scf.yield " + list(b.yields) + " : " + types(results));
    return b;
  }

  uint64_t state;
  std::vector<std::string> names;
};

//===------------------------------------------------------------------------------------------===//
// Interpreting
//===------------------------------------------------------------------------------------------===//

class Interpreter {
public:
  Interpreter(int values, int64_t rows) : value(values), out(slots, Tile()), rows(rows) {}
  std::vector<Tile> value, out;

  void run(const Node::Block &block) {
    for (const Node &node : block.nodes)
      run(node);
  }

private:
  void assign(const Ids &to, const Ids &from) {
    std::vector<Tile> tiles;
    for (int id : from)
      tiles.push_back(value[id]);
    for (size_t i = 0; i < to.size(); ++i)
      value[to[i]] = tiles[i];
  }

  void run(const Node &node) {
    bool condition = rows < node.number;
    switch (node.kind) {
    case Node::Map:
      for (int64_t i = 0; i < elements; ++i) {
        uint32_t x = value[node.operands[0]][i], q = x * 1664525u + value[node.operands[1]][i];
        value[node.results[0]][i] = q;
        if (node.results.size() > 1)
          value[node.results[1]][i] = q ^ x;
      }
      return;
    case Node::Select:
      return assign(node.results, {node.operands[condition ? 0 : 1]});
    case Node::Store:
      out[node.number] = value[node.operands[0]];
      return;
    case Node::For:
      assign(node.carried, node.operands);
      for (int64_t i = 0; i < node.number; ++i) {
        run(node.blocks[0]);
        assign(node.carried, node.blocks[0].yields);
      }
      return assign(node.results, node.carried);
    case Node::If:
      run(node.blocks[condition ? 0 : 1]);
      return assign(node.results, node.blocks[condition ? 0 : 1].yields);
    }
  }

  int64_t rows;
};
} // namespace

static Register fuzz("random programs", [] {
  constexpr int images = 4, kernels = 12;
  for (int i = 0; i < images; ++i) {
    std::vector<Generator> generators;
    std::string text;
    for (int k = 0; k < kernels; ++k) {
      generators.emplace_back(1 + i * kernels + k);
      generators.back().write("k" + std::to_string(k));
      text += generators.back().text;
    }
    Image image(text);
    for (int k = 0; k < kernels; ++k)
      for (int64_t rows : {0, 5, 20}) {
        Buffer<uint32_t> in(4 * elements), out(slots * elements);
        Interpreter expected(generators[k].values(), rows);
        for (size_t e = 0; e < in.size(); ++e)
          expected.value[e / elements][e % elements] = in[e] = hash(e);
        expected.run(generators[k].program);
        image.run("k" + std::to_string(k), {in, out}, rows, {1});
        for (size_t e = 0; e < out.size(); ++e)
          check(out[e] == expected.out[e / elements][e % elements], "program ", i * kernels + k,
                ", rows ", rows, ", slot ", e / elements, ": expected ",
                expected.out[e / elements][e % elements], ", got ", out[e], "\n",
                generators[k].text);
      }
  }
  note(std::to_string(images * kernels) + " programs");
});
