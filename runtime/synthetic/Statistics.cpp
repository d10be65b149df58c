//===- Statistics.cpp - a row per weight
//----------------------------------------------------------------------===//

#include "runtime/synthetic/Statistics.h"

#include <cmath>

namespace cedilla::synthetic {

namespace {
enum class Kind {
  Norm,  ///< mean `a`, a tenth of it as deviation
  Gain,  ///< deviation `a` / sqrt(fan-in)
  Plain, ///< mean `a`, deviation `b`
  Common ///< deviation `a` of its own, `b` shared by all rows
};

struct Row {
  std::string_view ending;
  Kind kind;
  float a, b;
};
} // namespace

/// What a weight adds to the stream is scaled by this.
static constexpr float kDamped = 0.05f;

static constexpr Row rows[] = {
    {"embed.weight", Kind::Common, 0.06f, 0.1f},
    {"head.weight", Kind::Gain, 3, 0},
    {"norm.weight", Kind::Norm, 1, 0},
    {".attn_norm.weight", Kind::Norm, 0.025f, 0},
    {".ffn_norm.weight", Kind::Norm, 0.2f, 0},
    {".hc_attn_fn", Kind::Gain, 1, 0},
    {".hc_ffn_fn", Kind::Gain, 1, 0},
    {".hc_attn_scale", Kind::Plain, 1, 0.2f},
    {".hc_ffn_scale", Kind::Plain, 1, 0.2f},
    {".hc_attn_base", Kind::Plain, 0, 0.5f},
    {".hc_ffn_base", Kind::Plain, 0, 0.5f},
    {".attn.attn_sink", Kind::Plain, -0.3f, 0.4f},
    {".attn.q_norm.weight", Kind::Norm, 0.97f, 0},
    {".attn.kv_norm.weight", Kind::Norm, 0.4f, 0},
    {".attn.wq_a", Kind::Gain, 1.6f, 0},
    {".attn.wq_b", Kind::Gain, 0.95f, 0},
    {".attn.wkv", Kind::Gain, 1.8f, 0},
    {".attn.wo_a", Kind::Gain, 1.6f, 0},
    {".attn.wo_b", Kind::Gain, 1.9f * kDamped, 0},
    {".compressor.wkv.weight", Kind::Gain, 1.8f, 0},
    // Its input has an RMS of 0.025 (attn_norm): this makes gates differ by about 1.
    {".compressor.wgate.weight", Kind::Gain, 40, 0},
    {".compressor.norm.weight", Kind::Norm, 0.6f, 0},
    {".indexer.wk.weight", Kind::Gain, 1, 0},
    {".indexer.k_norm.weight", Kind::Norm, 0.5f, 0},
    {".indexer.wq_b", Kind::Gain, 0.95f, 0},
    {".indexer.weights_proj.weight", Kind::Gain, 1, 0},
    {".ffn.gate.weight", Kind::Gain, 2.9f, 0},
    {".ffn.gate.bias", Kind::Plain, 0, 0.1f},
    {".ffn.gate.bias_vl", Kind::Plain, 0, 0.1f},
    {".w1", Kind::Gain, 1.5f, 0},
    {".w3", Kind::Gain, 1.5f, 0},
    {".w2", Kind::Gain, 1.05f * kDamped, 0},
    {".engram.embed", Kind::Plain, 0, 0.1f},
    {".engram.wkv", Kind::Gain, 1, 0},
    {".engram.q_weight", Kind::Plain, 1, 0.1f},
    {".engram.k_weight", Kind::Plain, 1, 0.1f},
};

/// The longest ending that fits: ".attn_norm.weight" goes before "norm.weight".
static const Row *rowOf(std::string_view name) {
  const Row *best = nullptr;
  for (const Row &row : rows)
    if (name.ends_with(row.ending) && (!best || row.ending.size() > best->ending.size()))
      best = &row;
  return best;
}

static std::string_view withoutPart(std::string_view name) {
  for (std::string_view part : {".weight", ".scale"})
    if (name.ends_with(part))
      return name.substr(0, name.size() - part.size());
  return name;
}

bool findSpread(std::string_view name, int64_t fanIn, Spread &spread) {
  // ".engram.embed" of "….engram.embed.weight" is more than its "embed.weight".
  const Row *row = rowOf(name), *whole = rowOf(withoutPart(name));
  if (!row || (whole && whole->ending.size() > row->ending.size()))
    row = whole;
  if (!row)
    return false;
  switch (row->kind) {
  case Kind::Norm:
    spread = {row->a, row->a / 10, 0};
    break;
  case Kind::Gain:
    spread = {0, row->a / std::sqrt(static_cast<float>(fanIn)), 0};
    break;
  case Kind::Plain:
    spread = {row->a, row->b, 0};
    break;
  case Kind::Common:
    spread = {0, row->a, row->b};
    break;
  }
  return true;
}

} // namespace cedilla::synthetic
