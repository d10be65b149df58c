//===- EngramGather.h - Engram rows found and copied by the host ------------------------------------===//
//
// Instead of the tables a device has room for the rows of one step: [rows, columns] of codes and of scales for
// each Engram layer. Before a step the host hashes the ids it knows, copies the rows from the checkpoint, and
// uploads them; kernels are told by the input `engram_gathered`. Same rows, same bits.
//
//===------------------------------------------------------------------------------------------===//

#pragma once

#include "runtime/engine/Engine.h"
#include "runtime/engine/EngramHash.h"
#include "runtime/package/Package.h"
#include "runtime/session/WeightSource.h"

#include <array>
#include <string>
#include <vector>

namespace cedilla {

class Buffers;

/// Where Engram tables are to be.
enum class EngramMode {
  Auto,       ///< on the device where they fit, else read in host memory, else gathered
  Device,     ///< on the device
  ZeroCopy,   ///< in host memory that kernels read
  HostGather, ///< in the checkpoint; the host copies the rows of each step
};

/// Whether the buffer is a part of an Engram table.
bool isEngramTable(const Manifest &manifest, const BufferInfo &buffer);
/// Bytes of the table's rows that the largest step reads.
uint64_t gatheredBytes(const Manifest &manifest, const BufferInfo &table);
/// Why rows cannot be gathered; empty when they can.
std::string whyNotGathered(const Manifest &manifest, const WeightSource &weights);

class EngramGather {
public:
  /// The manifest and the weights must stay.
  EngramGather(const Manifest &manifest, WeightSource &weights);

  void tellKernels(Device &device, const Buffers &buffers) const;
  /// Finds and uploads what the step reads. The step has been checked.
  void upload(const StepRows &rows, Device &device, const Buffers &buffers);
  /// To be called when the step has been run.
  void advance(const StepRows &rows);
  void reset(int64_t slot);

private:
  /// Codes or scales of a table.
  struct Part {
    size_t buffer;
    const std::byte *table;
    uint64_t rowBytes;
  };
  int32_t compressed(const StepRows &rows, int64_t row) const;
  int32_t idBefore(const StepRows &rows, int64_t row, int64_t back) const;
  void copyRows(const Part &part, size_t table, int64_t rows);

  const Manifest &manifest;
  EngramHash hash;
  std::vector<int64_t> multipliers, primes, offsets; ///< of all tables
  std::vector<int32_t> tokenMap;
  std::vector<std::array<Part, 2>> tables;
  std::vector<int32_t> history; ///< [slots, orders]: compressed ids, newest first
  std::vector<int64_t> numbers; ///< [rows, tables, columns] of the step
  std::vector<std::byte> staging;
};

} // namespace cedilla
