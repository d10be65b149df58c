//===- LinearKernel.cpp - block-scaled products for the bench, as tile text -------------------===//

#include "tools/ced-bench-suite/LinearKernel.h"

#include <sstream>

namespace cedilla::bench {

std::string LinearProblem::name() const {
  return std::string("linear_") + (fp4 ? "e2m1" : "e4m3") + "_" + std::to_string(n) + "x" +
         std::to_string(k);
}

std::string LinearConfig::name() const {
  std::string text = std::to_string(blockN) + "x" + std::to_string(blockM) + "x" +
                     std::to_string(blockK) + "w" + std::to_string(warps) + "s" +
                     std::to_string(stages);
  for (const auto &[key, value] : extra)
    text += "_" + key + std::to_string(value);
  if (!instruction.empty())
    text += "_" + instruction;
  return dependent ? text + "_dependent" : text;
}

static std::string writeConfig(const LinearConfig &c) {
  std::ostringstream out;
  out << "{block_n = " << c.blockN << " : i64, block_m = " << c.blockM
      << " : i64, block_k = " << c.blockK << " : i64, warps = " << c.warps
      << " : i64, stages = " << c.stages << " : i64";
  for (const auto &[key, value] : c.extra)
    out << ", " << key << " = " << value << " : i64";
  if (!c.instruction.empty())
    out << ", instruction = \"" << c.instruction << "\"";
  out << "}";
  return out.str();
}

std::string writeLinearKernel(const std::string &name, const LinearProblem &p,
                              const LinearConfig &c) {
  int64_t perByte = p.fp4 ? 2 : 1, blockRows = p.fp4 ? 1 : 32;
  int64_t scaleTileRows = (c.blockN + blockRows - 1) / blockRows;
  std::ostringstream out;
  auto memory = [](auto rows, int64_t cols, const char *type) {
    std::ostringstream text;
    text << "memref<" << rows << "x" << cols << "x" << type << ">";
    return text.str();
  };
  auto tile = [](int64_t rows, int64_t cols, const char *type) {
    std::ostringstream text;
    text << "!tile.tile<" << rows << "x" << cols << "x" << type << ">";
    return text.str();
  };
  std::string x = memory("?", p.k, "i8"), xs = memory("?", p.k / 32, "i8"),
              w = memory(p.n, p.k / perByte, "i8"), ws = memory(p.n / blockRows, p.k / 32, "i8"),
              y = memory("?", p.n, "bf16");
  std::string acc = tile(c.blockN, c.blockM, "f32"), result = tile(c.blockN, c.blockM, "bf16");
  std::string wCodes = tile(c.blockN, c.blockK / perByte, "i8"),
              wScales = tile(scaleTileRows, c.blockK / 32, "i8");
  std::string xCodes = tile(c.blockM, c.blockK, "i8"),
              xScales = tile(c.blockM, c.blockK / 32, "i8");
  std::string wValues = tile(c.blockN, c.blockK, "bf16"),
              xValues = tile(c.blockM, c.blockK, "bf16");

  out << "tile.kernel @" << name << " grid [#tile.grid<value = " << (p.n + c.blockN - 1) / c.blockN
      << ", rows_per = 0>, #tile.grid<value = 1, rows_per = " << c.blockM << ">] config "
      << writeConfig(c) << " class \"batch\""
      << (c.dependent ? " attributes {tile.constants = array<i64: 2, 3>}" : "") << " {\n"
      << "^bb0(%x: " << x << ", %xs: " << xs << ", %w: " << w << ", %ws: " << ws << ", %y: " << y
      << ", %rows: index, %bn: index, %bm: index):\n"
      << "  %c0 = arith.constant 0 : index\n  %c32 = arith.constant 32 : index\n"
      << "  %blockN = arith.constant " << c.blockN << " : index\n  %blockM = arith.constant "
      << c.blockM << " : index\n"
      << "  %blockK = arith.constant " << c.blockK << " : index\n  %k1 = arith.constant " << p.k
      << " : index\n"
      << "  %perByte = arith.constant " << perByte << " : index\n  %blockRows = arith.constant "
      << blockRows << " : index\n"
      << "  %n0 = arith.muli %bn, %blockN : index\n  %m0 = arith.muli %bm, %blockM : index\n"
      << "  %left = arith.subi %rows, %m0 : index\n  %ns = arith.divui %n0, %blockRows : index\n"
      << "  %zero = arith.constant 0.0 : f32\n  %init = tile.splat %zero : f32 -> " << acc << "\n"
      << "  %acc = scf.for %k = %c0 to %k1 step %blockK iter_args(%a = %init) -> (" << acc
      << ") {\n"
      << "    %kb = arith.divui %k, %perByte : index\n    %ks = arith.divui %k, %c32 : index\n"
      << "    %wc = tile.load %w[%n0, %kb] : " << w << " -> " << wCodes << "\n"
      << "    %wsc = tile.load %ws[%ns, %ks] : " << ws << " -> " << wScales << "\n"
      << "    %xc = tile.load %x[%m0, %k] rows %left : " << x << " -> " << xCodes << "\n"
      << "    %xsc = tile.load %xs[%m0, %ks] rows %left : " << xs << " -> " << xScales << "\n"
      << "    %wv = tile.decode %wc, %wsc element " << (p.fp4 ? "f4E2M1FN" : "f8E4M3FN")
      << " scale f8E8M0FNU block " << blockRows << " x 32 : " << wCodes << ", " << wScales << " -> "
      << wValues << "\n"
      << "    %xv = tile.decode %xc, %xsc element f8E4M3FN scale f8E8M0FNU block 1 x 32 : "
      << xCodes << ", " << xScales << " -> " << xValues << "\n"
      << "    %r = tile.mma %wv, %xv, %a : " << wValues << ", " << xValues << ", " << acc << "\n"
      << "    scf.yield %r : " << acc << "\n  }\n"
      << "  %out = tile.map ins(%acc : " << acc << ") -> " << result << " {\n  ^bb0(%v: f32):\n"
      << "    %b = arith.truncf %v : f32 to bf16\n    tile.yield %b : bf16\n  }\n"
      << "  tile.store %out, %y[%m0, %n0] dims [1, 0] cols %left : " << result << ", " << y
      << "\n  tile.return\n}\n";
  return out.str();
}

} // namespace cedilla::bench
