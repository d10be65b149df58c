//===- EngramGather.cpp - Engram rows found and copied by the host ----------------------------------===//

#include "runtime/session/EngramGather.h"

#include "runtime/base/Error.h"
#include "runtime/session/Buffers.h"

#include <algorithm>
#include <cstring>

namespace cedilla {

static constexpr std::string_view flagName = "engram_gathered";

static size_t findBuffer(const Manifest &manifest, std::string_view name) {
  for (size_t i = 0; i < manifest.buffers.size(); ++i)
    if (manifest.buffers[i].name == name && manifest.buffers[i].kind != "workspace")
      return i;
  failInternal("no buffer '", name, "'"); // checkManifest has looked
}

bool isEngramTable(const Manifest &manifest, const BufferInfo &buffer) {
  for (const EngramTable &table : manifest.engram.tables)
    if (buffer.kind == "weight" && (buffer.name == table.codes || buffer.name == table.scales))
      return true;
  return false;
}

uint64_t gatheredBytes(const Manifest &manifest, const BufferInfo &table) {
  return table.bytes / table.shape[0] * manifest.engram.columns() * manifest.facts.maxRows;
}

std::string whyNotGathered(const Manifest &manifest, const WeightSource &weights) {
  if (manifest.engram.tables.empty())
    return "the package names no Engram tables (the model has none, or the compiler was an older one)";
  for (const BufferInfo &buffer : manifest.buffers)
    if (isEngramTable(manifest, buffer) && !weights.mapped(buffer))
      return "rows are gathered from a checkpoint, got made-up weights";
  return "";
}

//===------------------------------------------------------------------------------------------===//
// Opening
//===------------------------------------------------------------------------------------------===//

static void append(std::vector<int64_t> &all, const std::vector<int64_t> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

EngramGather::EngramGather(const Manifest &manifest, WeightSource &weights) : manifest(manifest) {
  const EngramFacts &engram = manifest.engram;
  for (const EngramTable &table : engram.tables) {
    append(multipliers, table.multipliers);
    append(primes, table.primes);
    append(offsets, table.offsets);
    auto part = [&](const std::string &name) {
      size_t index = findBuffer(manifest, name);
      const BufferInfo &buffer = manifest.buffers[index];
      return Part{index, weights.mapped(buffer), buffer.bytes / buffer.shape[0]};
    };
    tables.push_back({part(table.codes), part(table.scales)});
  }
  hash = {int64_t(tables.size()), engram.orders, engram.heads, engram.pad, multipliers, primes, offsets};
  history.resize(manifest.facts.maxBatch * engram.orders);

  const BufferInfo &map = manifest.buffers[findBuffer(manifest, engram.tokenMap)];
  tokenMap.resize(map.shape[0]);
  LoadProgress progress(map.bytes);
  weights.copy(map, std::as_writable_bytes(std::span(tokenMap)), progress);
}

void EngramGather::tellKernels(Device &device, const Buffers &buffers) const {
  int32_t yes = 1;
  device.upload(buffers[findBuffer(manifest, flagName)], &yes, sizeof(yes));
}

//===------------------------------------------------------------------------------------------===//
// A step
//===------------------------------------------------------------------------------------------===//

int32_t EngramGather::compressed(const StepRows &rows, int64_t row) const {
  return rows.kinds[row] == 1 ? engramBarrier : tokenMap[rows.tokens[row]];
}

/// The id `back` positions before a row: of this step, of the history, or before the start.
int32_t EngramGather::idBefore(const StepRows &rows, int64_t row, int64_t back) const {
  int64_t position = rows.positions[row] - back, start = rows.starts[row];
  if (position < 0)
    return engramBarrier;
  if (position >= start)
    return compressed(rows, row - back);
  return history[rows.slots[row] * hash.orders + start - 1 - position];
}

/// The rows of all columns of all rows of the step, one behind the other, in `staging`.
void EngramGather::copyRows(const Part &part, size_t table, int64_t rows) {
  int64_t columns = hash.columns();
  staging.resize(rows * columns * part.rowBytes);
  std::byte *to = staging.data();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column, to += part.rowBytes) {
      int64_t number = numbers[(row * hash.layers + table) * columns + column];
      std::memcpy(to, part.table + number * part.rowBytes, part.rowBytes);
    }
}

void EngramGather::upload(const StepRows &rows, Device &device, const Buffers &buffers) {
  int64_t width = hash.layers * hash.columns(), pad = tokenMap[hash.pad];
  numbers.assign(rows.size() * width, 0);
  std::vector<int32_t> ids(hash.orders + 1);
  for (int64_t row = 0; row < rows.size(); ++row) {
    if (rows.positions[row] < 0)
      continue;
    for (int64_t back = 0; back <= hash.orders; ++back)
      ids[back] = idBefore(rows, row, back);
    hashEngramRow(hash, ids, pad, &numbers[row * width]);
  }
  for (size_t table = 0; table < tables.size(); ++table)
    for (const Part &part : tables[table]) {
      copyRows(part, table, rows.size());
      device.upload(buffers[part.buffer], staging.data(), staging.size());
    }
}

void EngramGather::advance(const StepRows &rows) {
  std::vector<int32_t> next = history; // rows read the old one
  for (int64_t row = 0; row < rows.size(); ++row)
    for (int64_t back = 0; back < hash.orders && rows.positions[row] >= 0; ++back)
      next[rows.slots[row] * hash.orders + back] = idBefore(rows, row, back);
  history = std::move(next);
}

void EngramGather::reset(int64_t slot) {
  std::fill_n(history.begin() + slot * hash.orders, hash.orders, 0);
}

} // namespace cedilla
