//===- Package.cpp - what a package holds ---------------------------------------------------------------===//

#include "runtime/io/Safetensors.h"
#include "runtime/package/Layout.h"
#include "runtime/package/Package.h"
#include "runtime/package/Sources.h"
#include "tools/ced-inspect/Commands.h"
#include "tools/ced-inspect/PackageText.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

namespace cedilla::inspect {

bool isPackage(const std::string &path) {
  if (std::filesystem::path(path).extension() == ".ced")
    return true;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    return false;
  char start[sizeof layout::magic] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  return std::memcmp(start, layout::magic, sizeof layout::magic) == 0;
}

static std::string hexOf(uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void printFile(const Package &package) {
  std::cout << package.path() << ": " << package.bytes().size() << " bytes, format " << package.version() << "\n";
  std::cout << "sections:\n";
  for (const SectionInfo &section : package.sections())
    std::cout << "  " << section.name << ": " << section.bytes << " bytes at " << section.offset << ", xxh3 " << hexOf(section.hash)
              << "\n";
}

static void showMemory(const Manifest &manifest) {
  std::map<std::string, std::pair<int64_t, uint64_t>> byKind;
  for (const BufferInfo &buffer : manifest.buffers) {
    auto &[count, bytes] = byKind[buffer.kind];
    ++count;
    bytes += buffer.bytes;
  }
  // Workspace buffers share memory: their sum is not what they occupy.
  byKind["workspace"].second = manifest.workspaceBytes;
  std::cout << "memory:\n";
  for (const auto &[kind, entry] : byKind)
    std::cout << "  " << kind << ": " << entry.first << " buffers, " << entry.second << " bytes\n";
}

/// What a block has beside its buffers: an arena on a CPU; threads, registers and shared memory on a GPU.
static std::string scratchOf(const Manifest &manifest, const KernelInfo &kernel) {
  if (manifest.objects[kernel.object].target != "nvptx")
    return ", arena " + std::to_string(kernel.arenaBytes);
  return ", threads " + std::to_string(kernel.threads) + ", registers " + std::to_string(kernel.registers) + ", spilled " +
         std::to_string(kernel.spillBytes) + ", shared " + std::to_string(kernel.sharedBytes);
}

/// What is read of a checkpoint, and the digests of what else the package was compiled for.
static void showWeights(const Manifest &manifest) {
  size_t tensors = 0;
  for (const BufferInfo &buffer : manifest.buffers)
    tensors += buffer.tensors.size();
  std::cout << "weights: " << tensors << " tensors\n";
  for (const BufferInfo &buffer : manifest.buffers)
    if (buffer.kind == "weight")
      std::cout << "  " << buffer.name << ": " << buffer.tensors.size() << " x " << buffer.dtype << " " << shapeText(buffer.tensorShape)
                << ", " << buffer.bytes << " bytes\n";
  std::cout << "sources:\n";
  for (const SourceInfo &source : manifest.sources)
    std::cout << "  " << source.name << ": xxh3 " << source.digest << "\n";
}

void showPackage(const std::string &path) {
  Package package(path);
  const Manifest &manifest = package.manifest();
  const ModelFacts &facts = manifest.facts;
  printFile(package);
  std::cout << "model: " << facts.arch << ", " << facts.layers.size() << " layers, hidden " << facts.hidden << ", vocabulary "
            << facts.vocab << "\n";
  std::cout << "written by: " << manifest.compiler << "\n";
  std::cout << "limits: " << facts.maxRows << " rows a step, " << facts.maxBatch << " sequences, " << facts.maxContext
            << " tokens each\n";
  showMemory(manifest);
  std::cout << "objects:\n";
  for (size_t i = 0; i < manifest.objects.size(); ++i) {
    const ObjectInfo &object = manifest.objects[i];
    std::cout << "  " << object.target << " " << object.chip << ": " << object.bytes << " bytes, xxh3 " << digestOf(package.object(i))
              << "\n";
  }
  std::cout << "programs:\n";
  for (const ProgramInfo &program : manifest.programs) {
    int64_t kernels = 0;
    for (const StepInfo &step : program.steps)
      kernels += step.op == "dispatch";
    CodeKind kind = codeOf(manifest, program);
    std::cout << "  " << program.name << ": " << kernels << " kernels, " << kind.target << " " << kind.chip << "\n";
  }
  std::cout << "kernels: " << manifest.kernels.size() << "\n";
  for (const KernelInfo &kernel : manifest.kernels)
    std::cout << "  " << kernel.name << ": class " << kernel.reproducibility << scratchOf(manifest, kernel) << ", config "
              << kernel.config << "\n";
  showWeights(manifest);
}

} // namespace cedilla::inspect
