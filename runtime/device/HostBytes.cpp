//===- HostBytes.cpp - how much memory this machine has left ---------------------------------------===//

#include "runtime/device/HostBytes.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace cedilla {

uint64_t availableHostBytes() {
  uint64_t available = UINT64_MAX;
  std::ifstream info("/proc/meminfo");
  for (std::string key, unit; info >> key;) {
    uint64_t kilobytes;
    if (key == "MemAvailable:" && info >> kilobytes)
      available = kilobytes * 1024;
    std::getline(info, unit);
  }
  uint64_t limit, used;
  std::ifstream limitFile("/sys/fs/cgroup/memory.max"), usedFile("/sys/fs/cgroup/memory.current");
  if (limitFile >> limit && usedFile >> used)
    available = std::min(available, limit > used ? limit - used : 0);
  return available;
}

} // namespace cedilla
