//===- PackageCode.h - the programs of a package that a device runs, with their code loaded --------===//

#pragma once

#include "runtime/device/Device.h"
#include "runtime/package/Package.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cedilla {

class PackageCode {
public:
  /// Chooses the target and chip: of those in the package that the device can run the one it likes best (rankChip), the first
  /// of equals. Loads nothing. Fails with what the package holds and what the device needs.
  PackageCode(const Package &package, Device &device);
  ~PackageCode();
  PackageCode(const PackageCode &) = delete;

  /// Loads the code of the chosen programs.
  void load();
  /// Null when the package has no such program for the chip.
  const ProgramInfo *program(std::string_view name) const;
  void *kernel(int64_t index) const { return kernels[index]; }
  void *module(int64_t object) const { return modules[object]; }
  const CodeKind &kind() const { return chosen; }

private:
  bool isChosen(const ProgramInfo &program) const {
    return codeOf(package.manifest(), program) == chosen;
  }

  const Package &package;
  Device &device;
  CodeKind chosen;
  std::vector<void *> modules; ///< one per object, null where not loaded
  std::vector<void *> kernels; ///< one per kernel, null where not used
};

} // namespace cedilla
