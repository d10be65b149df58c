//===- Devices.cpp - the list of devices ------------------------------------------------------------===//
//
// A new device is one line here.
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/device/Device.h"
#include "runtime/device/cpu/CpuFeatures.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace cedilla {

static constexpr const DeviceTable *devices[] = {&cpuDevice, &cudaDevice, &nullDevice};

std::vector<double> Device::timeEach(std::span<const Launch> launches, int repeats) {
  if (table->timeEach)
    return table->timeEach(self.get(), launches, repeats);
  std::vector<std::vector<double>> seconds(launches.size() + 1);
  for (int i = 0; i < repeats; ++i)
    for (size_t part = 0; part < seconds.size(); ++part) {
      startTimer();
      if (part > 0)
        launch(launches[part - 1]);
      seconds[part].push_back(stopTimer());
    }
  std::vector<double> medians;
  for (std::vector<double> &each : seconds) {
    std::nth_element(each.begin(), each.begin() + repeats / 2, each.end());
    medians.push_back(each[repeats / 2]);
  }
  return medians;
}

/// What stands behind the colon: a number of "cuda:0", a level of "cpu:avx2".
static void readSuffix(std::string_view name, std::string_view kind, std::string_view suffix, DeviceOptions &options) {
  if (kind == "cpu") {
    options.chip = suffix;
    if (cpu::rankOf(options.chip) < 0)
      fail(Err::DeviceName, "device '", name, "': expected a level of ", cpu::levelNames(), " behind 'cpu:', got '", suffix, "'");
    return;
  }
  if (kind != "cuda")
    fail(Err::DeviceName, "device '", name, "': there is one '", kind, "', expected no number");
  const char *end = suffix.data() + suffix.size();
  auto [stop, error] = std::from_chars(suffix.data(), end, options.ordinal);
  if (error == std::errc::result_out_of_range)
    options.ordinal = std::numeric_limits<int>::max(); // refused like any that does not exist
  else if (error != std::errc() || stop != end || options.ordinal < 0)
    fail(Err::DeviceName, "device '", name, "': expected a number behind ':', got '", suffix, "'");
}

Device openDevice(std::string_view name, DeviceOptions options) {
  std::string_view kind = name.substr(0, name.find(':'));
  if (kind != name)
    readSuffix(name, kind, name.substr(kind.size() + 1), options);
  for (const DeviceTable *table : devices)
    if (kind == table->name)
      return Device(*table, options);
  std::string known;
  for (const DeviceTable *table : devices)
    known += (known.empty() ? "" : ", ") + std::string(table->name);
  fail(Err::DeviceName, "device '", name, "': expected one of ", known);
}

} // namespace cedilla
